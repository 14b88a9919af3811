// The config file of Clawtopus, ~/.clawtopus/config.yaml: what it says about its browser server, as options of ours.
import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../errors.ts';
import { briefJson, fileFailure, type NamedFile, readEntries } from '../document.ts';
import type { Environment } from '../environment.ts';
import type { FileEntry } from '../formats/entry.ts';
import { readNative } from '../kinds.ts';
import { nearest } from '../nearest.ts';
import { type Layer, optionOf } from '../options.ts';
import { SETTINGS, together, VARIABLES } from './clawtopus-keys.ts';

const VARIABLE = 'CLAWTOPUS_MCP_CONFIG';
const SECTION = ['mcp', 'browser'];

export interface Clawtopus {
  /** Where the file is, if there is one. */
  path?: string;
  file: Layer;
  variables: Layer;
  /** Which variable said an option. */
  variableOf(key: string): string;
}

/** `usual` is what the dialect sets when the file does not. */
export async function readClawtopus(place: Environment, usual: Layer): Promise<Clawtopus> {
  const named = place.env[VARIABLE];
  const folder = join(place.home, '.clawtopus');
  const path = named ? resolve(place.cwd, named.replace(/^~(?=$|[\\/])/, place.home)) : join(folder, 'config.yaml');
  const isThere = Boolean(named) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const file: NamedFile = { path, name: path, what: 'Clawtopus config file' };
  return {
    ...(isThere && { path }),
    file: isThere ? readSection(await readEntries(file), file, Boolean(named), place, usual) : {},
    variables: readVariables({ ...place, cwd: folder }),
    variableOf: key => Object.keys(VARIABLES).find(name => VARIABLES[name] === key) ?? '',
  };
}

function readVariables(place: Environment): Layer {
  const layer: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(VARIABLES)) {
    const text = place.env[name];
    if (!text) continue;
    const { kind } = optionOf(key);
    const value = kind.read(text, place);
    if (value === undefined) throw new Failure('bad_input', `${name}: expected ${kind.expected}.`);
    layer[key] = value;
  }
  return layer;
}

interface Leaf {
  /** Below the section, such as security.blockEval. */
  key: string;
  value: unknown;
  line(): number | undefined;
}

/** Other sections of the file are other programs' business. A file that is ours alone may leave the section out. */
function readSection(
  entries: readonly FileEntry[],
  file: NamedFile,
  isOurs: boolean,
  place: Environment,
  usual: Layer,
): Layer {
  const [outer = '', ...inner] = SECTION;
  const around = entries.find(({ key }) => key === outer);
  const leaves =
    around || !isOurs
      ? leavesOf(at(around?.value, inner), part => around?.line([...inner, ...part]))
      : entries.flatMap(entry => leavesOf({ [entry.key]: entry.value }, ([, ...part]) => entry.line(part)));
  return layerOf(leaves, file, { ...place, cwd: dirname(file.path) }, usual);
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inside, key) => Object(inside)[key], value);

const isSection = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values by their way through the sections. A section without anything in it says nothing. */
function leavesOf(value: unknown, line: (part: string[]) => number | undefined, way: string[] = []): Leaf[] {
  if (isSection(value)) return Object.entries(value).flatMap(([key, inside]) => leavesOf(inside, line, [...way, key]));
  const key = way.join('.');
  const isEmpty =
    value === undefined || (value === null && Object.keys(SETTINGS).some(one => one.startsWith(`${key}.`)));
  return way.length === 0 || isEmpty ? [] : [{ key, value, line: () => line(way) }];
}

function layerOf(leaves: readonly Leaf[], file: NamedFile, place: Environment, usual: Layer): Layer {
  const layer: Record<string, unknown> = {};
  const given = new Map<string, unknown>();
  const said = new Map<string, string>();
  for (const { key, value, line } of leaves) {
    const fail = (what: string, hint?: string) => fileFailure(file, line(), what, hint);
    const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
    if (!setting) throw fail(`unknown key ${briefJson([...SECTION, key].join('.'))}.`, suggestion(key));
    const { kind, option, to = (one: unknown) => one, refuse } = setting;
    const read = readNative(kind, value, place);
    if (read === undefined)
      throw fail(`${key}${kind.secret ? '' : ` ${briefJson(value)}`}: expected ${kind.expected}.`);
    const refusal = refuse?.(read);
    if (refusal !== undefined) throw fail(`${key} ${briefJson(value)} cannot be honoured: ${refusal}.`);
    const before = option && said.get(option);
    if (before) throw fail(`${key} says again what ${before} says.`, 'Keep one of them.');
    if (option) {
      said.set(option, key);
      layer[option] = to(read);
    }
    given.set(key, read);
  }
  return { ...layer, ...together(given, usual) };
}

function suggestion(key: string): string {
  const [close] = nearest(key.slice(0, 100), Object.keys(SETTINGS));
  return close ? `Did you mean ${[...SECTION, close].join('.')}?` : 'The guide to the dialect vision lists all keys.';
}
