// The file of a trace: written as the events come, up to a size, in the form that DevTools opens.
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { SavedFile } from '../values.ts';

/** What is more is not kept: nobody could read it in time. */
const MOST_BYTES = 150_000_000;

export class TraceFile {
  events = 0;
  bytes = 0;
  /** Not everything was kept. */
  cut = false;
  readonly #stream: WriteStream;
  readonly #started: number;
  readonly #written: Promise<void>;

  constructor(
    readonly path: string,
    started: number,
    readonly most = MOST_BYTES,
  ) {
    this.#stream = createWriteStream(path);
    this.#started = started;
    this.#written = finished(this.#stream);
    this.#written.catch(() => undefined); // whoever ends it is told
    this.#put('{"traceEvents":[\n');
  }

  write(events: readonly object[]): void {
    for (const event of events) {
      if (this.bytes > this.most) {
        this.cut = true;
        return;
      }
      this.#put(`${this.events++ === 0 ? '' : ',\n'}${JSON.stringify(event)}`);
    }
  }

  async end(): Promise<void> {
    const startTime = new Date(this.#started).toISOString();
    this.#put(`],\n"metadata":${JSON.stringify({ source: 'Tabwright', startTime })}}\n`);
    this.#stream.end();
    await this.#written;
  }

  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }

  /** Under another name; packed when that says so. */
  async saveAs(path: string): Promise<SavedFile> {
    if (/\.gz$/i.test(path)) {
      await pipeline(createReadStream(this.path), createGzip(), createWriteStream(path));
      await this.remove();
    } else await rename(this.path, path);
    return { path, bytes: (await stat(path)).size };
  }

  #put(text: string): void {
    this.bytes += Buffer.byteLength(text);
    this.#stream.write(text);
  }
}
