// A list of tables in a file, such as the tokens: only keys that are known, each value of its kind.
import { brief, type Named, wrong } from './document.ts';
import type { Entry } from './formats/entry.ts';
import { type Kind, type Place, readNative } from './kinds.ts';
import { nearest } from './nearest.ts';

export type Shape = Readonly<Record<string, Kind<unknown>>>;

export type Row<S extends Shape> = { [K in keyof S]?: S[K] extends Kind<infer T> ? T : never };

/** Most tables in one list. */
const MOST_ROWS = 10_000;

export function readRows<S extends Shape>(entry: Entry, shape: S, file: Named, place: Place): Row<S>[] {
  const { value } = entry;
  if (!Array.isArray(value)) throw wrong(file, entry.line(), `${entry.key} ${brief(value)}: expected a list.`);
  if (value.length > MOST_ROWS) throw wrong(file, entry.line(), `${entry.key} has more than ${MOST_ROWS} items.`);
  return value.map((item, index) => readRow(entry, index, item, shape, file, place));
}

function readRow<S extends Shape>(
  entry: Entry,
  index: number,
  item: unknown,
  shape: S,
  file: Named,
  place: Place,
): Row<S> {
  const fail = (key: string | undefined, what: string, hint?: string) =>
    wrong(file, entry.line(key === undefined ? [index] : [index, key]), what, hint);
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw fail(undefined, `${brief(item)}: expected keys with values.`, `Keys: ${Object.keys(shape).join(', ')}.`);
  const row: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(item)) {
    const kind = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!kind) throw fail(key, `unknown key ${brief(key)}.`, suggestion(key, shape));
    const value = readNative(kind, given, place);
    if (value === undefined)
      throw fail(key, `${key} ${kind.secret ? '' : `${brief(given)}: `}expected ${kind.expected}.`);
    row[key] = value;
  }
  return row as Row<S>;
}

function suggestion(key: string, shape: Shape): string {
  const names = Object.keys(shape);
  const [close] = nearest(key.slice(0, 100), names);
  return close ? `Did you mean ${close}?` : `Keys: ${names.join(', ')}.`;
}
