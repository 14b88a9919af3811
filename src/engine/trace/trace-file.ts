// The file of a recorded trace: one event per line, written as Chrome sends them, up to a size; read by a process of its own.
import { execFile } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Limits } from '../limits.ts';
import { ownProgram } from '../own-program.ts';
import type { SavedFile } from '../picture.ts';
import type { TraceReadResult } from './report.ts';

/** Events beyond are dropped: a larger trace could not be read in time. */
const MOST_BYTES = 150_000_000;

/** The file in which the reader leaves the events of the traced page. */
export const filteredPath = (path: string): string => `${path}.kept`;

export class TraceFile {
  /** Some events were dropped. */
  cut = false;
  readonly #stream: WriteStream;
  readonly #written: Promise<void>;
  #bytes = 0;

  constructor(
    readonly path: string,
    readonly started: number,
    readonly most = MOST_BYTES,
  ) {
    // The trace is about the whole browser: only this user may read it.
    this.#stream = createWriteStream(path, { mode: 0o600 });
    this.#written = finished(this.#stream);
    this.#written.catch(() => undefined); // end() gives the error
  }

  write(events: readonly object[]): void {
    for (const event of events) {
      if (this.#bytes > this.most) {
        this.cut = true;
        return;
      }
      const line = `${JSON.stringify(event)}\n`;
      this.#bytes += Buffer.byteLength(line);
      this.#stream.write(line);
    }
  }

  async end(): Promise<void> {
    this.#stream.end();
    await this.#written;
  }

  async remove(): Promise<void> {
    await Promise.all([this.path, filteredPath(this.path)].map(path => rm(path, { force: true })));
  }

  /** Moves the filtered file to where the caller wants it. */
  async saveAs(path: string): Promise<SavedFile> {
    await rename(filteredPath(this.path), path);
    return { path, bytes: (await stat(path)).size };
  }
}

/** Reading takes seconds and much memory, so both are limited. */
const READ_MS = 60_000;
const MOST_MB = 1_024;
const MOST_OUTPUT = 5_000_000;

export type TraceFormat = 'plain' | 'gzip' | 'none';

/** Unless the format is none, the events of the traced page are left in a file beside the trace (filteredPath). */
export function readTrace(
  { path, started }: Pick<TraceFile, 'path' | 'started'>,
  format: TraceFormat,
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
    const program = ownProgram('./trace/trace-reader.ts', `--max-old-space-size=${MOST_MB}`);
    const args = [...program, path, new Date(started).toISOString(), format];
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (!error) resolve(JSON.parse(stdout) as TraceReadResult);
      else if (signal.aborted) reject(signal.reason);
      else resolve({ events: 0, unread: error.killed ? 'it took too long' : reasonIn(stderr) });
    });
  });
}

function reasonIn(stderr: string): string {
  if (/heap out of memory/i.test(stderr)) return 'it is too large';
  return `its reader ended: ${/^(?:\w*Error|error): (.*)$/m.exec(stderr)?.[1] ?? 'without a word'}`;
}
