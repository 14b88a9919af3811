// What browseros-mcp says: facts on stdout, errors on stderr, and with DEBUG=mcp:* all that happens.
import { setTimeout } from 'node:timers/promises';
import { type Log, makeLog } from '../../config/log.ts';

/** Characters that may wait for a parent that does not read; what comes on top is lost. */
const MOST_WAITING = 1_000_000;
/** How long, in ms, such a parent is waited for at the end. */
const FLUSH_MS = 500;

export const print = (line: string): void => write(process.stdout, line);

export const printError = (line: string): void => write(process.stderr, line);

function write(stream: NodeJS.WriteStream, line: string): void {
  if (stream.writableLength < MOST_WAITING) stream.write(`${line}\n`);
}

/** Settles when all that was written is out, also through a pipe. */
export async function flushed(): Promise<void> {
  const streams = [process.stdout, process.stderr];
  const out = streams.map(stream => new Promise<void>(done => stream.write('', () => done())));
  await Promise.race([Promise.all(out), setTimeout(FLUSH_MS)]);
}

/** The name by which DEBUG turns it on. */
const NAMESPACE = 'mcp:log';

export const logFor = (debug: string | undefined): Log => makeLog(isOn(debug) ? 'debug' : 'warn');

/** `DEBUG=mcp:*,-other`: names with stars, with commas or spaces between; a dash takes out. */
function isOn(debug = ''): boolean {
  const fitting = debug.split(/[\s,]+/).filter(name => fits(name.replace(/^-/, '')));
  return fitting.length > 0 && !fitting.some(name => name.startsWith('-'));
}

function fits(pattern: string): boolean {
  const parts = pattern.split('*').map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return pattern !== '' && new RegExp(`^${parts.join('.*')}$`).test(NAMESPACE);
}
