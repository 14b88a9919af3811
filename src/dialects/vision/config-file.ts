// The config file of Clawtopus, ~/.clawtopus/config.yaml: what it says about its browser server, as options of ours.
import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { briefJson, fileFailure, type NamedFile, readEntries } from '../../config/document.ts';
import type { Environment } from '../../config/environment.ts';
import type { FileEntry } from '../../config/formats/entry.ts';
import type { ConfigSource } from '../../config/load.ts';
import { nearest } from '../../config/nearest.ts';
import { type Layer, optionOf } from '../../config/options.ts';
import { type ConfigValue, readValue, readVariables, valuesIn } from '../foreign-config.ts';
import { combined, SETTINGS, VARIABLES } from './config-keys.ts';
import { DEFAULTS } from './defaults.ts';

const VARIABLE = 'CLAWTOPUS_MCP_CONFIG';
const SECTION = ['mcp', 'browser'] as const;

export async function read(environment: Environment): Promise<ConfigSource[]> {
  const named = environment.env[VARIABLE];
  const folder = join(environment.home, '.clawtopus');
  const path = named
    ? resolve(environment.cwd, named.replace(/^~(?=$|[\\/])/, environment.home))
    : join(folder, 'config.yaml');
  const isThere = Boolean(named) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const file: NamedFile = { path, name: path, what: 'Clawtopus config file' };
  const values = isThere ? sectionValues(await readEntries(file), Boolean(named)) : [];
  const layer = layerOf(values, file, { ...environment, cwd: dirname(path) });
  const variables = Object.entries(VARIABLES).map(([name, option]) => [
    name,
    { kind: optionOf(option).kind, sets: (value: unknown): Layer => ({ [option]: value }) },
  ]);
  return [
    ...(isThere ? [{ path, layer, origin: () => path }] : []),
    readVariables(Object.fromEntries(variables), { ...environment, cwd: folder }),
  ];
}

/** Other sections of the file belong to other programs. A file that is named for us alone may leave the section out. */
function sectionValues(entries: readonly FileEntry[], isOurs: boolean): ConfigValue[] {
  const [outer, inner] = SECTION;
  const around = entries.find(({ key }) => key === outer);
  const values =
    around || !isOurs
      ? valuesIn(Object(around?.value)[inner], path => around?.line([inner, ...path]))
      : entries.flatMap(entry => valuesIn({ [entry.key]: entry.value }, ([, ...path]) => entry.line(path)));
  // A section without anything in it says nothing.
  const isSection = (name: string) => Object.keys(SETTINGS).some(key => key.startsWith(`${name}.`));
  return values.filter(({ key, value }) => value !== null || !isSection(key));
}

function layerOf(values: readonly ConfigValue[], file: NamedFile, environment: Environment): Layer {
  const layer: Record<string, unknown> = {};
  const given = new Map<string, unknown>();
  const setBy = new Map<string, string>();
  for (const one of values) {
    const { key, value } = one;
    const fail = (what: string, hint?: string) => fileFailure(file, one.line(), what, hint);
    const setting = Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : undefined;
    if (!setting) throw fail(`unknown key ${briefJson([...SECTION, key].join('.'))}.`, suggestion(key));
    const { kind, option, convert = (same: unknown) => same, refuse } = setting;
    const read = readValue(kind, one, file, environment);
    const refusal = refuse?.(read);
    if (refusal !== undefined) throw fail(`${key} ${briefJson(value)} cannot be honoured: ${refusal}.`);
    const before = option && setBy.get(option);
    if (before) throw fail(`${key} says again what ${before} says.`, 'Keep one of them.');
    if (option) {
      setBy.set(option, key);
      layer[option] = convert(read);
    }
    given.set(key, read);
  }
  return { ...layer, ...combined(given, DEFAULTS) };
}

function suggestion(key: string): string {
  const [close] = nearest(key.slice(0, 100), Object.keys(SETTINGS));
  return close ? `Did you mean ${[...SECTION, close].join('.')}?` : 'The guide to the dialect vision lists all keys.';
}
