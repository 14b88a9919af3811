// Puts the handlers that Chrome and the page told of onto the nodes of a capture, each on the element that it is for.
import { hasTabindex } from '../accessibility/controls.ts';
import { interactivityOf } from '../accessibility/interactive.ts';
import { INTERACTIVE, wordSet } from '../accessibility/role-data.ts';
import { roleOf } from '../accessibility/roles.ts';
import { css, ELEMENT, find, isBlank, type SnapNode, type SnapPage, visibleText } from '../capture/node.ts';
import type { ProcessHandlers } from './ask-handlers.ts';
import { Handler, PRESSED } from './kinds.ts';

export function applyHandlers(page: SnapPage, all: readonly ProcessHandlers[]): void {
  const listening: SnapNode[] = [];
  for (const { process, native, roots, hinted } of all) {
    const nodeOf = (id: number): SnapNode | undefined => {
      const n = page.byKey(process, id);
      return n?.type === ELEMENT ? n : undefined;
    };
    for (const [id, bits] of native) {
      const n = nodeOf(id);
      if (!n) continue;
      n.handlers = roots.has(id) ? Handler.forOthers : bits;
      listening.push(n);
    }
    const hints = [...hinted.keys()].flatMap(id => nodeOf(id) ?? []);
    for (const n of hints) takeFromAncestors(n, hinted, native);
    for (const n of hints) applyHint(n, hinted.get(n.id) ?? 0);
    listening.push(...hints);
  }
  for (const n of listening) if (n.handlers & SHARED && !(n.handlers & Handler.forOthers)) shareOut(n);
}

/** An element that says for whom it listens says all about itself. */
function applyHint(n: SnapNode, bits: number): void {
  n.handlers = bits & Handler.forOthers ? bits : n.handlers | bits;
}

type Bits = ReadonlyMap<number, number>;

/** An ancestor that has a native listener for what a framework keeps on an element listens for others. */
function takeFromAncestors({ id, parent }: SnapNode, hinted: Bits, native: Bits): void {
  const bits = (hinted.get(id) ?? 0) & PRESSED;
  for (let p = bits ? parent : undefined; p; p = p.parent)
    if ((native.get(p.id) ?? 0) & bits && !hinted.has(p.id)) p.handlers = Handler.forOthers;
}

const SHARED = Handler.click | Handler.dblclick | Handler.press;

/** Where an element listens and nobody says for whom, its repeated parts get the handlers: rows, items, cells, tiles. */
function shareOut(n: SnapNode): void {
  if (UNSHARED.has(n.tag) || INTERACTIVE.has(roleOf(n)) || hasTabindex(n) || find(n, isHit)) return;
  const parts = repeatedIn(n, css(n, 'cursor') !== 'pointer');
  if (!parts.length) return;
  for (const part of parts) part.handlers |= n.handlers & SHARED;
  n.handlers = (n.handlers & ~SHARED) | Handler.forOthers;
}

const NO_HITS = new Set(['', 'shape', 'scroll']);
const isHit = (n: SnapNode): boolean => n.type === ELEMENT && !NO_HITS.has(interactivityOf(n));

const ITEMS = wordSet('li tr td dt dd');
/** An item that listens is meant itself. */
const UNSHARED = new Set([...ITEMS, 'body', 'html']);
/** Elements around the items. */
const MOST_WRAPPERS = 3;

/** The items of a list or table, or else two or more elements of one tag that all have data of their own or, if `byClass`, the same class. */
function repeatedIn(n: SnapNode, byClass: boolean, wrappers = MOST_WRAPPERS): SnapNode[] {
  const kids = n.kids.filter(kid => kid.type === ELEMENT && !kid.pseudo && !kid.hidden && kid.box);
  const [first] = kids;
  if (kids.length === 1 && first && wrappers) return repeatedIn(first, byClass, wrappers - 1);
  const items = kids.filter(kid => ITEMS.has(kid.tag));
  if (items.length > 1) return items.every(saysSomething) ? items : [];
  if (!first || kids.length < 2 || !kids.every(kid => kid.tag === first.tag)) return [];
  if (kids.every(hasData)) return kids.every(saysSomething) ? kids : [];
  const alike = byClass && !!first.attrs.class && kids.every(kid => kid.attrs.class === first.attrs.class);
  if (!alike) return [];
  const inner = kids.map(kid => repeatedIn(kid, true, 0));
  if (inner.every(parts => parts.length > 1)) return inner.flat();
  return kids.every(saysSomething) ? kids : [];
}

const hasData = ({ attrs }: SnapNode): boolean => Object.keys(attrs).some(name => name.startsWith('data-'));
const saysSomething = (n: SnapNode): boolean => !isBlank(visibleText(n));
