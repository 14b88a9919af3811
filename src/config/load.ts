// Reads options from the command line and the environment, and merges the layers into Options.
import { homedir } from 'node:os';
import { Failure } from '../errors.ts';
import type { Place } from './kinds.ts';
import { nearest } from './nearest.ts';
import { envOf, flagOf, OPTIONS, type Option, type OptionKey, type Options, optionKeys } from './options.ts';

/** What one source says: only the options that it names. */
export type Layer = Partial<Options>;

export interface CommandLine {
  /** What stands between the flags: the command. */
  words: string[];
  flags: Layer;
}

const BY_FLAG = new Map(optionKeys.map(key => [flagOf(key), key]));
const rowOf = (key: OptionKey): Option => OPTIONS[key];
const isSwitch = (key: OptionKey): boolean => rowOf(key).kind.value === undefined;

export const here = (): Place => ({
  env: process.env,
  platform: process.platform,
  home: homedir(),
  cwd: process.cwd(),
});

/** Options from all sources: defaults, then the environment, then the flags. */
export function load(argv: readonly string[], place: Place = here()): { words: string[]; options: Options } {
  const { words, flags } = readFlags(argv, place);
  return { words, options: merge([readEnvironment(place), flags], place) };
}

export function readFlags(argv: readonly string[], place: Place): CommandLine {
  const words: string[] = [];
  const given = new Map<OptionKey, string[]>();
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-')) {
      words.push(word);
      continue;
    }
    const { key, value } = readFlag(word, rest);
    given.set(key, [...(given.get(key) ?? []), value]);
  }
  return { words, flags: readLayer(given, flagOf, place) };
}

export function readEnvironment(place: Place): Layer {
  const given = new Map<OptionKey, string[]>();
  for (const key of optionKeys) {
    const text = place.env[envOf(key)];
    // An empty variable is an unset one: that is how container files unset them.
    if (text) given.set(key, rowOf(key).kind.repeat?.split(text) ?? [text]);
  }
  return readLayer(given, envOf, place);
}

/** Later layers win. Defaults fill what no layer names. */
export function merge(layers: readonly Layer[], place: Place): Options {
  const given: Layer = Object.assign({}, ...layers);
  const all: Record<string, unknown> = {};
  for (const key of optionKeys) {
    const row = rowOf(key);
    const fallback = typeof row.default === 'function' ? row.default(place, all) : row.default;
    all[key] = given[key] ?? fallback;
    const clash = row.without?.find(other => key in given && other in given);
    if (clash)
      throw new Failure('bad_input', `${flagOf(key)} and ${flagOf(clash)} exclude each other: give one of them.`);
  }
  return all as unknown as Options;
}

/** One flag and its value, which may be the next word. */
function readFlag(word: string, rest: string[]): { key: OptionKey; value: string } {
  const equals = word.indexOf('=');
  const flag = equals < 0 ? word : word.slice(0, equals);
  const inline = equals < 0 ? undefined : word.slice(equals + 1);
  const key = BY_FLAG.get(flag);
  if (!key) return { key: negated(flag, inline), value: 'false' };
  if (isSwitch(key)) return { key, value: inline ?? 'true' };
  const value = inline ?? rest.shift() ?? '';
  const isFlag = inline === undefined && BY_FLAG.has(value);
  if (value && !isFlag) return { key, value };
  const also = isFlag ? ` (a value that starts with dashes: ${flag}=${value})` : '';
  throw new Failure('bad_input', `${flag} needs a value: ${flag} <${rowOf(key).kind.value}>${also}.`);
}

/** `--no-headed` turns a switch off. */
function negated(flag: string, inline: string | undefined): OptionKey {
  const key = flag.startsWith('--no-') ? BY_FLAG.get(`--${flag.slice(5)}`) : undefined;
  if (key && isSwitch(key) && inline === undefined) return key;
  const [close] = nearest(flag, BY_FLAG.keys());
  throw new Failure(
    'bad_input',
    `Unknown option ${flag}.`,
    close ? `Did you mean ${close}? All options: tabwright --help` : 'All options: tabwright --help',
  );
}

function readLayer(given: Map<OptionKey, string[]>, nameOf: (key: string) => string, place: Place): Layer {
  const layer: Record<string, unknown> = {};
  for (const [key, texts] of given) {
    const { kind } = rowOf(key);
    const values = texts.map(text => readValue(kind, nameOf(key), text, place));
    layer[key] = kind.repeat ? values.flat() : values.at(-1);
  }
  return layer;
}

function readValue(kind: Option['kind'], name: string, text: string, place: Place): unknown {
  try {
    return kind.read(text, place);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('bad_input', `${name} "${text}": ${why}.`, undefined, { cause });
  }
}
