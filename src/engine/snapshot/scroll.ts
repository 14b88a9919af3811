// Tells whether an element can be scrolled, from boxes alone: the capture has no scroll ranges.
import { type Box, css, type SnapNode } from './node.ts';

/** Rounding of layout, in pixels. */
const SLACK = 2;

export function isScrollable(n: SnapNode): boolean {
  if (!n.box || n.tag === 'html' || n.tag === 'body' || n.tag === 'textarea' || n.tag === 'select') return false;
  const x = scrolls(css(n, 'overflow-x'));
  const y = scrolls(css(n, 'overflow-y'));
  return (x || y) && overflows(n, n.box, x, y);
}

const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';

/** Something below reaches out of the box. What clips its own content speaks for all of it. */
function overflows(n: SnapNode, box: Box, x: boolean, y: boolean): boolean {
  for (const kid of n.kids) {
    if (kid.box && css(kid, 'position') === 'fixed') continue;
    if (kid.box && reachesOut(kid.box, box, x, y)) return true;
    const clips = kid.box && css(kid, 'overflow-x') !== 'visible';
    if (!clips && overflows(kid, box, x, y)) return true;
  }
  return false;
}

function reachesOut(inner: Box, outer: Box, x: boolean, y: boolean): boolean {
  const out = (at: number): boolean => {
    const size = inner[at + 2] ?? 0;
    if (!size) return false;
    const from = (inner[at] ?? 0) - (outer[at] ?? 0);
    return from < -SLACK || from + size > (outer[at + 2] ?? 0) + SLACK;
  };
  return (x && out(0)) || (y && out(1));
}
