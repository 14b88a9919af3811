// Tells whether an element can be scrolled, from boxes alone: the capture has no scroll ranges.
import { type Box, css, ELEMENT, type SnapNode } from '../capture/node.ts';

/** Rounding of layout, in pixels. */
const SLACK = 2;

export function isScrollable(n: SnapNode): boolean {
  const overflow = css(n, 'overflow');
  if (!n.box || !/auto|scroll/.test(overflow) || OWN_WAY.has(n.tag)) return false;
  const [x = '', y = x] = overflow.split(' ');
  return overflows(n, n.box, x !== 'hidden', y !== 'hidden');
}

/** The page itself is scrolled anyway; fields are hits anyway. */
const OWN_WAY = new Set(['html', 'body', 'textarea', 'select']);

/** Something below reaches out of the box. What clips its own content speaks for all of it. */
function overflows(n: SnapNode, box: Box, x: boolean, y: boolean): boolean {
  for (const kid of n.kids) {
    if (kid.box && reachesOut(kid.box, box, x, y)) return true;
    const clips = kid.box && css(kid, 'overflow') !== 'visible' && kid.type === ELEMENT;
    if (!clips && overflows(kid, box, x, y)) return true;
  }
  return false;
}

function reachesOut(inner: Box, outer: Box, x: boolean, y: boolean): boolean {
  return (x && isOut(inner, outer, 0)) || (y && isOut(inner, outer, 1));
}

function isOut(inner: Box, outer: Box, axis: 0 | 1): boolean {
  const size = inner[axis + 2] ?? 0;
  const from = (inner[axis] ?? 0) - (outer[axis] ?? 0);
  return size > 0 && (from < -SLACK || from + size > (outer[axis + 2] ?? 0) + SLACK);
}
