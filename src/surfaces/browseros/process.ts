// The process contract of browseros-mcp: two ports as arguments, lines on stdout and stderr, exit codes. Its parent reads all three.
import { setTimeout } from 'node:timers/promises';
import { type Log, makeLog } from '../../config/log.ts';

export interface Ports {
  cdpPort: number;
  mcpPort: number;
}

const NAMES = ['--cdp-port', '--mcp-port'] as const;
type Name = (typeof NAMES)[number];

const USAGE = 'Usage: browseros-mcp --cdp-port=<port> --mcp-port=<port>';
const MAX_PORT = 65_535;
const MAX_SHOWN = 100;

/** The two ports, each once and as --name=value; a Stop that names everything that is wrong. */
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

/** Digits alone: other numbers of JavaScript (1e3, 0x50, spaces) are slips here. */
const isPort = (value: string): boolean => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= MAX_PORT;

/** On one line, and not endless. */
const shown = (word: string): string => word.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?').slice(0, MAX_SHOWN);

export const EXIT_CODES = { arguments: 1, cdp: 2, bind: 3 } as const;

/** Why the process ends early: the parent reads the exit code, people the lines on stderr. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly lines: readonly string[];

  /** Each line states one fact, so that a parent can look for it. */
  constructor(
    readonly reason: keyof typeof EXIT_CODES,
    ...lines: string[]
  ) {
    super(lines.join('\n'));
    this.lines = lines;
  }

  get exitCode(): number {
    return EXIT_CODES[this.reason];
  }
}

/** Characters that may wait for a parent that does not read; further lines are dropped. */
const MAX_UNREAD = 1_000_000;
/** How long, in ms, such a parent is waited for at the exit. */
const FLUSH_MS = 500;

export const print = (line: string): void => write(process.stdout, line);

export const printError = (line: string): void => write(process.stderr, line);

function write(stream: NodeJS.WriteStream, line: string): void {
  if (stream.writableLength < MAX_UNREAD) stream.write(`${line}\n`);
}

/** Resolves when all output has been read, also through a pipe. */
export async function flushed(): Promise<void> {
  const streams = [process.stdout, process.stderr];
  const out = streams.map(stream => new Promise<void>(done => stream.write('', () => done())));
  await Promise.race([Promise.all(out), setTimeout(FLUSH_MS)]);
}

/** The name by which DEBUG turns the log on. */
const NAMESPACE = 'mcp:log';

export const logFor = (debug: string | undefined): Log => makeLog(isOn(debug) ? 'debug' : 'error');

/** `DEBUG=mcp:*,-other`: names with stars, with commas or spaces between; a dash takes out. */
function isOn(debug = ''): boolean {
  const fitting = debug.split(/[\s,]+/).filter(name => fits(name.replace(/^-/, '')));
  return fitting.length > 0 && !fitting.some(name => name.startsWith('-'));
}

function fits(pattern: string): boolean {
  const parts = pattern.split('*').map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return pattern !== '' && new RegExp(`^${parts.join('.*')}$`).test(NAMESPACE);
}
