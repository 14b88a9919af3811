// Reads the command and its options: merges what the config files, the environment and the command line say.
import { defaultIn } from '../dialects/registry.ts';
import { Failure } from '../errors.ts';
import { ANY_TOOL, COMMAND_FLAGS, type CommandName, checkUse, readCommand, SHORT } from './commands.ts';
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
  /** The words after the command; the word of a tool is one of them. */
  words: string[];
  flags: CommandFlags;
  /** The options that flags have set. */
  given: Layer;
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

/**
 * Command and options from all sources: defaults, then config files, then the environment, then the flags.
 * The config of other servers is read by `readForeign`, which main hands in: this layer knows no dialect. Nor has it
 * tools: `tools` are the words that stand for one.
 */
export async function load(
  argv: readonly string[],
  environment: Environment = currentEnvironment(),
  readForeign: ReadForeignConfig = async () => [],
  tools: readonly string[] = [],
): Promise<Loaded> {
  const { words, flags, commandFlags } = readFlags(argv, environment);
  const [name = 'mcp', ...after] = words;
  const command = readCommand(name, tools);
  const rest = command === ANY_TOOL ? words : after;
  checkUse(command, rest, Object.keys(commandFlags));
  const variables = readVariables(environment);
  const files = await readFiles(flags.config ?? variables.config, environment);
  const chosen: Layer = { ...variables, ...flags };
  const dialectIn = (some: typeof files): Layer['dialect'] =>
    Object.assign({}, ...some.map(({ layer }) => layer), chosen).dialect;
  const dialects = { chosen: dialectIn(files), trusted: dialectIn(files.filter(({ trusted }) => trusted)) };
  const foreign = await foreignSources(dialects, name => readForeign(name, environment, chosen.profilesFile));
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
    given: flags,
    options: merge(
      sources.map(({ layer }) => layer),
      environment,
      { named, trustedDialect: dialects.trusted },
    ),
    origins: Object.fromEntries(optionKeys.map(key => [key, originOf(key)])) as Loaded['origins'],
    files: [...foreign.flatMap(({ path }) => path ?? []), ...files.map(({ path }) => path)],
    warnings: foreign.flatMap(({ warnings = [] }) => warnings),
  };
}

/** One source of options beside those of Tabwright itself. */
export interface ConfigSource {
  /** The file that it is, if it is one. */
  path?: string;
  layer: Layer;
  /** What an option of the layer is said to come from. */
  origin(key: string): string;
  warnings?: string[];
}

/** Reads the config of the server whose dialect is chosen; Tabwright's own config files win over it. */
export type ReadForeignConfig = (
  dialect: Layer['dialect'],
  environment: Environment,
  profilesFile: string | undefined,
) => Promise<ConfigSource[]>;

/**
 * The sources of the dialect that is chosen. When only a file of the working folder names it, trusted options come from
 * the dialect that the user names instead.
 */
async function foreignSources(
  { chosen, trusted }: Record<'chosen' | 'trusted', Layer['dialect']>,
  read: (dialect: Layer['dialect']) => Promise<ConfigSource[]>,
): Promise<ConfigSource[]> {
  if (chosen === trusted) return read(chosen);
  const only = (sources: ConfigSource[], isTrusted: boolean) =>
    sources.map(source => {
      const kept = Object.entries(source.layer).filter(
        ([key]) => (optionOf(key as OptionKey).trusted === true) === isTrusted,
      );
      return { ...source, layer: Object.fromEntries(kept) };
    });
  return [...only(await read(trusted), true), ...only(await read(chosen), false)];
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
      addCommandFlag(commandFlags, word, rest);
    } else {
      const { key, value } = readFlag(word, rest);
      given.set(key, [...(given.get(key) ?? []), value]);
    }
  }
  return { words, flags: readLayer(given, flagOf, environment), commandFlags };
}

/** The first word and the dialect, whatever else is wrong: who asks for help may not know the right flags yet. */
export function readHelpRequest(argv: readonly string[]): { word?: string; dialect?: string | undefined } {
  const rest = [...argv];
  let dialect: string | undefined;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!isFlag(word)) return { word, dialect };
    const flag = flagIn(word);
    const key = BY_FLAG.get(flag);
    const takesValue = key ? !isSwitch(key) : COMMAND_FLAGS.get(flag)?.value !== undefined;
    const inline = inlineOf(word);
    const value = inline === undefined && takesValue ? rest.shift() : (inline ?? '');
    if (key === 'dialect') dialect = value;
  }
  return { dialect };
}

/** A lone dash and a negative number are words. */
const isFlag = (word: string): boolean => /^-[^\d.]/.test(word);

/** A short flag by its long name. */
function flagIn(word: string): string {
  const flag = word.split('=', 1)[0] ?? word;
  return SHORT[flag] ?? flag;
}

/** What stands behind the = of a flag. */
const inlineOf = (word: string): string | undefined =>
  word.includes('=') ? word.slice(word.indexOf('=') + 1) : undefined;

/** What the variables of the environment say, of all options or of some. */
export function readVariables(environment: Environment, keys: readonly OptionKey[] = optionKeys): Layer {
  const given = new Map<OptionKey, string[]>();
  for (const key of keys) {
    const text = environment.env[envOf(key)];
    // An empty variable is an unset one: that is how container files unset them.
    if (text) given.set(key, optionOf(key).kind.repeat?.split(text) ?? [text]);
  }
  return readLayer(given, envOf, environment);
}

/** Later layers win. Defaults fill what no layer names; those of the trusted dialect fill trusted options. */
export function merge(
  layers: readonly Layer[],
  environment: Environment,
  { named = flagOf, trustedDialect }: { named?(key: OptionKey): string; trustedDialect?: Layer['dialect'] } = {},
): Options {
  const given: Layer = Object.assign({}, ...layers);
  const all: Record<string, unknown> = {};
  for (const key of optionKeys) {
    const option = optionOf(key);
    const fallback = typeof option.default === 'function' ? option.default(environment, all) : option.default;
    all[key] = given[key] ?? presetOf(key, given.dialect, trustedDialect) ?? fallback;
    const clash = optionKeys.find(other => option.without?.includes(other) && key in given && other in given);
    if (clash)
      throw new Failure('bad_input', `${named(key)} and ${named(clash)} exclude each other: give one of them.`);
  }
  return all as unknown as Options;
}

/** What the dialect sets. One that only a file of the working folder names may add rules, and touches no other trusted option. */
function presetOf(key: OptionKey, dialect: Layer['dialect'], trustedDialect: Layer['dialect']): unknown {
  const { trusted, section } = optionOf(key);
  const fromTrusted = trusted ? defaultIn(trustedDialect, key) : undefined;
  return fromTrusted ?? (trusted && section !== 'Rules' ? undefined : defaultIn(dialect, key));
}

/** One flag of an option and its value, which may be the next word. */
function readFlag(word: string, rest: string[]): { key: OptionKey; value: string } {
  const flag = flagIn(word);
  const inline = inlineOf(word);
  const key = BY_FLAG.get(flag);
  if (!key) return { key: negated(flag, inline), value: 'false' };
  if (isSwitch(key)) return { key, value: inline ?? 'true' };
  return { key, value: takeValue(flag, inline, optionOf(key).kind.value ?? '', rest) };
}

function addCommandFlag(flags: Record<string, string | true>, word: string, rest: string[]): void {
  const flag = flagIn(word);
  const value = readCommandFlag(word, rest);
  const before = COMMAND_FLAGS.get(flag)?.repeats ? flags[flag] : undefined;
  flags[flag] = before === undefined ? value : `${before},${value}`;
}

function readCommandFlag(word: string, rest: string[]): string | true {
  const flag = flagIn(word);
  const inline = inlineOf(word);
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
