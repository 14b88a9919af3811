// Runs inside the page, in our own script world: sorts what the watcher has noted during an action.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type * as builtIn from '../inpage/built-in.ts';
import type * as watch from './watch-page.ts';

/** Our in-page functions of other files. */
declare const tabwright: typeof builtIn & typeof watch & watch.OtherFunctions;

/** The numbers of elements of each kind, in the order of foundNodes(); of those that went, their words. */
export interface Found {
  focus: number;
  added: number;
  changed: number;
  gone: { role: string; words: string }[];
  /** All that came or went, beyond those that are listed. */
  more: number;
}

/** What came, changed and went; after it the watch is over. */
export function collectWatch(): Found {
  const w = tabwright.watcher();
  tabwright.note(w.observer.takeRecords());
  const sets = { added: new Set<Element>(), changed: new Set<Element>(), gone: new Set<Element>() };
  const { added, changed, gone } = sets;
  for (const record of w.kept) sortRecord(record, added, changed, gone);
  const isThere = (el: Element) => tabwright.property(el, 'isConnected');
  const isBelow = (el: Element) => (other: Element) => tabwright.method(other, 'contains', el);
  const isOutermost = (el: Element, _: number, all: Element[]) => !all.filter(other => other !== el).some(isBelow(el));
  const wasHidden = (el: Element) => [...(w.hidden ?? [])].some(isBelow(el));
  const cameAll = [...added].filter(isThere).filter(isOutermost);
  const wentAll = [...gone].filter(el => !isThere(el) && !added.has(el)).filter(isOutermost);
  const came = new Set<Element>();
  const went = new Set<Element>();
  pairOff(cameAll, wentAll, { came, went, changed }, 6);
  for (const el of tabwright.appeared()) came.add(el);
  for (const { type, target } of w.kept)
    if (
      type === 'attributes' &&
      target instanceof Element &&
      isThere(target) &&
      !tabwright.canBeSeen(target) &&
      !wasHidden(target)
    )
      went.add(target);
  const focus = tabwright.focused();
  const shown = [...came].filter(el => isThere(el) && tabwright.canBeSeen(el)).filter(isOutermost);
  const altered = [...changed].filter(el => isThere(el) && tabwright.canBeSeen(el) && !shown.some(isBelow(el)));
  const left = [...went].filter(el => !wasHidden(el)).filter(isOutermost);
  const wordsOf = (el: Element) => tabwright.wordsIn(el).replace(/\s+/g, ' ').trim().slice(0, 60);
  // Any text can stand there.
  const roleOf = (el: Element) => /^[a-z]{1,20}$/.exec(tabwright.method(el, 'getAttribute', 'role') ?? '')?.[0] ?? '';
  const most = 40;
  w.found = [
    ...(focus && focus !== w.focus ? [focus] : []),
    ...shown.slice(0, most),
    ...altered.slice(0, most),
    ...left.slice(0, most),
  ];
  tabwright.endWatch();
  w.isStale = true;
  // Not in the middle of the next action, which would seem to have shown nothing.
  requestIdleCallback(() => w.armed === 0 && w.isStale && tabwright.noteHidden(), { timeout: 200 });
  w.kept = [];
  w.lateOnes.clear();
  return {
    focus: focus && focus !== w.focus ? 1 : 0,
    added: Math.min(most, shown.length),
    changed: Math.min(most, altered.length),
    gone: left.slice(0, most).map(el => ({ role: roleOf(el), words: wordsOf(el) })),
    more: [shown, altered, left].reduce((sum, { length }) => sum + Math.max(0, length - most), 0),
  };
}

export function foundNodes(): Element[] {
  return tabwright.watcher().found.splice(0);
}

export function isContent(node: Node): node is Element {
  return (
    node instanceof Element &&
    !/^(script|style|link|meta|template|noscript)$/.test(tabwright.property(node, 'localName'))
  );
}

export function sortRecord(
  { type, target, attributeName, addedNodes, removedNodes }: MutationRecord,
  added: Set<Element>,
  changed: Set<Element>,
  gone: Set<Element>,
): void {
  const el = target instanceof Element ? target : target instanceof ShadowRoot ? target.host : target.parentElement;
  if (!el) return;
  // A class or a style says nothing by itself: what it shows or hides is looked for.
  if (type === 'attributes') {
    if (!/^(class|style|hidden|popover|inert|aria-hidden|aria-busy)$/.test(attributeName ?? '')) changed.add(el);
    return;
  }
  if (type === 'characterData') return void changed.add(el);
  for (const node of addedNodes) {
    if (isContent(node)) added.add(node);
    else if (node instanceof Text && node.data.trim() !== '') changed.add(el);
  }
  for (const node of removedNodes) {
    if (isContent(node)) gone.add(node);
    else if (node instanceof Text && node.data.trim() !== '') changed.add(el);
  }
}

interface Sorted {
  came: Set<Element>;
  went: Set<Element>;
  changed: Set<Element>;
}

/** What was only rendered again is the same as before: of that, the parts that differ count. */
export function pairOff(came: Element[], went: Element[], into: Sorted, depth: number): void {
  const squashed = (text: string) => text.replace(/\s+/g, ' ').trim();
  const textOf = (el: Element) =>
    `${tabwright.property(el, 'localName')} ${tabwright.method(el, 'getAttribute', 'type')} ${squashed(tabwright.property(el, 'textContent') ?? '')}`;
  const ownText = (el: Element) =>
    squashed([...tabwright.property(el, 'childNodes')].map(node => (node instanceof Text ? node.data : '')).join(' '));
  const left = [...went];
  const take = (key: (el: Element) => string, el: Element): Element | undefined => {
    const at = left.findIndex(other => key(other) === key(el));
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const fresh = came.filter(el => !take(textOf, el));
  for (const el of fresh) {
    const was = depth > 0 ? take(tabwright.shapeOf, el) : undefined;
    const [now = [], before = []] = [el, was].map(one => one && [...tabwright.property(one, 'children')]);
    if (!was) into.came.add(el);
    else if (now.length === 0 || before.length === 0) into.changed.add(el);
    // With other words beside its parts it is another one, such as the label of another box.
    else if (ownText(el) !== ownText(was)) into.came.add(el);
    else pairOff(now, before, into, depth - 1);
  }
  for (const el of left) into.went.add(el);
}
