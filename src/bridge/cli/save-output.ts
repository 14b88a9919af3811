// Saves what a program writes as it comes, so that a long output needs no memory. The file appears when it is whole.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { Failure } from '../../errors.ts';

export class Saving {
  readonly path: string;
  readonly #part: string;
  #file: number | undefined;
  #error: NodeJS.ErrnoException | undefined;

  /** Only the owner may read it: a page may show what is private. */
  constructor(path: string) {
    this.path = path;
    this.#part = `${path}.${randomUUID().slice(0, 8)}.part`;
    this.#try(() => {
      this.#file = openSync(this.#part, 'wx', 0o600);
    });
  }

  write(chunk: Buffer): void {
    const file = this.#file;
    if (file === undefined || this.#error) return;
    this.#try(() => {
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
    });
  }

  /** Why it could not be saved; undefined when the file is there. */
  end(): Failure | undefined {
    this.#close();
    if (!this.#error) this.#try(() => renameSync(this.#part, this.path));
    if (!this.#error) return undefined;
    this.drop();
    return new Failure('file_error', `The output could not be saved to ${this.path}: ${this.#error.message}.`);
  }

  /** There is nothing to save. */
  drop(): void {
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#error ??= error as NodeJS.ErrnoException;
    }
  }
}
