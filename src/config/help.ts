// The text of --help, made from the tables of commands and options.
import { type CommandName, commandNames, commandSpec, flagUsage, usageOf } from './commands.ts';
import { textOf } from './kinds.ts';
import { envOf, flagOf, OPTIONS, type Option, optionKeys, SECTIONS } from './options.ts';

const WIDTH = 100;

/** A default as a person would type it; empty when there is none. */
export function defaultTextOf(row: Option): string {
  if (row.defaultText) return row.defaultText;
  return typeof row.default === 'boolean' ? '' : textOf(row.default);
}

interface Line {
  usage: string;
  about: string;
}

export function help(version: string): string {
  const rows = optionKeys.map(key => ({ ...optionLine(key), section: OPTIONS[key].section }));
  const column = columnOf(rows);
  return [
    `Tabwright ${version}: a real browser for AI agents, over MCP.`,
    'Usage: tabwright [command] [options]',
    `Commands\n${list(commandNames.map(commandLine), column)}`,
    ...SECTIONS.map(
      section =>
        `${section}\n${list(
          rows.filter(row => row.section === section),
          column,
        )}`,
    ),
    `Other\n${list(OTHER, column)}`,
    wrap(
      `Each option is also an environment variable and a key of tabwright.config.yaml, .toml or .json: ${flagOf('maxChars')} is ${envOf('maxChars')} and maxChars. Flags win over the environment, and the environment wins over the file.`,
      0,
    ),
  ].join('\n\n');
}

/** The options that count for the agent-browser bridge: another program has the browser. */
const BRIDGE_OPTIONS = [
  ...(['tools', 'allowCommands', 'headed', 'executablePath'] as const),
  ...(['maxChars', 'config', 'logLevel', 'logFormat'] as const),
];

const BRIDGE_VARIABLES: Line[] = [
  { usage: 'AGENT_BROWSER_BIN', about: 'The program, instead of agent-browser from PATH.' },
  { usage: 'AGENT_BROWSER_SESSION', about: 'The session of calls that name none.' },
  { usage: 'AGENT_BROWSER_…', about: 'All others reach the agent-browser CLI as they are.' },
];

/** The help of agent-browser-mcp-server. */
export function bridgeHelp(version: string): string {
  const output = { usage: usage('outputDir'), about: 'Where files are written, instead of below the working folder.' };
  const options = [...BRIDGE_OPTIONS.map(optionLine), output];
  const column = columnOf(options);
  return [
    `agent-browser-mcp-server ${version}: the agent-browser CLI as typed tools, over MCP on stdin and stdout.`,
    'Usage: agent-browser-mcp-server [options]\n       tabwright --dialect agent-browser [options]',
    `Options\n${list(options, column)}`,
    `Environment\n${list(BRIDGE_VARIABLES, column)}`,
    'The tools: agent-browser-mcp-server tools [NAME]. All options of Tabwright: tabwright --help',
  ].join('\n\n');
}

/** The help of one command. */
export function commandHelp(name: CommandName): string {
  const { help, flags = {} } = commandSpec(name);
  const lines = Object.entries(flags).map(([flag, row]) => ({ usage: flagUsage(flag, row), about: row.help }));
  return [
    help,
    `Usage: ${usageOf(name)}`,
    ...(lines.length > 0 ? [list(lines, columnOf(lines))] : []),
    'All options: tabwright --help',
  ].join('\n\n');
}

const OTHER: Line[] = [
  { usage: '--help', about: 'Print this; behind a command, what it takes.' },
  { usage: '--version', about: 'Print the version.' },
];

const commandLine = (name: CommandName): Line => ({
  usage: [name, ...(commandSpec(name).words ?? [])].join(' '),
  about: commandSpec(name).help,
});

const columnOf = (lines: readonly Line[]): number => Math.max(...lines.map(({ usage }) => usage.length)) + 4;

const list = (lines: readonly Line[], column: number): string =>
  lines.map(({ usage, about }) => wrap(`  ${usage}`.padEnd(column) + about, column)).join('\n');

const optionLine = (key: keyof typeof OPTIONS): Line => ({ usage: usage(key), about: about(OPTIONS[key]) });

function usage(key: keyof typeof OPTIONS): string {
  const { value } = OPTIONS[key].kind;
  return value ? `${flagOf(key)} <${value}>` : flagOf(key);
}

function about(row: Option): string {
  const value = defaultTextOf(row);
  return value ? `${row.help} [${value.replaceAll('`', '')}]` : row.help;
}

/** Breaks one line at spaces, indenting what follows. */
function wrap(line: string, indent: number): string {
  if (line.length <= WIDTH) return line;
  const cut = line.lastIndexOf(' ', WIDTH);
  return `${line.slice(0, cut)}\n${wrap(' '.repeat(indent) + line.slice(cut + 1), indent)}`;
}
