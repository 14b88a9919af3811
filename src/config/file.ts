// The config file: where it is looked for, and what it may say.
import { lstatSync, realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { Failure } from '../errors.ts';
import { Broken, type Entry, type Parse } from './formats/entry.ts';
import type { Place } from './kinds.ts';
import { nearest } from './nearest.ts';
import {
  envOf,
  flagOf,
  type Layer,
  type Option,
  type OptionKey,
  optionKeys,
  optionOf,
  settingsFolder,
} from './options.ts';

const NAME = 'tabwright.config';
/** By the ending of the file's name; a parser is loaded only when there is a file to read. */
const FORMATS: ReadonlyMap<string, () => Promise<{ parse: Parse }>> = new Map([
  ['.yaml', () => import('./formats/yaml.ts')],
  ['.yml', () => import('./formats/yaml.ts')],
  ['.toml', () => import('./formats/toml.ts')],
  ['.json', () => import('./formats/json.ts')],
]);
const ENDINGS = [...FORMATS.keys()];
const MOST_BYTES = 1_000_000;

export interface FileLayer {
  path: string;
  layer: Layer;
}

interface Found {
  path: string;
  /** False for a file of the working folder: whoever made that folder may not be the user. */
  trusted: boolean;
}

const kebabOf = (key: string): string => flagOf(key).slice(2);

/** Each key in both spellings. */
const BY_NAME = new Map(optionKeys.flatMap(key => [key, kebabOf(key)].map(name => [name, key] as const)));

/** The files that apply, the weakest first: the one that is named, else those of the user and of the working folder. */
export async function readFiles(named: string | undefined, place: Place): Promise<FileLayer[]> {
  const layers: FileLayer[] = [];
  for (const file of named ? [{ path: named, trusted: true }] : find(place))
    layers.push({ path: file.path, layer: await readOne(file, place) });
  return layers;
}

/** The folder in which a user keeps the config file. */
export const userFolder = (place: Place): string => join(settingsFolder(place), 'tabwright');

function find(place: Place): Found[] {
  const user = findIn(userFolder(place), place);
  const working = findIn(place.cwd, place);
  const isSame = user && working && realpathOf(user) === realpathOf(working);
  return [
    ...(user ? [{ path: user, trusted: true }] : []),
    ...(working && !isSame ? [{ path: working, trusted: false }] : []),
  ];
}

function findIn(folder: string, place: Place): string | undefined {
  const paths = ENDINGS.map(ending => resolve(folder, NAME + ending)).filter(isThere);
  if (paths.length <= 1) return paths[0];
  const names = paths.map(path => shown(path, place)).join(' and ');
  throw new Failure('bad_input', `There are several config files: ${names}.`, 'Keep one of them.');
}

/** Asked at every start: without a thread of its own this takes microseconds. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    if (hasCode(cause, 'ENOTDIR')) return false;
    const what = `Cannot look for the config file ${path}: ${reason(cause)}.`;
    throw new Failure('file_error', what, 'Name a config file with --config.', { cause });
  }
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A link to nothing is told when it is read.
    return path;
  }
}

async function readOne(file: Found, place: Place): Promise<Layer> {
  const format = FORMATS.get(extname(file.path).toLowerCase());
  if (!format)
    throw new Failure(
      'bad_input',
      `${shown(file.path, place)} is no config file.`,
      `Its name must end in ${ENDINGS.join(', ')}.`,
    );
  const text = await readText(file.path, place);
  const { parse } = await format();
  try {
    return readEntries(parse(text), file, place);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Where something is missing at the end, parsers point behind the last line.
    const last = text.trimEnd().split('\n').length;
    const line = error instanceof Broken && error.line ? Math.min(error.line, last) : undefined;
    throw wrong(file, place, line, `${firstLine(error)}.`, undefined, error);
  }
}

async function readText(path: string, place: Place): Promise<string> {
  const name = shown(path, place);
  const bytes = await bytesOf(path).catch(cause => {
    if (hasCode(cause, 'ENOENT'))
      throw new Failure('bad_input', `There is no config file ${name}.`, undefined, { cause });
    throw new Failure('file_error', `Cannot read the config file ${name}: ${reason(cause)}.`, undefined, { cause });
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

function readEntries(entries: readonly Entry[], file: Found, place: Place): Layer {
  const layer: Record<string, unknown> = {};
  const seen = new Map<OptionKey, Entry>();
  // A relative path starts at the folder of the file.
  const from = { ...place, cwd: dirname(file.path) };
  for (const entry of entries) {
    const fail = (what: string, hint?: string) => wrong(file, place, entry.line(), what, hint);
    const key = BY_NAME.get(entry.key);
    if (!key) throw fail(`unknown key ${brief(entry.key)}.`, suggestion(entry.key));
    const before = seen.get(key);
    if (before) throw fail(`${entry.key} stands twice.`, `The first is ${before.key} in line ${before.line()}.`);
    seen.set(key, entry);
    const row = optionOf(key);
    if (row.notInFile)
      throw fail(`${entry.key} cannot stand in a config file.`, `Give ${flagOf(key)} or ${envOf(key)}.`);
    if (row.trusted && !file.trusted) throw fail(...untrusted(entry.key, key, place));
    const value = readNative(row.kind, entry.value, from);
    if (value === undefined) throw fail(`${entry.key} ${brief(entry.value)}: expected ${row.kind.expected}.`);
    layer[key] = value;
  }
  return layer;
}

/** A value of a file: text as on the command line, or what the format itself can say. Undefined when it is no good. */
function readNative(kind: Option['kind'], value: unknown, place: Place): unknown {
  const texts = typeof value === 'string' ? (kind.repeat?.split(value) ?? [value]) : kind.native?.(value);
  const values = texts?.map(text => kind.read(text, place));
  if (!values || values.includes(undefined)) return undefined;
  return Array.isArray(value) || kind.repeat ? values.flat() : values[0];
}

function suggestion(name: string): string {
  const [close] = nearest(name.slice(0, 100), BY_NAME.keys());
  return close ? `Did you mean ${close}?` : 'All options: tabwright --help';
}

const untrusted = (name: string, key: OptionKey, place: Place): [string, string] => [
  `${name} is not taken from the working folder, because it says what runs on this machine or who may reach it.`,
  `It may stand in ${join(userFolder(place), NAME)}.yaml, in a file named by --config, in ${envOf(key)} or behind ${flagOf(key)}.`,
];

function wrong(file: Found, place: Place, line: number | undefined, what: string, hint?: string, cause?: unknown) {
  const where = [shown(file.path, place), ...(line ? [line] : [])].join(':');
  return new Failure('bad_input', `${where}: ${what}`, hint, { cause });
}

/** Short within the working folder. */
function shown(path: string, { cwd }: Place): string {
  const short = relative(cwd, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join().replace(/\.$/, '');

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** "permission denied" of "EACCES: permission denied, open '…'". */
export const reason = (error: unknown): string => firstLine(error).replace(/^[A-Z]+: ([^,]+),.*$/, '$1');
