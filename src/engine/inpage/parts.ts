// Runs inside the page, in our own script world: sliders, calendars, and fields made of parts: boxes of a code, spin buttons of a date.
// Self-contained: these functions are sent as text, so they use nothing but each other and the DOM.

import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

export function sliderOf(el: Element): { now: string; min: number; max: number } {
  const attribute = (name: string): string => tabwright.method(el, 'getAttribute', name) ?? '';
  return {
    now: attribute('aria-valuenow'),
    min: Number(attribute('aria-valuemin') || 0),
    max: Number(attribute('aria-valuemax') || 100),
  };
}

/** The boxes of a code, or the parts of a date or a time, when there is nothing else to fill in it. */
export function partsOf(el: Element): HTMLElement[] {
  if (/^(input|textarea|select|body|html)$/.test(el.localName)) return [];
  const isPart = (one: Element): boolean =>
    one instanceof HTMLInputElement ? isBox(one) : tabwright.roleOf(one) === 'spinbutton' && one instanceof HTMLElement;
  const isField = (one: Element): boolean =>
    /^(input|textarea|select)$/.test(one.localName) || tabwright.roleOf(one) === 'spinbutton';
  const fields = tabwright.flatTree(el).filter(one => isField(one) && tabwright.isShown(one));
  return fields.length < 13 && fields.every(isPart) ? (fields as HTMLElement[]) : [];
}

/** A field for one or two characters. */
export function isBox(field: HTMLInputElement): boolean {
  const { width, height } = tabwright.rectOf(field);
  return (
    (field.maxLength > 0 && field.maxLength < 3) || (field.autocomplete === 'one-time-code' && width < height * 1.5)
  );
}

export function sizeOf(box: HTMLInputElement): number {
  return Math.max(1, box.maxLength);
}

/** What holds all boxes of the code that this one is of. */
export function boxesAround(el: Element): Element | null {
  let at = el instanceof HTMLInputElement && isBox(el) ? tabwright.flatParent(el) : null;
  for (let up = 0; at && up < 4; up++, at = tabwright.flatParent(at)) if (partsOf(at).length > 1) return at;
  return null;
}

export function partAt(el: Element, index: number): Element | null {
  return partsOf(el)[index] ?? null;
}

export interface PartSeen {
  /** What its label says it is, or what its bounds tell. */
  is: string;
  value: string;
  /** Characters that it takes; 0 for a spin button. */
  size: number;
}

export function partsSeen(el: Element): PartSeen[] {
  return partsOf(el).map(part => {
    const [type, label, max] = ['data-type', 'aria-label', 'aria-valuemax'].map(
      name => tabwright.method(part, 'getAttribute', name) ?? '',
    );
    const word =
      /year|month|day ?period|am.?pm|day|hour|minute|second/i.exec(`${type} ${label}`)?.[0].toLowerCase() ?? '';
    const byMax = { 12: 'month', 23: 'hour', 59: 'minute' }[Number(max)] ?? (Number(max) > 31 ? 'year' : 'day');
    return { is: word || byMax, value: valueOfPart(part), size: part instanceof HTMLInputElement ? sizeOf(part) : 0 };
  });
}

export function partValues(el: Element): string {
  return partsOf(el).map(valueOfPart).join('');
}

export function valueOfPart(part: Element): string {
  return part instanceof HTMLInputElement
    ? part.value
    : (tabwright.method(part, 'getAttribute', 'aria-valuenow') ?? '');
}

/** A day; the month counts from 0. */
export interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

/** Names of months, in lower case and without a dot → their place. Kept: making them takes long. */
export function monthNames(): Map<string, number> {
  const world = globalThis as unknown as Record<symbol, Map<string, number> | undefined>;
  const known = world[Symbol.for('months')];
  if (known) return known;
  const names = new Map<string, number>();
  for (const lang of ['en', document.documentElement.lang || 'en'])
    for (const month of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(lang, { month });
      for (let at = 0; at < 12; at++)
        names.set(
          format
            .format(new Date(2026, at, 1))
            .toLowerCase()
            .replace(/\.$/, ''),
          at,
        );
    }
  world[Symbol.for('months')] = names;
  return names;
}

/** The month that a word means, in English or in the language of the page; -1 for none. */
export function monthOf(word: string): number {
  return monthNames().get(word.toLowerCase().replace(/\.$/, '')) ?? -1;
}

/** `2026-05-20`, `May 20th, 2026`, `20 May 2026`. */
export function dateIn(text: string): CalendarDate | undefined {
  const [, year, month, day] = /(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text) ?? [];
  if (year) return { year: Number(year), month: Number(month) - 1, day: Number(day) };
  const [, word = '', first] = /(\p{L}{3,}\.?) (\d{1,2})(?:st|nd|rd|th)?\b/u.exec(text) ?? [];
  const [, second, other = ''] = /\b(\d{1,2})\.? (?:de )?(\p{L}{3,}\.?)/u.exec(text) ?? [];
  const [at, number] = monthOf(word) >= 0 ? [monthOf(word), first] : [monthOf(other), second];
  const [, written] = /\b(\d{4})\b/.exec(text) ?? [];
  return at < 0 || !written ? undefined : { year: Number(written), month: at, day: Number(number) };
}

/** The days that a calendar shows, with their dates: by what each says of itself, else by the month at its top. */
export function daysIn(calendar: Element): { el: Element; date: CalendarDate }[] {
  const all = tabwright.flatTree(calendar);
  const numberOf = (el: Element) => tabwright.flatText(el);
  const days = all.filter(
    el => el.childElementCount < 2 && /^([1-9]|[12]\d|3[01])$/.test(numberOf(el)) && tabwright.isShown(el),
  );
  const shown = monthShown(calendar);
  return days.flatMap(el => {
    const around = [el, el.parentElement ?? el];
    const said = around.flatMap(one =>
      ['aria-label', 'title', 'data-date', 'data-day', 'data-value'].map(name => one.getAttribute(name) ?? ''),
    );
    const own = said.map(dateIn).find(date => date?.day === Number(numberOf(el)));
    // Days of the months before and after.
    const isOther = around.some(one => /other|outside|muted|(prev|next)-?month/i.test(one.getAttribute('class') ?? ''));
    const date = own ?? (shown && !isOther ? { ...shown, day: Number(numberOf(el)) } : undefined);
    return date ? [{ el, date }] : [];
  });
}

/** `May 2026` in its text or its lists. */
export function monthShown(calendar: Element): { year: number; month: number } | undefined {
  const fields = tabwright.flatTree(calendar).map(el => {
    if (el instanceof HTMLSelectElement) return el.selectedOptions[0]?.text ?? '';
    return el instanceof HTMLInputElement ? el.value : '';
  });
  const text = `${tabwright.flatText(calendar)} ${fields.join(' ')}`;
  const month = (text.match(/\p{L}{3,}/gu) ?? []).map(monthOf).find(at => at >= 0);
  const year = /\b(19|20)\d\d\b/.exec(text)?.[0];
  return month === undefined || !year ? undefined : { year: Number(year), month };
}

/** The element of that day in the calendar of the field. */
export function calendarDay(el: Element, { year, month, day }: CalendarDate): Element | null {
  const calendar = tabwright.calendarOf(el);
  const days = calendar ? daysIn(calendar) : [];
  return days.find(({ date }) => date.year === year && date.month === month && date.day === day)?.el ?? null;
}

/** What turns the calendar to the month after or before, whichever is nearer to the date; none when it shows that month. */
export function calendarTurner(el: Element, { year, month }: CalendarDate): Element | null {
  const calendar = tabwright.calendarOf(el);
  const days = calendar ? daysIn(calendar) : [];
  const middle = days[Math.floor(days.length / 2)]?.date ?? (calendar && monthShown(calendar));
  const by = middle ? year * 12 + month - middle.year * 12 - middle.month : 0;
  if (!calendar || by === 0) return null;
  const words =
    by > 0 ? /next|forward|right|\u203a|\u00bb|\u25b6|\u2192/i : /prev|back|left|\u2039|\u00ab|\u25c0|\u2190/i;
  const saysOf = (one: Element) =>
    `${['aria-label', 'title', 'class'].map(name => one.getAttribute(name) ?? '').join(' ')} ${tabwright.flatText(one).slice(0, 20)}`;
  const isButton = (one: Element) =>
    tabwright.isShown(one) && (one.matches('button, a, [role="button"]') || getComputedStyle(one).cursor === 'pointer');
  return (
    tabwright
      .flatTree(calendar)
      .find(one => isButton(one) && words.test(saysOf(one)) && !/year|decade|super|double/i.test(saysOf(one))) ?? null
  );
}
