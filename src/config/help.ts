// The text of --help and --version, made from the tables of commands and options.
import { envOf, flagOf, OPTIONS, type Option, optionKeys, SECTIONS } from './options.ts';

const WIDTH = 100;

/** What can stand after `tabwright`, with what it does. */
export const COMMANDS = {
  mcp: 'Serve MCP on stdin and stdout. The default.',
} as const;

/** A default as a person would type it; empty when there is none. */
export function shownDefault(row: Option): string {
  if (row.defaultText) return row.defaultText;
  const value = row.default;
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'object' && value !== null) return Object.values(value).join('x');
  return value === undefined || value === false ? '' : String(value);
}

export function help(version: string): string {
  const rows = optionKeys.map(key => ({
    usage: usage(key),
    about: about(OPTIONS[key]),
    section: OPTIONS[key].section,
  }));
  const column = Math.max(...rows.map(row => row.usage.length)) + 4;
  const list = (entries: { usage: string; about: string }[]) =>
    entries.map(({ usage, about }) => wrap(`  ${usage}`.padEnd(column) + about, column)).join('\n');
  return [
    `Tabwright ${version}: a real browser for AI agents, over MCP.`,
    'Usage: tabwright [command] [options]',
    `Commands\n${list(Object.entries(COMMANDS).map(([usage, about]) => ({ usage, about })))}`,
    ...SECTIONS.map(section => `${section}\n${list(rows.filter(row => row.section === section))}`),
    `Other\n${list([
      { usage: '--help', about: 'Print this.' },
      { usage: '--version', about: 'Print the version.' },
    ])}`,
    wrap(`Each option is also an environment variable: ${flagOf('maxChars')} is ${envOf('maxChars')}. Flags win.`, 0),
  ].join('\n\n');
}

function usage(key: keyof typeof OPTIONS): string {
  const { value } = OPTIONS[key].kind;
  return value ? `${flagOf(key)} <${value}>` : flagOf(key);
}

function about(row: Option): string {
  const shown = shownDefault(row);
  return shown ? `${row.help} [${shown.replaceAll('`', '')}]` : row.help;
}

/** Breaks one line at spaces, indenting what follows. */
function wrap(line: string, indent: number): string {
  if (line.length <= WIDTH) return line;
  const cut = line.lastIndexOf(' ', WIDTH);
  return `${line.slice(0, cut)}\n${wrap(' '.repeat(indent) + line.slice(cut + 1), indent)}`;
}
