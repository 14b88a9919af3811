// Runs inside the page, in our own script world: where a dragged thing is to be dropped, and where it ended up.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type { Point } from '../geometry.ts';
import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

export type DropSide = 'onto' | 'before' | 'after';

/** A drag under way. */
interface Dragging {
  /** What the page moves: the source, or the item that the source is a grip of. */
  item: Element;
  words: string;
  list: Element | null;
  index: number;
  box: DOMRect;
  value: string;
  /** The item that it is to be put beside. */
  goal?: { item: Element; words: string };
  /** The page has changed beside attributes. */
  changed: boolean;
  watch: MutationObserver;
}

/** Holds the drag between its begin and its end. Under a symbol: a page can give elements the name of any global variable. */
interface World {
  [key: symbol]: Dragging | undefined;
}

export interface DropAim extends Point {
  /** What is dragged would be dropped where it is wanted. */
  isRight: boolean;
}

export interface DragOutcome {
  /** Among its siblings, from 1 on, when that changed. */
  place?: { at: number; of: number; list?: string; after?: string; before?: string };
  /** How far it moved, in CSS pixels, when it has the same siblings as before. */
  moved?: Point;
  value?: { was: string; is: string };
  /** The page has put another element in its place, or none. */
  isGone?: boolean;
  /** The page has changed, whether the item moved or not. */
  changed: boolean;
}

export function dragging(): Dragging | undefined {
  return (globalThis as unknown as World)[Symbol.for('dragging')];
}

/** Before the press: remembers how things are. */
export function beginDrag(source: Element): void {
  dragging()?.watch.disconnect();
  const item = itemOf(source);
  const drag: Dragging = {
    item,
    words: wordsOf(item),
    list: tabwright.property(item, 'parentElement'),
    index: siblingsOf(item).indexOf(item),
    box: tabwright.rectOf(item),
    value: settingOf(item) || settingOf(source),
    changed: false,
    watch: new MutationObserver(() => {
      drag.changed = true;
    }),
  };
  drag.watch.observe(document, { subtree: true, childList: true, characterData: true });
  (globalThis as unknown as World)[Symbol.for('dragging')] = drag;
}

export function wordsOf(el: Element): string {
  const words = tabwright.wordsIn(el).replace(/\s+/g, ' ').trim();
  return words.length > 40 ? `${words.slice(0, 39)}…` : words;
}

export function settingOf(el: Element): string {
  if (el instanceof HTMLInputElement) return el.value;
  return tabwright.method(el, 'getAttribute', 'aria-valuenow') ?? '';
}

/** The nearest element around a grip that has siblings of its kind; the element itself if it has. */
export function itemOf(el: Element): Element {
  const isItem = (at: Element) =>
    tabwright.method(at, 'matches', 'li, tr, [draggable="true"], [role="listitem"], [role="option"], [role="row"]') ||
    siblingsOf(at).some(other => other !== at && other.className === at.className && other.localName === at.localName);
  for (let at: Element | null = el, depth = 0; at && depth < 4; at = tabwright.property(at, 'parentElement'), depth++)
    if (isItem(at)) return at;
  return el;
}

/** The children of its parent that are shown, in the order that they are seen, without what stands for something that is dragged. */
export function siblingsOf(el: Element): Element[] {
  const parent = tabwright.property(el, 'parentElement');
  const all = parent ? [...tabwright.property(parent, 'children')] : [];
  const shown = all.filter(other => other === el || (tabwright.isRendered(other) && !isPlaceholder(other)));
  if (getComputedStyle(el).position !== 'absolute') return shown;
  const boxes = new Map(shown.map(other => [other, tabwright.rectOf(other)]));
  return shown.sort(
    (one, two) => boxes.get(one)!.top - boxes.get(two)!.top || boxes.get(one)!.left - boxes.get(two)!.left,
  );
}

export function isPlaceholder(el: Element): boolean {
  return (
    /placeholder/i.test(tabwright.method(el, 'getAttribute', 'class') ?? '') ||
    [...tabwright.property(el, 'attributes')].some(({ name }) => /^data-r[bf]d-placeholder/.test(name))
  );
}

/** Items stand beside each other, not below each other. */
export function isRow(el: Element): boolean {
  const box = tabwright.rectOf(el);
  const others = siblingsOf(el).filter(other => other !== el && other !== dragging()?.item);
  return others.some(other => {
    const { top, bottom, left, right } = tabwright.rectOf(other);
    const isLevel = Math.min(bottom, box.bottom) - Math.max(top, box.top) > box.height / 2;
    return isLevel && (right <= box.left + 1 || left >= box.right - 1);
  });
}

/** The item of the target's list that the target is in. */
export function dropItem(target: Element): Element {
  const item = dragging()?.item;
  for (let at: Element | null = target; at && item; at = tabwright.property(at, 'parentElement')) {
    const { parentElement } = at;
    if (parentElement === item.parentElement || (at.localName === item.localName && at.className === item.className))
      return at;
    if (parentElement && tabwright.isInside(item, parentElement)) break;
  }
  return itemOf(target);
}

export interface DropAsk {
  side: DropSide;
  /** How deep into the target, from the side where the source is wanted. */
  part: number;
  /** Over the target in any case, not over its neighbour. */
  over?: boolean;
}

/** Waits until nothing moves, and gives the point to drop at. */
export async function dropAim(target: Element, { side, part, over }: DropAsk): Promise<DropAim> {
  const el = side === 'onto' ? target : dropItem(target);
  await stillness(el);
  if (side === 'onto') return { ...pointWithin(el, 0.5), isRight: isTaken(el) };
  const neighbour = over ? undefined : passedBy(el, side);
  const share = (side === 'before') === (neighbour === undefined) ? part : 1 - part;
  return { ...pointWithin(neighbour ?? el, share), isRight: wouldBe(el, side) };
}

/** So far along the element, in the direction of its list. */
export function pointWithin(el: Element, share: number): Point {
  const { left, top, width, height } = tabwright.rectOf(el);
  const row = isRow(el);
  return { x: left + width * (row ? share : 0.5), y: top + height * (row ? 0.5 : share) };
}

/** The item that a source from the same list would pass last on its way: most lists put things behind what they pass. */
export function passedBy(el: Element, side: DropSide): Element | undefined {
  const drag = dragging();
  const all = siblingsOf(el);
  const rest = all.filter(other => other !== drag?.item);
  if (!drag || rest.length === all.length) return undefined;
  const comesFrom = all.indexOf(drag.item) < all.indexOf(el) ? 'before' : 'after';
  return comesFrom === side ? rest[rest.indexOf(el) + (side === 'before' ? -1 : 1)] : undefined;
}

/** Lets the page handle the last movement, and waits for what it moves then, at most half a second. */
export async function stillness(el: Element): Promise<void> {
  const end = performance.now() + 500;
  let last = '';
  for (let same = 0; same < 2 && performance.now() < end; ) {
    await tabwright.nextFrame();
    const now = siblingsOf(el)
      .map(other => tabwright.rectOf(other))
      .map(({ left, top }) => `${Math.round(left)},${Math.round(top)}`)
      .join(' ');
    same = now === last && !tabwright.isAnimated(el) ? same + 1 : 0;
    last = now;
  }
}

/** What is dragged has another place in the document already. */
export function hasMoved({ item, list, index }: Dragging): boolean {
  return tabwright.property(item, 'parentElement') !== list || siblingsOf(item).indexOf(item) !== index;
}

/** What is dragged is in the target, or in its list, already. */
export function isTaken(target: Element): boolean {
  const drag = dragging();
  if (!drag || !hasMoved(drag)) return false;
  return tabwright.isInside(drag.item, target) || drag.item.parentElement === target.parentElement;
}

/** What is dragged, or the gap that the list keeps for it, is on that side of the element. */
export function wouldBe(el: Element, side: DropSide): boolean {
  const drag = dragging();
  const parent = tabwright.property(el, 'parentElement');
  if (!drag || !parent) return false;
  const { item } = drag;
  const by = side === 'before' ? -1 : 1;
  if (hasMoved(drag)) return isBeside(item, el, side);
  const all = [...tabwright.property(parent, 'children')];
  const stand = all.find(other => other !== item && isPlaceholder(other) && tabwright.rectOf(other).height > 0);
  const rest = all.filter(other => other === stand || (other !== item && tabwright.isRendered(other)));
  // The placeholder of react-beautiful-dnd only keeps the list as long as it was.
  if (stand && !tabwright.property(stand, 'attributes')[0]?.name.startsWith('data-r'))
    return rest[rest.indexOf(el) + by] === stand;
  return parent === drag.list && hasGap(el, by, drag);
}

/** By the boxes: libraries that move things only in looks leave a gap of the size of the item. */
export function hasGap(el: Element, by: number, { item, box }: Dragging): boolean {
  const row = isRow(el);
  const [start, end, length] = row ? (['left', 'right', box.width] as const) : (['top', 'bottom', box.height] as const);
  const boxes = siblingsOf(el)
    .filter(other => other !== item)
    .map(other => ({ other, rect: tabwright.rectOf(other) }))
    .sort((one, two) => one.rect[start] - two.rect[start]);
  const at = boxes.findIndex(({ other }) => other === el);
  const own = boxes[at]?.rect;
  const next = boxes[at + by]?.rect;
  if (!own) return false;
  if (next) return (by < 0 ? own[start] - next[end] : next[start] - own[end]) > length * 0.6;
  // At the end of the list: the item at its other end has not moved away from its place, this one has.
  const list = tabwright.rectOf(item.parentElement ?? item);
  return (by < 0 ? own[start] - list[start] : list[end] - own[end]) > length * 0.6;
}

/** In the document: right before or after the other element. */
export function isBeside(item: Element, el: Element, side: DropSide): boolean {
  const all = siblingsOf(el);
  return item !== el && all[all.indexOf(el) + (side === 'before' ? -1 : 1)] === item;
}

/** Before the press: whether what is to be dragged is in the wanted place already. */
export function isThere(target: Element, side: DropSide): boolean {
  const drag = dragging();
  if (!drag) return false;
  const item = dropItem(target);
  drag.goal = { item, words: wordsOf(item) };
  return isBeside(drag.item, item, side);
}

/** The element itself, or the only one that looks like it where the page has put another in its place. */
export function present(el: Element, words: string): Element | undefined {
  if (tabwright.property(el, 'isConnected')) return el;
  const like = [...document.getElementsByTagName(el.localName)].filter(
    other => other.className === el.className && wordsOf(other) === words,
  );
  return like.length === 1 ? like[0] : undefined;
}

/** After the drop: what came of it. */
export async function dragOutcome(_source: Element): Promise<DragOutcome> {
  const drag = dragging();
  if (!drag) return { changed: false };
  const item = present(drag.item, drag.words);
  await stillness(item ?? document.body);
  drag.watch.disconnect();
  const { changed } = drag;
  if (!item || !tabwright.isRendered(item)) return { isGone: true, changed };
  const value = settingOf(item);
  const all = siblingsOf(item);
  const at = all.indexOf(item);
  const list = tabwright.property(item, 'parentElement');
  const isElsewhere = drag.list?.isConnected === true && list !== drag.list;
  if (isElsewhere || at !== drag.index) {
    const [after, before] = [all[at - 1], all[at + 1]].map(other => other && wordsOf(other));
    return {
      changed,
      place: {
        at: at + 1,
        of: all.length,
        ...(isElsewhere && list && { list: tabwright.describe(list).replace(/ ".*/, '') }),
        ...(after && { after }),
        ...(before && { before }),
      },
    };
  }
  const { left, top } = tabwright.rectOf(item);
  const moved = { x: Math.round(left - drag.box.left), y: Math.round(top - drag.box.top) };
  return {
    changed,
    ...((moved.x !== 0 || moved.y !== 0) && { moved }),
    ...(value !== drag.value && { value: { was: drag.value, is: value } }),
  };
}

/** After the drop: whether it comes to be where it was wanted, within a second: some lists show their new order after an animation. */
export async function isDropped(_target: Element, side: DropSide): Promise<boolean> {
  const drag = dragging();
  if (!drag?.goal) return false;
  const end = performance.now() + 1_000;
  for (;;) {
    const [item, goal] = [drag, drag.goal].map(was => present(was.item, was.words));
    if (item && goal && isBeside(item, goal, side)) return true;
    if (performance.now() > end) return false;
    await tabwright.nextFrame();
  }
}

/** What takes the keys of a drag: the source, what it is the grip of, or the first thing in it that can have the focus. */
export function gripOf(source: Element): Element | null {
  const isGrip = (el: Element): boolean => el instanceof HTMLElement && el.tabIndex >= 0;
  const item = itemOf(source);
  const inside = [source, item].flatMap(el => [el, ...tabwright.method(el, 'querySelectorAll', '*')]);
  return (
    inside.find(el => /drag/i.test(tabwright.method(el, 'getAttribute', 'aria-roledescription') ?? '') && isGrip(el)) ??
    inside.find(isGrip) ??
    null
  );
}

/** What the page says to people who cannot see it. */
export function announced(_el: Element): string {
  return [...document.querySelectorAll('[aria-live], [role="status"], [role="alert"], [role="log"]')]
    .map(el => el.textContent)
    .join('\n');
}

/** The page has taken up what is to be dragged: it says so aloud or marks it, within some frames. */
export async function isLifted(grip: Element, before: string): Promise<boolean> {
  const end = performance.now() + 500;
  for (;;) {
    const isMarked = ['aria-pressed', 'aria-grabbed', 'data-dragging'].some(
      name => tabwright.method(grip, 'getAttribute', name) === 'true',
    );
    if (isMarked || announced(grip) !== before) return true;
    if (performance.now() > end) return false;
    await tabwright.nextFrame();
  }
}

export interface KeyAim {
  isRight: boolean;
  /** The key that brings it nearer. */
  key: string;
  /** The key that puts it down, when it is not the one that took it up. */
  drop?: string;
}

/** Which way what is dragged must go. Libraries that take the focus from one place to another are followed by it, others by what they move. */
export async function keyAim(target: Element, side: DropSide): Promise<KeyAim> {
  const el = side === 'onto' ? target : dropItem(target);
  await stillness(el);
  const item = dragging()?.item ?? el;
  const active = document.activeElement;
  if (active && active !== document.body && !tabwright.isInside(active, item) && !tabwright.isInside(item, active))
    return focusAim(el, side, active);
  const [from, to] = [tabwright.rectOf(item), tabwright.rectOf(el)];
  const by = {
    x: to.left + to.width / 2 - from.left - from.width / 2,
    y: to.top + to.height / 2 - from.top - from.height / 2,
  };
  if (side === 'onto')
    return {
      isRight: Math.abs(by.x) < to.width / 2 && Math.abs(by.y) < to.height / 2,
      key:
        Math.abs(by.y) > to.height / 2 ? (by.y > 0 ? 'ArrowDown' : 'ArrowUp') : by.x > 0 ? 'ArrowRight' : 'ArrowLeft',
    };
  const isPast = (isRow(el) ? by.x : by.y) < 0;
  const isOn = side === 'before' ? !isPast : isPast;
  const forward = isOn ? side === 'before' : side === 'after';
  return {
    isRight: wouldBe(el, side),
    key: isRow(el) ? (forward ? 'ArrowRight' : 'ArrowLeft') : forward ? 'ArrowDown' : 'ArrowUp',
  };
}

/** The focus is on a place to drop at: on an item, or between two. */
export function focusAim(el: Element, side: DropSide, active: Element): KeyAim {
  const drop = 'Enter';
  if (side === 'onto')
    return { isRight: tabwright.isInside(active, el) || tabwright.isInside(el, active), key: 'Tab', drop };
  let place: Element | null = active;
  while (place && place.parentElement !== el.parentElement) place = place.parentElement;
  if (!place) return { isRight: false, key: 'Tab', drop };
  const beside = side === 'before' ? place.nextElementSibling : place.previousElementSibling;
  const isAhead = (place.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return { isRight: beside === el, key: isAhead ? 'ArrowDown' : 'ArrowUp', drop };
}
