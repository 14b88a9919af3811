// Runs inside the page, in our own script world: scrolls lists on, step by step, until a text is shown or a number of rows was seen.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

export interface SeekAsk {
  /** In lower case, with single blanks. */
  text: string;
  up: boolean;
  ms: number;
}

export interface Sought {
  found: boolean;
  /** Everything was scrolled to its end. */
  ended: boolean;
}

/** What scrolls up and down: the element, or what is in it, or what it is in. */
export function scrollersFor(el: Element): Element[] {
  const canScroll = (at: Element) =>
    tabwright.scrollOf(at).maxY > 1 && (at === tabwright.pageScroller() || tabwright.scrollerOf(at, false) === at);
  if (canScroll(el) && el !== tabwright.pageScroller()) return [el];
  const area = (at: Element) => at.clientWidth * at.clientHeight;
  const inside = [...el.querySelectorAll('*')].filter(at => area(at) > 0 && canScroll(at) && !tabwright.isHidden(at));
  const largest = inside.sort((one, two) => area(two) - area(one)).slice(0, 4);
  if (canScroll(el)) return [el, ...largest];
  return largest.length > 0 ? largest : [tabwright.scrollerOf(el, false)];
}

/** Goes through each list until one shows the text. */
export async function seekText(el: Element, { text, up, ms }: SeekAsk): Promise<Sought> {
  const end = performance.now() + ms;
  const isShown = (list: Element) => shownText(list).includes(text);
  for (const list of scrollersFor(el)) {
    while (!isShown(list)) {
      if (performance.now() > end) return { found: false, ended: false };
      if (!(await stepOn(list, up, end))) break;
    }
    if (isShown(list)) return { found: true, ended: false };
  }
  return { found: false, ended: true };
}

export function shownText(list: Element): string {
  const text = list instanceof HTMLElement ? list.innerText : (list.textContent ?? '');
  return text.toLowerCase().replace(/\s+/g, ' ');
}

/** Most of a screen further; at the end waits a moment for more to be loaded. False when there is no more. */
export async function stepOn(list: Element, up: boolean, until: number): Promise<boolean> {
  const { y, height, maxY } = tabwright.scrollOf(list);
  list.scrollBy({ top: height * (up ? -0.9 : 0.9), behavior: 'instant' });
  await tabwright.nextFrame();
  await tabwright.nextFrame();
  const end = Math.min(until, performance.now() + 1_500);
  for (;;) {
    const now = tabwright.scrollOf(list);
    if (now.y !== y || now.maxY > maxY) return true;
    if (up || performance.now() > end) return false;
    await tabwright.nextFrame();
  }
}
