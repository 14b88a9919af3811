// Runs inside the page, in our own script world: lists of options that a widget opens, what they offer and what the widget shows.
// Self-contained: these functions are sent as text, so they use nothing but each other and the DOM.

import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

/** Holds what appeared since watchPopups(). Under a symbol: a page can give elements the name of any global variable. */
interface World {
  [key: symbol]: { appeared: Set<Element>; wasOpen: boolean; stop: () => void } | undefined;
}

export interface Offer {
  /** The list is shown. */
  isOpen: boolean;
  /** The labels of its options, the first ones. */
  labels: string[];
  /** Text can be typed into what has the focus, to search the list. */
  isSearchable: boolean;
}

export interface OptionAsk {
  by: 'value' | 'label' | 'index' | 'any';
  wanted: string;
}

/** Children in the tree that is painted: of a shadow root or a slot, what is shown in it. */
export function flatChildren(el: Element): Node[] {
  if (el instanceof HTMLSlotElement && el.assignedNodes().length > 0) return el.assignedNodes();
  return [...tabwright.property(tabwright.property(el, 'shadowRoot') ?? el, 'childNodes')];
}

/** The element and all below it that are painted, in order. */
export function flatTree(el: Element): Element[] {
  const children = flatChildren(el).filter(node => node instanceof Element);
  return [el, ...children.flatMap(flatTree)];
}

/** The text of an element, without what is kept from readers' eyes and without other parts of the page that it holds. */
export function flatText(el: Element, except: readonly Element[] = []): string {
  const parts = flatChildren(el).map(node => {
    if (node instanceof Text) return node.data;
    if (!(node instanceof Element) || except.includes(node) || /^(style|script|template)$/.test(node.localName))
      return '';
    return ` ${flatText(node, except)} `;
  });
  return oneLine(parts.join(''));
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function roleOf(el: Element): string {
  return tabwright.method(el, 'getAttribute', 'role') ?? '';
}

/** Begins to note what is added to the page or shown by a change of its class or style. */
export function watchPopups(el: Element): void {
  unwatchPopups();
  const appeared = new Set<Element>();
  const observer = new MutationObserver(changes => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'childList' ? addedNodes : [target]) if (node instanceof Element) appeared.add(node);
  });
  const roots = new Set<Node>([document, tabwright.rootOf(el)]);
  for (let at: Element | null = el; at; at = tabwright.flatParent(at)) {
    const shadow = tabwright.property(at, 'shadowRoot');
    if (shadow) roots.add(shadow);
  }
  // A call that fails on the way leaves it running.
  tabwright.notOfPage({ timers: 1 });
  const timer = setTimeout(unwatchPopups, 10_000);
  const attributeFilter = ['class', 'style', 'hidden', 'open'];
  for (const root of roots)
    observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
  (globalThis as unknown as World)[Symbol.for('popups')] = {
    appeared,
    wasOpen: tabwright.method(el, 'getAttribute', 'aria-expanded') === 'true',
    stop: () => {
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}

export function unwatchPopups(): void {
  const world = globalThis as unknown as World;
  world[Symbol.for('popups')]?.stop();
  world[Symbol.for('popups')] = undefined;
}

/** It, or something in it, takes up room on the page. */
export function hasBox(el: Element, depth: number): boolean {
  const own = [...tabwright.method(el, 'getClientRects')].some(box => box.width > 0 && box.height > 0);
  return own || (depth > 0 && flatChildren(el).some(node => node instanceof Element && hasBox(node, depth - 1)));
}

/** Painted, and not inside something that is clipped to nothing. */
export function isShown(el: Element): boolean {
  if (!tabwright.isRendered(el) || !hasBox(el, 4)) return false;
  for (let at: Element | null = el; at; at = tabwright.flatParent(at)) {
    const style = getComputedStyle(at);
    const isTiny = tabwright.property(at, 'clientHeight') < 2 || tabwright.property(at, 'clientWidth') < 2;
    if (style.opacity === '0' || (isTiny && /hidden|clip/.test(style.overflow) && style.display !== 'inline'))
      return false;
  }
  return true;
}

/** The elements that an attribute of this one or of a part of it names. */
export function named(el: Element, attribute: string): Element[] {
  const root = tabwright.rootOf(el) as Document | ShadowRoot;
  return flatTree(el).flatMap(one =>
    (tabwright.method(one, 'getAttribute', attribute) ?? '')
      .split(/\s+/)
      .map(id => (id === '' ? null : (root.getElementById(id) ?? document.getElementById(id))))
      .filter(found => found !== null),
  );
}

/** What appeared last, without what is inside of something else that did, and what holds the widget itself. */
export function newParts(el: Element): Element[] {
  const { appeared = new Set<Element>() } = (globalThis as unknown as World)[Symbol.for('popups')] ?? {};
  const isInner = (one: Element): boolean => {
    for (let at = tabwright.flatParent(one); at && !tabwright.isInside(el, at); at = tabwright.flatParent(at))
      if (appeared.has(at)) return true;
    return false;
  };
  return [...appeared].filter(
    one => tabwright.property(one, 'isConnected') && !tabwright.isInside(el, one) && !isInner(one),
  );
}

/** The calendar that lies over the page: something with at least the days of a month. */
export function calendarOf(el: Element): Element | null {
  const isDay = (one: Element): boolean =>
    tabwright.property(one, 'childElementCount') < 2 &&
    /^([1-9]|[12]\d|3[01])$/.test(flatText(one)) &&
    tabwright.isRendered(one);
  const isCalendar = (one: Element): boolean => flatTree(one).filter(isDay).length >= 28;
  const apart = [...document.body.children].filter(one => !tabwright.isInside(el, one));
  return [...newParts(el), ...apart].find(one => isPopup(one, el) && isCalendar(one)) ?? null;
}

export function hasCalendar(el: Element): boolean {
  return calendarOf(el) !== null;
}

/** Typing into the field has opened a calendar; it may come a few frames later. */
export async function opensCalendar(el: Element): Promise<boolean> {
  for (let left = 6; left > 0 && !hasCalendar(el); left--) await tabwright.nextFrame();
  return hasCalendar(el);
}

/** Waits for the calendar to go; says whether it did. */
export async function closedCalendar(el: Element): Promise<boolean> {
  const end = performance.now() + 600;
  while (hasCalendar(el) && performance.now() < end) await tabwright.nextFrame();
  return !hasCalendar(el);
}

/** Enter is to take the date, not to send the form. Holds until unwatchPopups(). */
export function holdForm(): void {
  const stop = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('submit', stop, true);
  const world = (globalThis as unknown as World)[Symbol.for('popups')];
  const end = world?.stop;
  if (world)
    world.stop = () => {
      removeEventListener('submit', stop, true);
      end?.();
    };
}

/** What is shown of the lists that belong to the widget: itself, what it says it controls, or what appeared since it was opened. */
export function popupsOf(el: Element): Element[] {
  if (isList(el)) return [el];
  const isApart = (one: Element) => !tabwright.isInside(el, one);
  const shownPart = (one: Element): Element | null => {
    let at: Element | null = one;
    while (at && isApart(at) && !isShown(at)) at = tabwright.flatParent(at);
    return at && isApart(at) && at !== document.body ? at : null;
  };
  const controlled = ['aria-controls', 'aria-owns'].flatMap(attribute => named(el, attribute).map(shownPart));
  const { wasOpen = false } = (globalThis as unknown as World)[Symbol.for('popups')] ?? {};
  const isNew = (one: Element) => isPopup(one, el) && isShown(one);
  const all = [...controlled.filter(one => one !== null), ...newParts(el).filter(isNew)];
  if (all.length === 0 && wasOpen)
    all.push(...flatTree(document.body).filter(one => isList(one) && isApart(one) && isShown(one)));
  return all.filter((one, at) => all.indexOf(one) === at);
}

/** It lies over the page, or is or holds a list: not a chip or the like that came into the widget. */
export function isPopup(one: Element, el: Element): boolean {
  const isLaid = (part: Element): boolean => /absolute|fixed/.test(getComputedStyle(part).position);
  for (let at: Element | null = one; at && !tabwright.isInside(el, at); at = tabwright.flatParent(at))
    if (isLaid(at)) return true;
  // What is added to the page is often a bare wrapper of the part that lies over it.
  if (flatTree(one).slice(0, 6).some(isLaid)) return true;
  return flatTree(one).some(isList);
}

/** What can be chosen in the lists of the widget, as far as roles tell. */
export function optionsOf(el: Element): Element[] {
  const isOption = (one: Element): boolean =>
    /^(option|treeitem|menuitem|menuitemradio|menuitemcheckbox|radio)$/.test(roleOf(one)) ||
    (one instanceof HTMLInputElement && one.type === 'radio');
  const found = popupsOf(el).flatMap(flatTree).filter(isOption);
  return found.filter((one, at) => found.indexOf(one) === at && (one instanceof HTMLInputElement || isShown(one)));
}

export function labelOf(option: Element): string {
  const label = tabwright.method(option, 'getAttribute', 'aria-label');
  if (label) return oneLine(label);
  if (option instanceof HTMLInputElement)
    return oneLine([...(option.labels ?? [])].map(one => flatText(one)).join(' '));
  const byIds = named(option, 'aria-labelledby').map(one => flatText(one));
  const groups = [...option.children].filter(child => /^(group|tree)$/.test(roleOf(child)));
  return byIds.length > 0 ? oneLine(byIds.join(' ')) : flatText(option, groups);
}

/** The option that is meant: by its label, by its value, by its place; else what bears exactly these words inside the list. */
export function optionOf(el: Element, { by, wanted }: OptionAsk): Element | null {
  const options = optionsOf(el);
  if (by === 'index') return options[Number(wanted)] ?? null;
  const words = oneLine(wanted).toLowerCase();
  const isValue = (one: Element) =>
    ['data-value', 'value'].some(name => tabwright.method(one, 'getAttribute', name) === wanted);
  const byValue = by === 'label' ? undefined : options.find(isValue);
  const exact = options.find(one => labelOf(one) === oneLine(wanted));
  const found = byValue ?? exact ?? options.find(one => labelOf(one).toLowerCase() === words);
  if (found) return found;
  // An option with more words than its name, or a list without roles: the innermost element that says just this.
  const said = popupsOf(el)
    .flatMap(flatTree)
    .filter(one => flatText(one).toLowerCase() === words && isShown(one));
  return said[said.length - 1] ?? null;
}

/** What the list offers now, after so many frames. */
export async function offers(el: Element, frames: number): Promise<Offer> {
  for (let left = frames; left > 0; left--) await tabwright.nextFrame();
  const popups = popupsOf(el);
  const isOpen = tabwright.method(el, 'getAttribute', 'aria-expanded') !== 'false' && popups.length > 0;
  const labels = optionsOf(el).slice(0, 30).map(labelOf);
  return { isOpen, labels, isSearchable: searchField(el) !== null };
}

/** The field with the focus, when it is the widget's own or in its list, and takes text. */
export function searchField(el: Element): HTMLInputElement | null {
  let at = document.activeElement;
  while (at && tabwright.property(at, 'shadowRoot')?.activeElement)
    at = tabwright.property(at, 'shadowRoot')!.activeElement;
  const isField = at instanceof HTMLInputElement && !at.readOnly && tabwright.kindOfInput(at.type) === 'text';
  const isOurs = isField && [el, ...popupsOf(el)].some(one => tabwright.isInside(at, one));
  return isOurs ? (at as HTMLInputElement) : null;
}

/**
 * Waits until the list has come to rest: what opens with an animation often takes no click before its end, and scrolling it
 * into view meanwhile begins the animation anew. An option that stays covered may have to be scrolled to.
 */
export async function atRest(option: Element): Promise<void> {
  const end = performance.now() + 1000;
  let before = tabwright.rectOf(option);
  for (let still = 0; still < 10 && performance.now() < end; ) {
    await tabwright.nextFrame();
    const { top, left } = tabwright.rectOf(option);
    still = before.top === top && before.left === left && !tabwright.isAnimated(option) ? still + 1 : 0;
    before = tabwright.rectOf(option);
    if (still > 0 && tabwright.isUncovered(option)) return;
  }
}

/** Whether the option is off, chosen or folded. */
export function optionState(option: Element): { isDisabled: boolean; isChosen: boolean; isFolded: boolean } {
  const is = (name: string, value: string) => tabwright.method(option, 'getAttribute', name) === value;
  return {
    isDisabled: tabwright.isDisabled(option),
    isChosen:
      is('aria-selected', 'true') ||
      is('aria-checked', 'true') ||
      (option instanceof HTMLInputElement && option.checked),
    isFolded: is('aria-expanded', 'false'),
  };
}

/** What unfolds an item of a tree: the first part of it that can be clicked and says nothing. */
export function unfolderOf(item: Element): Element | null {
  const [, ...parts] = flatTree(item);
  return parts.find(one => isShown(one) && flatText(one) === '' && getComputedStyle(one).cursor === 'pointer') ?? null;
}

/** Scrolls the list by a page; says whether it moved. */
export async function scrollOptions(el: Element): Promise<boolean> {
  for (const box of popupsOf(el).flatMap(flatTree)) {
    if (tabwright.scrollOf(box).maxY < 2 || getComputedStyle(box).overflowY === 'visible') continue;
    const before = tabwright.scrollOf(box).y;
    tabwright.method(
      box as { scrollBy(x: number, y: number): void },
      'scrollBy',
      0,
      tabwright.scrollOf(box).height * 0.9,
    );
    for (let left = 2; left > 0; left--) await tabwright.nextFrame();
    if (tabwright.scrollOf(box).y > before) return true;
  }
  return false;
}

/** What a reader sees in the widget, without its list: values of fields and text around it, up to the next field. */
export function shows(el: Element): string {
  const isField = (one: Element) =>
    /^(input|textarea|select)$/.test(one.localName) || /^(combobox|listbox|radiogroup|slider)$/.test(roleOf(one));
  let frame = el;
  for (let up = 0; up < 4; up++) {
    const parent = tabwright.flatParent(frame);
    const inside = flatTree(frame);
    if (
      !parent ||
      parent === document.body ||
      flatTree(parent).some(one => isField(one) && isShown(one) && !inside.includes(one))
    )
      break;
    frame = parent;
  }
  const popups = popupsOf(el).filter(one => one !== el);
  const values = flatTree(frame).map(one => (one instanceof HTMLInputElement && one.type !== 'radio' ? one.value : ''));
  const marks = flatTree(frame)
    .filter(one => optionState(one).isChosen)
    .map(labelOf);
  return oneLine([...values, flatText(frame, popups), ...marks].join(' '));
}

/** It has options of its own. */
export function isList(el: Element): boolean {
  return /^(listbox|radiogroup|tree|menu|grid)$/.test(roleOf(el));
}

/** Takes the focus away: fields take their value then, and lists close. */
export function leave(el: HTMLElement): void {
  const active = searchField(el) ?? el;
  tabwright.method(active, 'blur');
}

/** It is, or names, something that opens a list of options. */
export function opensList(el: Element): boolean {
  if (el instanceof HTMLSelectElement) return false;
  const popup = tabwright.method(el, 'getAttribute', 'aria-haspopup') ?? '';
  return roleOf(el) === 'combobox' || /^(listbox|tree|grid)$/.test(popup);
}
