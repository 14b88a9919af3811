// Has a trace read, by a process of its own: it takes seconds and much memory, and ends when it takes too much of either.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Limits } from '../limits.ts';
import type { Read } from './reading.ts';

const READ_MS = 60_000;
const MOST_MB = 1_024;
const MOST_OUTPUT = 5_000_000;

export function readTrace(path: string, { signal }: Limits): Promise<Read> {
  const options = {
    timeout: READ_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT,
    windowsHide: true,
    signal,
  } as const;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...command(), path], options, (error, stdout, stderr) => {
      if (!error) resolve(JSON.parse(stdout) as Read);
      else if (signal.aborted) reject(signal.reason);
      else resolve({ unread: error.killed ? 'it took too long' : reasonIn(stderr) });
    });
  });
}

/** From source, Node needs help with TypeScript; Bun does not, and does not know Node's switches. */
function command(): string[] {
  const isSource = import.meta.url.endsWith('.ts');
  const reader = fileURLToPath(new URL(isSource ? './reader.ts' : './trace-reader.js', import.meta.url));
  if (process.versions.bun !== undefined) return [reader];
  const loader = isSource ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : [];
  return [`--max-old-space-size=${MOST_MB}`, ...loader, reader];
}

const reasonIn = (stderr: string): string =>
  /heap out of memory/i.test(stderr) ? 'it is too large' : `its reader ended: ${stderr.trim().split('\n').at(-1)}`;
