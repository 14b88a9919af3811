// The table of commands: what can stand after `tabwright`, the words it takes and the flags of its own.
import { Failure } from '../errors.ts';
import { suggestion } from './nearest.ts';

export interface CommandFlag {
  help: string;
  /** How its value is shown; absent for a switch, which takes none. */
  value?: string;
  /** It may be given several times; commas stand between the values then. */
  repeats?: true;
}

export interface CommandSpec {
  help: string;
  /** The words after the command: in brackets those that may be left out, with … one that may come again. */
  words?: readonly string[];
  flags?: Readonly<Record<string, CommandFlag>>;
}

const json: CommandFlag = { help: 'Print JSON.' };

const session: CommandFlag = {
  help: 'Which session: its tabs and logins are its own. Short: -s; else what TABWRIGHT_SESSION says.',
  value: 'name',
};

/** Stands in the table for every tool: the word itself is none. */
export const ANY_TOOL = 'TOOL';

/** Short flags. */
export const SHORT: Readonly<Record<string, string>> = { '-s': '--session' };

export const COMMANDS = {
  [ANY_TOOL]: {
    help: 'Run one tool, such as open, snapshot or click, in a browser that stays open for the next command.',
    words: ['[ARGUMENT…]'],
    flags: { '--session': session, '--json': json },
  },
  run: {
    help: 'Run the commands of a file, one on each line, or of stdin with -; stops at the first that fails.',
    words: ['FILE'],
    flags: { '--session': session, '--json': json },
  },
  repl: { help: 'A prompt for commands, with completion and history.', flags: { '--session': session } },
  attach: {
    help: 'Use the Chrome that runs already, with its tabs and logins, for the commands that follow.',
    words: ['[URL]'],
  },
  status: { help: 'Show the server of the commands: its sessions, tabs, age and memory.', flags: { '--json': json } },
  stop: { help: 'End the server that commands have started, and its browser.' },
  skills: { help: 'Print what a coding agent should know to use these commands.', words: ['[REFERENCE]'] },
  mcp: { help: 'Serve MCP on stdin and stdout. The default.' },
  serve: {
    help: 'Serve MCP over HTTP until stopped.',
    flags: {
      '--welcome': { help: 'Drive a built-in page once, and print what it showed and a client config.' },
      '--background': {
        help: 'Serve the commands of this user on a socket instead, as the first command does by itself.',
      },
    },
  },
  view: {
    help: 'Open the page where you watch the sessions of the running server, step in and approve.',
    flags: { '--print': { help: 'Only print its address.' } },
  },
  call: {
    help: 'Run one tool on the server that runs, or in a browser of its own that ends with the call.',
    words: ['TOOL', '[ARGUMENT…]'],
    flags: { '--json': json },
  },
  tools: { help: 'List the tools, or explain one.', words: ['[TOOL]'], flags: { '--json': json } },
  install: {
    help: 'Find a browser, or install one.',
    flags: { '--with-deps': { help: 'Also install the libraries and fonts that it needs.' } },
  },
  doctor: { help: 'Check this machine, and say how to mend what is wrong.', flags: { '--json': json } },
  config: {
    help: 'Print settings for MCP clients.',
    words: ['[CLIENT]'],
    flags: {
      '--write': { help: "Merge them into that client's own file; a backup is kept.", value: 'client' },
      '--show': { help: 'Print every option with its value and where it comes from.' },
      '--json': json,
    },
  },
  token: {
    help: 'Say who may use serve: list, add ID, rotate [ID] or remove ID. A running server sees it at once.',
    words: ['list|add|rotate|remove', '[ID]'],
    flags: {
      '--may': { help: 'What the holder may do; everything when left out.', value: 'read,write,danger' },
      '--expires': { help: 'Until when: 90m, 12h, 30d, 8w, or a time such as 2027-01-31T18:00:00Z.', value: 'time' },
      '--json': json,
    },
  },
  secret: {
    help: 'Keep a password or key that callers use by its name only: list, add NAME or remove NAME. The value is read from stdin, or asked for.',
    words: ['list|add|remove', '[NAME]'],
    flags: {
      '--origin': { help: 'Where it may go, such as https://shop.example.', value: 'origin', repeats: true },
      '--caller': { help: 'Who may use it beside you: the ID of a token.', value: 'ID', repeats: true },
      '--totp': { help: 'The value is the seed of TOTP codes: base32, or an otpauth: url.' },
      '--in-file': { help: 'Keep it in a file, although the system has a keychain.' },
      '--json': json,
    },
  },
  completion: { help: 'Print the completion script of a shell.', words: ['bash|zsh|fish'] },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;

export const commandNames = Object.keys(COMMANDS) as CommandName[];

export const commandSpec = (name: CommandName): CommandSpec => COMMANDS[name];

/** Every flag that belongs to a command, with the commands that have it. A flag means the same wherever it stands. */
export const COMMAND_FLAGS: ReadonlyMap<string, CommandFlag & { commands: CommandName[] }> = new Map(
  commandNames
    .flatMap(name => Object.entries(commandSpec(name).flags ?? {}))
    .map(([flag, spec]) => [flag, { ...spec, commands: commandNames.filter(name => commandSpec(name).flags?.[flag]) }]),
);

/** `tools` are the words that stand for tools. */
export function readCommand(word: string, tools: readonly string[] = []): CommandName {
  if (tools.includes(word)) return ANY_TOOL;
  const own = commandNames.filter(name => name !== ANY_TOOL);
  const found = own.find(name => name === word);
  if (found) return found;
  const hint = suggestion(word, [...own, ...tools], `Commands: ${own.join(', ')}, and every tool: tabwright tools.`);
  throw new Failure('bad_input', `Unknown command ${word}.`, `${hint} See tabwright --help`);
}

/** The right number of words, and only flags that the command has. */
export function checkUse(name: CommandName, words: readonly string[], flags: Iterable<string>): void {
  const { words: wanted = [], flags: known = {} } = commandSpec(name);
  const missing = wanted.slice(words.length).find(word => !word.startsWith('['));
  if (missing) throw new Failure('bad_input', `${name} needs ${missing}.`, `Usage: ${usageOf(name)}`);
  const extra = wanted.some(word => word.includes('…')) ? undefined : words[wanted.length];
  if (extra !== undefined)
    throw new Failure('bad_input', `Unexpected word ${extra} after ${name}.`, `Usage: ${usageOf(name)}`);
  for (const flag of flags)
    if (!known[flag]) throw new Failure('bad_input', `${flag} does not belong to ${name}.`, `Usage: ${usageOf(name)}`);
}

export const flagUsage = (flag: string, { value }: CommandFlag): string => (value ? `${flag} <${value}>` : flag);

export function usageOf(name: CommandName): string {
  const { words = [], flags = {} } = commandSpec(name);
  const usages = Object.entries(flags).map(([flag, spec]) => `[${flagUsage(flag, spec)}]`);
  return ['tabwright', name, ...words, ...usages].join(' ');
}
