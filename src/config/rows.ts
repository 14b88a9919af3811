// A list of tables in a file, such as the tokens: only keys that are known, each value of its kind.
import { brief, type NamedFile, wrong } from './document.ts';
import type { Entry } from './formats/entry.ts';
import { type OptionKind, readNative, type Surroundings } from './kinds.ts';
import { nearest } from './nearest.ts';

export type TableShape = Readonly<Record<string, OptionKind<unknown>>>;

export type TableRow<S extends TableShape> = { [K in keyof S]?: S[K] extends OptionKind<infer T> ? T : never };

/** Most tables in one list. */
const MOST_ROWS = 10_000;

export function readRows<S extends TableShape>(
  entry: Entry,
  shape: S,
  file: NamedFile,
  place: Surroundings,
): TableRow<S>[] {
  const { value } = entry;
  if (!Array.isArray(value)) throw wrong(file, entry.line(), `${entry.key} ${brief(value)}: expected a list.`);
  if (value.length > MOST_ROWS) throw wrong(file, entry.line(), `${entry.key} has more than ${MOST_ROWS} items.`);
  return value.map((item, index) => readRow(entry, index, item, shape, file, place));
}

function readRow<S extends TableShape>(
  entry: Entry,
  index: number,
  item: unknown,
  shape: S,
  file: NamedFile,
  place: Surroundings,
): TableRow<S> {
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
  return row as TableRow<S>;
}

function suggestion(key: string, shape: TableShape): string {
  const names = Object.keys(shape);
  const [close] = nearest(key.slice(0, 100), names);
  return close ? `Did you mean ${close}?` : `Keys: ${names.join(', ')}.`;
}
