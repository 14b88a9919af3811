// Reads the command and its options: merges what the config files, the environment and the command line say.
import { Failure } from '../errors.ts';
import { COMMAND_FLAGS, type CommandName, checkUse, readCommand } from './commands.ts';
import { presetOf, VISION } from './dialects/presets.ts';
import { currentEnvironment, type Environment } from './environment.ts';
import { readFiles } from './file.ts';
import { nearest } from './nearest.ts';
import {
  envOf,
  flagOf,
  type Layer,
  type Option,
  type OptionKey,
  type Options,
  optionKeys,
  optionOf,
} from './options.ts';

export type { Layer } from './options.ts';

/** The flags of the command itself, such as --json: a switch is true. */
type CommandFlags = Readonly<Record<string, string | true>>;

interface CommandLine {
  /** The command and its words, without flags. */
  words: string[];
  flags: Layer;
  commandFlags: CommandFlags;
}

export interface Loaded {
  command: CommandName;
  /** The words after the command. */
  words: string[];
  flags: CommandFlags;
  options: Options;
  /** Where each option comes from: `default`, the path of a config file, an environment variable or a flag. */
  origins: Readonly<Record<OptionKey, string>>;
  /** The config files that were read, the weakest first. */
  files: string[];
  /** Keys of foreign config files that have no meaning here, for a person to read. */
  warnings: string[];
}

const BY_FLAG = new Map(optionKeys.map(key => [flagOf(key), key]));
const isSwitch = (key: OptionKey): boolean => optionOf(key).kind.value === undefined;

/** Command and options from all sources: defaults, then config files, then the environment, then the flags. */
export async function load(argv: readonly string[], environment: Environment = currentEnvironment()): Promise<Loaded> {
  const { words, flags, commandFlags } = readFlags(argv, environment);
  const [name = 'mcp', ...rest] = words;
  const command = readCommand(name);
  checkUse(command, rest, Object.keys(commandFlags));
  const variables = readVariables(environment);
  const files = await readFiles(flags.config ?? variables.config, environment);
  const { dialect }: Layer = Object.assign({}, ...files.map(({ layer }) => layer), variables, flags);
  const chosen: Layer = { ...variables, ...flags };
  const foreign = await readForeign(dialect, environment, chosen.profilesFile);
  const sources = [
    ...foreign,
    ...files.map(({ path, layer }) => ({ layer, origin: () => path })),
    { layer: variables, origin: envOf },
    { layer: flags, origin: flagOf },
  ];
  const originOf = (key: OptionKey): string => sources.findLast(({ layer }) => key in layer)?.origin(key) ?? 'default';
  const named = (key: OptionKey): string => {
    const origin = originOf(key);
    return [...foreign, ...files].some(({ path }) => path === origin) ? `${key} in ${origin}` : origin;
  };
  return {
    command,
    words: rest,
    flags: commandFlags,
    options: merge(
      sources.map(({ layer }) => layer),
      environment,
      named,
    ),
    origins: Object.fromEntries(optionKeys.map(key => [key, originOf(key)])) as Loaded['origins'],
    files: [...foreign.flatMap(({ path }) => path ?? []), ...files.map(({ path }) => path)],
    warnings: foreign.flatMap(({ warnings = [] }) => warnings),
  };
}

interface Foreign {
  path?: string;
  layer: Layer;
  origin(key: string): string;
  warnings?: string[];
}

/** The config of the server whose dialect is chosen; Tabwright's own config files win over it. */
async function readForeign(
  dialect: Layer['dialect'],
  environment: Environment,
  profilesFile: string | undefined,
): Promise<Foreign[]> {
  if (dialect === 'browsion') return readForBrowsion(environment, profilesFile);
  if (dialect !== 'vision') return [];
  const { readClawtopus } = await import('./dialects/clawtopus.ts');
  const { path, file, variables, variableOf } = await readClawtopus(environment, VISION);
  return [
    ...(path === undefined ? [] : [{ path, layer: file, origin: () => path }]),
    { layer: variables, origin: variableOf },
  ];
}

async function readForBrowsion(environment: Environment, profilesFile: string | undefined): Promise<Foreign[]> {
  const { readBrowsion } = await import('./dialects/browsion.ts');
  const named = profilesFile && /\.toml$/i.test(profilesFile) ? profilesFile : undefined;
  const { path, file, variables, variableOf, warnings } = await readBrowsion(environment, named);
  return [
    { path, layer: file, origin: () => path, warnings },
    { layer: variables, origin: variableOf },
  ];
}

function readFlags(argv: readonly string[], environment: Environment): CommandLine {
  const words: string[] = [];
  const commandFlags: Record<string, string | true> = {};
  const given = new Map<OptionKey, string[]>();
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      words.push(...rest.splice(0));
    } else if (!isFlag(word)) {
      words.push(word);
    } else if (COMMAND_FLAGS.has(flagIn(word))) {
      commandFlags[flagIn(word)] = readCommandFlag(word, rest);
    } else {
      const { key, value } = readFlag(word, rest);
      given.set(key, [...(given.get(key) ?? []), value]);
    }
  }
  return { words, flags: readLayer(given, flagOf, environment), commandFlags };
}

/** A lone dash and a negative number are words. */
const isFlag = (word: string): boolean => /^-[^\d.]/.test(word);

const flagIn = (word: string): string => word.split('=', 1)[0] ?? word;

function readVariables(environment: Environment): Layer {
  const given = new Map<OptionKey, string[]>();
  for (const key of optionKeys) {
    const text = environment.env[envOf(key)];
    // An empty variable is an unset one: that is how container files unset them.
    if (text) given.set(key, optionOf(key).kind.repeat?.split(text) ?? [text]);
  }
  return readLayer(given, envOf, environment);
}

/** Later layers win. Defaults fill what no layer names. */
export function merge(
  layers: readonly Layer[],
  environment: Environment,
  named: (key: OptionKey) => string = flagOf,
): Options {
  const given: Layer = Object.assign({}, ...layers);
  const all: Record<string, unknown> = {};
  for (const key of optionKeys) {
    const option = optionOf(key);
    const fallback = typeof option.default === 'function' ? option.default(environment, all) : option.default;
    all[key] = given[key] ?? presetOf(given.dialect, key) ?? fallback;
    const clash = optionKeys.find(other => option.without?.includes(other) && key in given && other in given);
    if (clash)
      throw new Failure('bad_input', `${named(key)} and ${named(clash)} exclude each other: give one of them.`);
  }
  return all as unknown as Options;
}

/** One flag of an option and its value, which may be the next word. */
function readFlag(word: string, rest: string[]): { key: OptionKey; value: string } {
  const flag = flagIn(word);
  const inline = word === flag ? undefined : word.slice(flag.length + 1);
  const key = BY_FLAG.get(flag);
  if (!key) return { key: negated(flag, inline), value: 'false' };
  if (isSwitch(key)) return { key, value: inline ?? 'true' };
  return { key, value: takeValue(flag, inline, optionOf(key).kind.value ?? '', rest) };
}

function readCommandFlag(word: string, rest: string[]): string | true {
  const flag = flagIn(word);
  const inline = word === flag ? undefined : word.slice(flag.length + 1);
  const valueName = COMMAND_FLAGS.get(flag)?.value;
  if (valueName) return takeValue(flag, inline, valueName, rest);
  if (inline === undefined) return true;
  throw new Failure('bad_input', `${flag} takes no value.`);
}

function takeValue(flag: string, inline: string | undefined, valueName: string, rest: string[]): string {
  const value = inline ?? rest.shift() ?? '';
  const isKnown = inline === undefined && (BY_FLAG.has(value) || COMMAND_FLAGS.has(value));
  if (value && !isKnown) return value;
  const also = isKnown ? ` (a value that starts with dashes: ${flag}=${value})` : '';
  throw new Failure('bad_input', `${flag} needs a value: ${flag} <${valueName}>${also}.`);
}

/** `--no-headed` turns a switch off. */
function negated(flag: string, inline: string | undefined): OptionKey {
  const key = flag.startsWith('--no-') ? BY_FLAG.get(`--${flag.slice(5)}`) : undefined;
  if (key && isSwitch(key) && inline === undefined) return key;
  const [close] = nearest(flag, [...BY_FLAG.keys(), ...COMMAND_FLAGS.keys()]);
  throw new Failure(
    'bad_input',
    `Unknown option ${flag}.`,
    close ? `Did you mean ${close}? All options: tabwright --help` : 'All options: tabwright --help',
  );
}

function readLayer(given: Map<OptionKey, string[]>, nameOf: (key: string) => string, environment: Environment): Layer {
  const layer: Record<string, unknown> = {};
  for (const [key, texts] of given) {
    const { kind } = optionOf(key);
    const values = texts.map(text => readValue(kind, nameOf(key), text, environment));
    layer[key] = kind.repeat ? values.flat() : values.at(-1);
  }
  return layer;
}

function readValue(kind: Option['kind'], name: string, text: string, environment: Environment): unknown {
  const value = kind.read(text, environment);
  if (value !== undefined) return value;
  throw new Failure('bad_input', `${name}${kind.secret ? '' : ` "${text}"`}: expected ${kind.expected}.`);
}
