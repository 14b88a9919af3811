// Has a trace read, by a process of its own: it takes seconds and much memory, and ends when it takes too much of either.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Limits } from '../limits.ts';
import type { TraceReadResult } from './report.ts';
import type { TraceFile } from './trace-file.ts';

const READ_MS = 60_000;
const MOST_MB = 1_024;
const MOST_OUTPUT = 5_000_000;

export type TraceFormat = 'plain' | 'gzip' | 'none';

/** What may be kept of it is left beside it, in the form that is asked for. */
export function readTrace(
  { path, started }: Pick<TraceFile, 'path' | 'started'>,
  form: TraceFormat,
  { signal }: Limits,
): Promise<TraceReadResult> {
  const options = {
    timeout: READ_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MOST_OUTPUT,
    windowsHide: true,
    signal,
  } as const;
  return new Promise((resolve, reject) => {
    const args = [...command(), path, new Date(started).toISOString(), form];
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (!error) resolve(JSON.parse(stdout) as TraceReadResult);
      else if (signal.aborted) reject(signal.reason);
      else resolve({ events: 0, unread: error.killed ? 'it took too long' : reasonIn(stderr) });
    });
  });
}

/** From source, Node needs help with TypeScript; Bun does not, and does not know Node's switches. */
function command(): string[] {
  const isSource = import.meta.url.endsWith('.ts');
  const reader = fileURLToPath(new URL(isSource ? './reader-process.ts' : './trace-reader.js', import.meta.url));
  if (process.versions.bun !== undefined) return [reader];
  const loader = isSource ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : [];
  return [`--max-old-space-size=${MOST_MB}`, ...loader, reader];
}

function reasonIn(stderr: string): string {
  if (/heap out of memory/i.test(stderr)) return 'it is too large';
  return `its reader ended: ${/^(?:\w*Error|error): (.*)$/m.exec(stderr)?.[1] ?? 'without a word'}`;
}
