// Masks secrets in text and data: [secret NAME] stands where a value stood.
import type { FindPlaces, Place } from './secret-forms.ts';

/** One secret, and where its value stands in a text. */
export interface MaskedSecret {
  name: string;
  find: FindPlaces;
}

const MOST_DEPTH = 1_000;

export class TextMask {
  constructor(readonly secrets: readonly MaskedSecret[]) {}

  text(text: string): string {
    return this.secrets.reduce((left, { name, find }) => replaced(left, find(left), `[secret ${name}]`), text);
  }

  /** A copy, or the data itself when there is nothing to mask. Names of properties are texts too. */
  data<T>(data: T): T {
    return this.#copy(data, 0) as T;
  }

  places(text: string): Place[] {
    return this.secrets.flatMap(({ find }) => find(text));
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    // No answer is as deep as that, and what cannot be looked at is not shown.
    if (depth > MOST_DEPTH) return '…';
    if (Array.isArray(value)) {
      const items = value.map(item => this.#copy(item, depth + 1));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    const before = Object.entries(value);
    const after = before.map(([key, item]): [string, unknown] => [this.text(key), this.#copy(item, depth + 1)]);
    const isSame = after.every(([key, item], at) => key === before[at]?.[0] && item === before[at]?.[1]);
    return isSame ? value : Object.fromEntries(after);
  }

  #number(value: number): unknown {
    const text = String(value);
    const masked = this.text(text);
    return masked === text ? value : masked;
  }
}

/** Places may overlap: in base64 a value is found in several forms. */
function replaced(text: string, places: readonly Place[], by: string): string {
  if (places.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const [begin, end] of places.toSorted(([one], [other]) => one - other)) {
    if (begin >= at) parts.push(text.slice(at, begin), by);
    at = Math.max(at, end);
  }
  return [...parts, text.slice(at)].join('');
}
