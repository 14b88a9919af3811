// The config file of Browsion, ~/.config/browsion/config.toml, and its variables: what they say about its HTTP API, as options of ours.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { briefJson, type NamedFile, readEntries } from '../../config/document.ts';
import { type Environment, settingsFolder } from '../../config/environment.ts';
import type { FileEntry } from '../../config/formats/entry.ts';
import { path as filePath, type OptionKind, toggle, whole } from '../../config/kinds.ts';
import type { ConfigSource } from '../../config/load.ts';
import type { Layer } from '../../config/options.ts';
import { type ForeignVariable, readValue, readVariables, valuesIn } from '../foreign-config.ts';

/** An API key: of any length, unlike the tokens of Tabwright. */
const word: OptionKind<string> = {
  secret: true,
  expected: 'one word',
  read: given => (/^[\x21-\x7e]+$/.test(given) ? given : undefined),
};

const port: ForeignVariable = { kind: whole('number', 0, 65_535), sets: value => ({ port: Number(value) }) };
/** Requests need an API key only when the config has one. */
const apiKey: ForeignVariable = { kind: word, sets: value => ({ token: String(value), auth: true }) };
const browserPath: ForeignVariable = { kind: filePath, sets: value => ({ executablePath: String(value) }) };

const VARIABLES = { BROWSION_API_PORT: port, BROWSION_API_KEY: apiKey };

/** Known keys, and the options that they set. Sections for other programs are known too, but set nothing. */
const KEYS: Readonly<Record<string, Partial<ForeignVariable>>> = {
  api_port: port,
  'mcp.api_port': port,
  'mcp.enabled': { kind: toggle },
  'mcp.api_key': apiKey,
  'browser_source.path': browserPath,
  'browser_source.custom.path': browserPath,
  browser_source: {},
  settings: {},
  profiles: {},
  recent_profiles: {},
};

/** A file with profiles that is TOML is the config file itself. */
export async function read(environment: Environment, profilesFile?: string): Promise<ConfigSource[]> {
  const named = profilesFile && /\.toml$/i.test(profilesFile) ? profilesFile : undefined;
  const path = named ?? join(settingsFolder(environment), 'browsion', 'config.toml');
  const file: NamedFile = { path, name: path, what: 'config file' };
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  const { layer, warnings, portKey } = readKeys(isThere ? await readEntries(file) : [], file, environment);
  const origin = (key: string) => (key === 'port' ? `${portKey} in ${path}` : path);
  return [{ path, layer: { ...layer, profilesFile: path }, origin, warnings }, readVariables(VARIABLES, environment)];
}

function readKeys(
  entries: readonly FileEntry[],
  file: NamedFile,
  environment: Environment,
): { layer: Layer; warnings: string[]; portKey: string } {
  const layer: Layer = {};
  const warnings: string[] = [];
  const values = entries.flatMap(entry => valuesIn({ [entry.key]: entry.value }, () => entry.line()));
  for (const one of values) {
    const known = knownAs(one.key);
    if (!known) warnings.push(`${file.name}:${one.line() ?? 1}: ${briefJson(one.key)} means nothing here.`);
    if (!known?.kind || one.value === '') continue;
    Object.assign(layer, known.sets?.(readValue(known.kind, one, file, environment)));
  }
  const isOff = values.some(({ key, value }) => key === 'mcp.enabled' && value === false);
  // Without a server there is no port.
  if (isOff) return { layer: { ...layer, port: 0 }, warnings, portKey: 'mcp.enabled' };
  const portKey = values.findLast(({ key }) => KEYS[key] === port)?.key ?? 'api_port';
  return { layer, warnings, portKey };
}

/** The key itself, or the section of another program that it stands in. */
function knownAs(key: string): Partial<ForeignVariable> | undefined {
  if (Object.hasOwn(KEYS, key)) return KEYS[key];
  const [section = ''] = key.split('.');
  return Object.hasOwn(KEYS, section) && !KEYS[section]?.kind ? KEYS[section] : undefined;
}
