// What Chrome hands over: a file with an event on each line, written as they come, up to a size.
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { SavedFile } from '../picture.ts';

/** What is more is not kept: nobody could read it in time. */
const MOST_BYTES = 150_000_000;

/** Where its reader leaves what may be kept of it. */
export const filteredPath = (path: string): string => `${path}.kept`;

export class TraceFile {
  /** Not everything was kept. */
  cut = false;
  readonly #stream: WriteStream;
  readonly #written: Promise<void>;
  #bytes = 0;

  constructor(
    readonly path: string,
    readonly started: number,
    readonly most = MOST_BYTES,
  ) {
    // It is of the whole browser: nobody else's business.
    this.#stream = createWriteStream(path, { mode: 0o600 });
    this.#written = finished(this.#stream);
    this.#written.catch(() => undefined); // whoever ends it is told
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

  /** Gives its name to what its reader has kept. */
  async saveAs(path: string): Promise<SavedFile> {
    await rename(filteredPath(this.path), path);
    return { path, bytes: (await stat(path)).size };
  }
}
