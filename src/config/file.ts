// The config file: where it is looked for, and what it may say.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Failure } from '../errors.ts';
import { briefJson, ENDINGS, fileFailure, hasCode, type NamedFile, readEntries, reason } from './document.ts';
import { type Environment, settingsFolder } from './environment.ts';
import type { FileEntry } from './formats/entry.ts';
import { readNative } from './kinds.ts';
import { nearest } from './nearest.ts';
import { envOf, flagOf, type Layer, type OptionKey, optionKeys, optionOf } from './options.ts';

const NAME = 'tabwright.config';

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
export async function readFiles(named: string | undefined, place: Environment): Promise<FileLayer[]> {
  const layers: FileLayer[] = [];
  for (const file of named ? [{ path: named, trusted: true }] : find(place))
    layers.push({ path: file.path, layer: await readOne(file, place) });
  return layers;
}

/** The folder in which a user keeps the config file. */
export const userFolder = (place: Environment): string => join(settingsFolder(place), 'tabwright');

function find(place: Environment): Found[] {
  const user = findIn(userFolder(place), place);
  const working = findIn(place.cwd, place);
  const isSame = user && working && realpathOf(user) === realpathOf(working);
  return [
    ...(user ? [{ path: user, trusted: true }] : []),
    ...(working && !isSame ? [{ path: working, trusted: false }] : []),
  ];
}

function findIn(folder: string, place: Environment): string | undefined {
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

async function readOne(found: Found, place: Environment): Promise<Layer> {
  const file: NamedFile = { path: found.path, name: shown(found.path, place), what: 'config file' };
  return layerOf(await readEntries(file), file, found.trusted, place);
}

function layerOf(entries: readonly FileEntry[], file: NamedFile, trusted: boolean, place: Environment): Layer {
  const layer: Record<string, unknown> = {};
  const seen = new Map<OptionKey, FileEntry>();
  // A relative path starts at the folder of the file.
  const from = { ...place, cwd: dirname(file.path) };
  for (const entry of entries) {
    const fail = (what: string, hint?: string) => fileFailure(file, entry.line(), what, hint);
    const key = BY_NAME.get(entry.key);
    if (!key) throw fail(`unknown key ${briefJson(entry.key)}.`, suggestion(entry.key));
    const before = seen.get(key);
    if (before) throw fail(`${entry.key} stands twice.`, `The first is ${before.key} in line ${before.line()}.`);
    seen.set(key, entry);
    const row = optionOf(key);
    if (row.notInFile)
      throw fail(`${entry.key} cannot stand in a config file.`, `Give ${flagOf(key)} or ${envOf(key)}.`);
    if (row.trusted && !trusted) throw fail(...untrusted(entry.key, key, place));
    const value = readNative(row.kind, entry.value, from);
    if (value === undefined) throw fail(`${entry.key} ${briefJson(entry.value)}: expected ${row.kind.expected}.`);
    layer[key] = value;
  }
  return layer;
}

function suggestion(name: string): string {
  const [close] = nearest(name.slice(0, 100), BY_NAME.keys());
  return close ? `Did you mean ${close}?` : 'All options: tabwright --help';
}

const untrusted = (name: string, key: OptionKey, place: Environment): [string, string] => [
  `${name} is not taken from the working folder, because it says what runs on this machine or who may reach it.`,
  `It may stand in ${join(userFolder(place), NAME)}.yaml, in a file named by --config, in ${envOf(key)} or behind ${flagOf(key)}.`,
];

/** Short within the working folder. */
function shown(path: string, { cwd }: Environment): string {
  const short = relative(cwd, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
