// Files in YAML, TOML or JSON: their keys with values, lists of tables, and failures that name file and line.
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { ellipsis } from '../ellipsis.ts';
import { Failure } from '../errors.ts';
import type { Environment } from './environment.ts';
import { type FileEntry, FormatError, type Parse } from './formats/entry.ts';
import { type OptionKind, readNative } from './kinds.ts';
import { suggestion } from './nearest.ts';

/** By the ending of the file's name; a parser is loaded only when there is a file to read. */
const FORMATS: ReadonlyMap<string, () => Promise<{ parse: Parse }>> = new Map([
  ['.yaml', () => import('./formats/yaml.ts')],
  ['.yml', () => import('./formats/yaml.ts')],
  ['.toml', () => import('./formats/toml.ts')],
  ['.json', () => import('./formats/json.ts')],
]);
export const ENDINGS = [...FORMATS.keys()];
const MOST_BYTES = 1_000_000;

export interface NamedFile {
  path: string;
  /** How the path is shown. */
  name: string;
  /** What the file is, such as "config file". */
  what: string;
}

/** The keys of a file. A mistake is a Failure that names file and line. */
export async function readEntries(file: NamedFile): Promise<FileEntry[]> {
  const format = FORMATS.get(extname(file.path).toLowerCase());
  if (!format)
    throw new Failure('bad_input', `${file.name} is no ${file.what}.`, `Its name must end in ${ENDINGS.join(', ')}.`);
  const text = await readText(file);
  const { parse } = await format();
  try {
    return parse(text);
  } catch (error) {
    // Where something is missing at the end, parsers point behind the last line.
    const last = text.trimEnd().split('\n').length;
    const line = error instanceof FormatError && error.line ? Math.min(error.line, last) : undefined;
    throw fileFailure(file, line, `${firstLine(error)}.`, undefined, error);
  }
}

/** A Failure about a mistake in a file, with its line. */
export function fileFailure(
  { name }: NamedFile,
  line: number | undefined,
  what: string,
  hint?: string,
  cause?: unknown,
) {
  const where = [name, ...(line ? [line] : [])].join(':');
  return new Failure('bad_input', `${where}: ${what}`, hint, { cause });
}

async function readText({ path, name, what }: NamedFile): Promise<string> {
  const bytes = await bytesOf(path).catch(cause => {
    if (hasCode(cause, 'ENOENT')) throw new Failure('bad_input', `There is no ${what} ${name}.`, undefined, { cause });
    throw new Failure('file_error', `Cannot read the ${what} ${name}: ${reason(cause)}.`, undefined, { cause });
  });
  try {
    // A byte order mark is dropped.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Failure('bad_input', `${name} is not UTF-8 text.`, 'Save it as UTF-8.', { cause });
  }
}

async function bytesOf(path: string): Promise<Uint8Array> {
  const about = await stat(path);
  if (!about.isFile()) throw new Error('it is not a file');
  if (about.size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES / 1_000_000} MB`);
  return readFile(path);
}

/** A value of a file, short enough for a message. */
export function briefJson(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return ellipsis(text, 60);
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join().replace(/\.$/, '');

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** "permission denied" of "EACCES: permission denied, open '…'". */
export const reason = (error: unknown): string => firstLine(error).replace(/^[A-Z]+: ([^,]+),.*$/, '$1');

/** The keys that a table may have, each with the kind of its value. */
export type TableShape = Readonly<Record<string, OptionKind<unknown>>>;

export type TableOf<S extends TableShape> = { [K in keyof S]?: S[K] extends OptionKind<infer T> ? T : never };

/** Most tables in one list. */
const MOST_ROWS = 10_000;

export function readTables<S extends TableShape>(
  entry: FileEntry,
  shape: S,
  file: NamedFile,
  environment: Environment,
): TableOf<S>[] {
  const { value } = entry;
  if (!Array.isArray(value))
    throw fileFailure(file, entry.line(), `${entry.key} ${briefJson(value)}: expected a list.`);
  if (value.length > MOST_ROWS) throw fileFailure(file, entry.line(), `${entry.key} has more than ${MOST_ROWS} items.`);
  return value.map((item, index) => readRow(entry, index, item, shape, file, environment));
}

function readRow<S extends TableShape>(
  entry: FileEntry,
  index: number,
  item: unknown,
  shape: S,
  file: NamedFile,
  environment: Environment,
): TableOf<S> {
  const fail = (key: string | undefined, what: string, hint?: string) =>
    fileFailure(file, entry.line(key === undefined ? [index] : [index, key]), what, hint);
  const keys = `Keys: ${Object.keys(shape).join(', ')}.`;
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw fail(undefined, `${briefJson(item)}: expected keys with values.`, keys);
  const row: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(item)) {
    const kind = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!kind) throw fail(key, `unknown key ${briefJson(key)}.`, suggestion(key, Object.keys(shape), keys));
    const value = readNative(kind, given, environment);
    if (value === undefined)
      throw fail(key, `${key} ${kind.secret ? '' : `${briefJson(given)}: `}expected ${kind.expected}.`);
    row[key] = value;
  }
  return row as TableOf<S>;
}
