// The config file: where it is searched, and which options it may set.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Failure } from '../errors.ts';
import { briefJson, ENDINGS, fileFailure, hasCode, type NamedFile, readEntries, reason } from './document.ts';
import { type Environment, settingsFolder } from './environment.ts';
import type { FileEntry } from './formats/entry.ts';
import { readNative } from './kinds.ts';
import { suggestion } from './nearest.ts';
import { envOf, flagOf, type Layer, type OptionKey, optionKeys, optionOf } from './options.ts';

const NAME = 'tabwright.config';

interface Found {
  path: string;
  /** False for a file of the working folder: whoever made that folder may not be the user. */
  trusted: boolean;
}

export interface FileLayer extends Found {
  layer: Layer;
}

const ALL_OPTIONS = 'All options: tabwright --help';

const kebabOf = (key: string): string => flagOf(key).slice(2);

/** Each key in both spellings. */
const BY_NAME = new Map(optionKeys.flatMap(key => [key, kebabOf(key)].map(name => [name, key] as const)));

/** The files that apply, the weakest first: the one that is named, else those of the user and of the working folder. */
export async function readFiles(named: string | undefined, environment: Environment): Promise<FileLayer[]> {
  const layers: FileLayer[] = [];
  for (const file of named ? [{ path: named, trusted: true }] : find(environment))
    layers.push({ ...file, layer: await readOne(file, environment) });
  return layers;
}

/** The folder in which a user keeps the config file. */
const userFolder = (environment: Environment): string => join(settingsFolder(environment), 'tabwright');

function find(environment: Environment): Found[] {
  const user = findIn(userFolder(environment), environment);
  const working = findIn(environment.cwd, environment);
  const isSame = user && working && realpathOf(user) === realpathOf(working);
  return [
    ...(user ? [{ path: user, trusted: true }] : []),
    ...(working && !isSame ? [{ path: working, trusted: false }] : []),
  ];
}

function findIn(folder: string, environment: Environment): string | undefined {
  const paths = ENDINGS.map(ending => resolve(folder, NAME + ending)).filter(isThere);
  if (paths.length <= 1) return paths[0];
  const names = paths.map(path => displayPath(path, environment)).join(' and ');
  throw new Failure('bad_input', `There are several config files: ${names}.`, 'Keep one of them.');
}

/** Runs at every start: the synchronous call takes microseconds, an asynchronous one needs a thread. */
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
    // A dangling link is reported when the file is read.
    return path;
  }
}

async function readOne(found: Found, environment: Environment): Promise<Layer> {
  const file: NamedFile = { path: found.path, name: displayPath(found.path, environment), what: 'config file' };
  return layerOf(await readEntries(file), file, found.trusted, environment);
}

function layerOf(entries: readonly FileEntry[], file: NamedFile, trusted: boolean, environment: Environment): Layer {
  const layer: Record<string, unknown> = {};
  const seen = new Map<OptionKey, FileEntry>();
  // A relative path starts at the folder of the file.
  const from = { ...environment, cwd: dirname(file.path) };
  for (const entry of entries) {
    const fail = (what: string, hint?: string) => fileFailure(file, entry.line(), what, hint);
    const key = BY_NAME.get(entry.key);
    if (!key) throw fail(`unknown key ${briefJson(entry.key)}.`, suggestion(entry.key, BY_NAME.keys(), ALL_OPTIONS));
    const before = seen.get(key);
    if (before) throw fail(`${entry.key} stands twice.`, `The first is ${before.key} in line ${before.line()}.`);
    seen.set(key, entry);
    const option = optionOf(key);
    if (option.notInFile)
      throw fail(`${entry.key} cannot stand in a config file.`, `Give ${flagOf(key)} or ${envOf(key)}.`);
    if (option.trusted && !trusted) throw fail(...untrusted(entry.key, key, environment));
    const value = readNative(option.kind, entry.value, from);
    if (value === undefined) throw fail(`${entry.key} ${briefJson(entry.value)}: expected ${option.kind.expected}.`);
    layer[key] = value;
  }
  return layer;
}

const untrusted = (name: string, key: OptionKey, environment: Environment): [string, string] => [
  `${name} is not taken from the working folder, because it says what runs on this machine or who may reach it.`,
  `It may stand in ${join(userFolder(environment), NAME)}.yaml, in a file named by --config, in ${envOf(key)} or behind ${flagOf(key)}.`,
];

/** Relative to the working folder when the file is inside it. */
function displayPath(path: string, { cwd }: Environment): string {
  const short = relative(cwd, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
