// The config file of Browsion, ~/.config/browsion/config.toml: what it says about its HTTP API, as options of ours.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../errors.ts';
import { briefJson, fileFailure, type NamedFile, readEntries } from '../document.ts';
import { type Environment, settingsFolder } from '../environment.ts';
import type { FileEntry } from '../formats/entry.ts';
import { type OptionKind, path, readNative, toggle, whole } from '../kinds.ts';
import type { Layer } from '../options.ts';

const PORT_VARIABLE = 'BROWSION_API_PORT';
const KEY_VARIABLE = 'BROWSION_API_KEY';

export interface BrowsionConfig {
  path: string;
  file: Layer;
  variables: Layer;
  variableOf(key: string): string;
  /** Keys of the file that mean nothing here. */
  warnings: string[];
}

const port = whole('number', 0, 65_535);
/** Whoever chose it may have chosen a short one. */
const key: OptionKind<string> = {
  secret: true,
  expected: 'one word',
  read: given => (/^[\x21-\x7e]+$/.test(given) ? given : undefined),
};

/** What is known, and what it sets. Other programs' business is known too, but sets nothing. */
const KEYS: Readonly<Record<string, { kind?: OptionKind<unknown>; sets?(value: never): Layer }>> = {
  api_port: { kind: port, sets: (value: number) => ({ port: value }) },
  'mcp.api_port': { kind: port, sets: (value: number) => ({ port: value }) },
  'mcp.enabled': { kind: toggle },
  'mcp.api_key': { kind: key, sets: keyed },
  'browser_source.path': { kind: path, sets: chosen },
  'browser_source.custom.path': { kind: path, sets: chosen },
  browser_source: {},
  settings: {},
  profiles: {},
  recent_profiles: {},
};

/** A key is asked for only when there is one. */
function keyed(token: string): Layer {
  return { token, auth: true };
}

function chosen(executablePath: string): Layer {
  return { executablePath };
}

/** `named` is a file that somebody chose instead. */
export async function readBrowsion(place: Environment, named?: string): Promise<BrowsionConfig> {
  const file = named ?? join(settingsFolder(place), 'browsion', 'config.toml');
  const isThere = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  const { layer, warnings } = isThere
    ? readFile(await readEntries({ path: file, name: file, what: 'config file' }), file, place)
    : { layer: {}, warnings: [] };
  return {
    path: file,
    file: { ...layer, profilesFile: file },
    variables: variablesIn(place),
    variableOf: option => (option === 'port' ? PORT_VARIABLE : KEY_VARIABLE),
    warnings,
  };
}

function variablesIn(place: Environment): Layer {
  const { [PORT_VARIABLE]: portText, [KEY_VARIABLE]: keyText } = place.env;
  return {
    ...(portText && { port: fromVariable(PORT_VARIABLE, port, portText, place) }),
    ...(keyText && keyed(fromVariable(KEY_VARIABLE, key, keyText, place))),
  };
}

function fromVariable<T>(name: string, kind: OptionKind<T>, text: string, place: Environment): T {
  const value = kind.read(text, place);
  if (value !== undefined) return value;
  throw new Failure('bad_input', `${name}: expected ${kind.expected}.`);
}

interface Leaf {
  /** With the sections around it: mcp.api_key. */
  key: string;
  value: unknown;
  entry: FileEntry;
}

function readFile(
  entries: readonly FileEntry[],
  name: string,
  place: Environment,
): { layer: Layer; warnings: string[] } {
  const file: NamedFile = { path: name, name, what: 'config file' };
  const layer: Layer = {};
  const warnings: string[] = [];
  const leaves = entries.flatMap(entry => leavesOf(entry, entry.key, entry.value));
  for (const leaf of leaves) {
    const known = knownAs(leaf.key);
    if (!known) warnings.push(`${name}:${leaf.entry.line() ?? 1}: ${briefJson(leaf.key)} means nothing here.`);
    if (!known?.kind || leaf.value === '') continue;
    const value = readNative(known.kind, leaf.value, place);
    if (value === undefined) {
      const shown = known.kind.secret ? '' : ` ${briefJson(leaf.value)}`;
      throw fileFailure(file, leaf.entry.line(), `${leaf.key}${shown}: expected ${known.kind.expected}.`);
    }
    Object.assign(layer, known.sets?.(value as never));
  }
  const isOff = leaves.some(leaf => leaf.key === 'mcp.enabled' && leaf.value === false);
  // Without a server there is no port.
  return { layer: { ...layer, ...(isOff && { port: 0 }) }, warnings };
}

/** The key itself, or the section that it stands in when that is all other programs' business. */
function knownAs(name: string): (typeof KEYS)[string] | undefined {
  if (Object.hasOwn(KEYS, name)) return KEYS[name];
  const [section = ''] = name.split('.');
  return Object.hasOwn(KEYS, section) && !KEYS[section]?.kind ? KEYS[section] : undefined;
}

/** The values in a section one by one; lists are values. */
function leavesOf(entry: FileEntry, name: string, value: unknown): Leaf[] {
  const isSection = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isSection) return [{ key: name, value, entry }];
  return Object.entries(value).flatMap(([inner, item]) => leavesOf(entry, `${name}.${inner}`, item));
}
