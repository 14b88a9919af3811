// The arguments of browseros-mcp: the two ports, each once and as --name=value, and nothing else.
import { Stop } from './stop.ts';

export interface Ports {
  cdpPort: number;
  mcpPort: number;
}

const NAMES = ['--cdp-port', '--mcp-port'] as const;
type Name = (typeof NAMES)[number];

const USAGE = 'Usage: browseros-mcp --cdp-port=<port> --mcp-port=<port>';
const HIGHEST = 65_535;
const LONGEST_SHOWN = 100;

/** The ports; a Stop that names everything that is wrong. */
export function parseArgs(argv: readonly string[]): Ports {
  const unknown = argv.filter(word => !NAMES.some(name => isFor(name, word)));
  const wrong = [
    ...NAMES.flatMap(name => faultOf(name, valuesOf(name, argv)) ?? []),
    ...unknown.map(word => `Unknown argument ${shown(word)}`),
  ];
  if (wrong.length > 0) throw new Stop('arguments', ...wrong.map(fault => `Error: ${fault}`), USAGE);
  return { cdpPort: portOf('--cdp-port', argv), mcpPort: portOf('--mcp-port', argv) };
}

const isFor = (name: Name, word: string): boolean => word === name || word.startsWith(`${name}=`);

const valuesOf = (name: Name, argv: readonly string[]): string[] =>
  argv.filter(word => isFor(name, word)).map(word => word.slice(name.length + 1));

const portOf = (name: Name, argv: readonly string[]): number => Number(valuesOf(name, argv)[0]);

function faultOf(name: Name, values: readonly string[]): string | undefined {
  const [value, second] = values;
  if (value === undefined) return `Missing required argument ${name}`;
  if (second !== undefined) return `Argument ${name} is given more than once`;
  return isPort(value) ? undefined : `Invalid port number for ${name}: ${shown(value)}`;
}

/** Digits alone: what else means a number in JavaScript (1e3, 0x50, spaces) is a slip here. */
const isPort = (value: string): boolean => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= HIGHEST;

/** On one line, and not endless. */
const shown = (word: string): string => word.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?').slice(0, LONGEST_SHOWN);
