// Runs inside the page, in our own script world: sliders, and fields made of parts: boxes of a code, spin buttons of a date.
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
