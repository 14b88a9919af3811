// Runs inside the page, in our own script world: scrolls lists on, step by step, until a text is shown or a number of rows is gathered.
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

export interface GatherAsk {
  rows: number;
  ms: number;
}

export interface GatheredRows {
  /** The names of the columns; none where the page has none. */
  head: string[];
  /** Cells of each row; a row without cells is one cell. */
  rows: string[][];
  /** There are no more rows. */
  ended: boolean;
}

interface FoundRow {
  /** Its number in the whole list, where the page says it. */
  index: number | undefined;
  /** From the top of all rows, in CSS pixels. */
  top: number;
  height: number;
  cells: string[];
}

/** From the first row on, in the list that holds the most; the list is then scrolled back to where it was. */
export async function gatherRows(el: Element, { rows: most, ms }: GatherAsk): Promise<GatheredRows> {
  const lists = scrollersFor(el);
  const list = lists.find(at => at !== tabwright.pageScroller() && rowsIn(at).length > 1) ?? lists[0] ?? el;
  const within = rowsIn(list).length > 0 ? list : el;
  const { y, height } = tabwright.scrollOf(list);
  const end = performance.now() + ms;
  const found: FoundRow[] = [];
  let ended = false;
  try {
    // Where it stands: most lists that are asked for have not been scrolled.
    if (y > 0) await scrolledTo(list, 0);
    for (;;) {
      addRows(found, within, list);
      if (found.length >= most || performance.now() > end) break;
      if (await stepOn(list, false, end)) continue;
      ended = performance.now() < end;
      break;
    }
  } finally {
    if (height > 0) await scrolledTo(list, y);
  }
  const rows = found.sort((one, two) => (one.index ?? one.top) - (two.index ?? two.top)).map(({ cells }) => cells);
  return { head: headOf(list), rows: rows.slice(0, most), ended: ended && rows.length <= most };
}

export async function scrolledTo(list: Element, top: number): Promise<void> {
  list.scrollTo({ top, behavior: 'instant' });
  await tabwright.nextFrame();
  await tabwright.nextFrame();
}

/** Adds the rows that are in the document now and are not known yet; parts of one row in several columns of the page are one row. */
export function addRows(found: FoundRow[], within: Element, list: Element): void {
  // The box of the page itself moves when it is scrolled.
  const { top: start } = tabwright.rectOf(list);
  const from = list === tabwright.pageScroller() ? start : start - tabwright.scrollOf(list).y;
  const now: FoundRow[] = [];
  for (const el of rowsIn(within)) {
    const { top, height } = tabwright.rectOf(el);
    const cells = cellsIn(el);
    if (height === 0 || cells.every(cell => cell === '')) continue;
    const row: FoundRow = { index: indexOf(el), top: top - from, height, cells };
    const part = now.find(other => row.index !== undefined && other.index === row.index);
    if (part) part.cells.push(...cells);
    else now.push(row);
  }
  found.push(...now.filter(row => !found.some(other => isSameRow(row, other))));
}

/** Rows whose height the list only guessed move a little when it is known. */
export function isSameRow(one: FoundRow, two: FoundRow): boolean {
  if (one.index !== undefined && two.index !== undefined) return one.index === two.index;
  return Math.abs(one.top - two.top) < one.height / 2 && one.cells.join('\n') === two.cells.join('\n');
}

/** Elements that are rows by what they are called; else the children of the element that has the most of one kind. */
export function rowsIn(list: Element): Element[] {
  for (const kind of ['[role="row"], tr', '[role="listitem"], li', '[role="option"]', '[role="treeitem"]', 'article']) {
    const all = [...list.querySelectorAll(kind)].filter(el => tabwright.isRendered(el));
    const rows = all.filter(el => !el.matches(':has([role="columnheader"], thead th), thead *'));
    if (rows.length > 1) return rows;
  }
  let best: Element[] = [];
  for (const el of [list, ...list.querySelectorAll('div, section')].slice(0, 2_000)) {
    const [first, ...others] = [...el.children].filter(kid => tabwright.isRendered(kid));
    const alike = first ? [first, ...others.filter(kid => kid.className === first.className)] : [];
    if (alike.length > best.length && alike.length > 2) best = alike;
  }
  return best;
}

export function indexOf(row: Element): number | undefined {
  for (const name of ['aria-rowindex', 'row-index', 'aria-posinset', 'data-index']) {
    const written = tabwright.method(row, 'getAttribute', name);
    if (written !== null && /^\d+$/.test(written)) return Number(written);
  }
  return undefined;
}

export function cellsIn(row: Element): string[] {
  const cells = [...row.querySelectorAll('[role="gridcell"], [role="cell"], [role="rowheader"], td, th')];
  return (cells.length > 0 ? cells : [row]).map(cell => plainWords(cell));
}

export function plainWords(el: Element): string {
  const text = el instanceof HTMLElement ? el.innerText : (el.textContent ?? '');
  return text.replace(/\s+/g, ' ').trim();
}

/** The heads of the columns of the table that the rows are in. */
export function headOf(list: Element): string[] {
  const table = list.closest('table, [role="table"], [role="grid"], [role="treegrid"]') ?? list;
  const heads = [...table.querySelectorAll('[role="columnheader"], thead th')].filter(el => tabwright.isRendered(el));
  const words = heads.map(el => plainWords(el));
  return words.some(word => word !== '') ? words : [];
}
