// The output of a run: captured within its limit, read as JSON, and saved to files.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { Failure } from '../../errors.ts';
import { JSON_LIMIT } from '../constants.ts';

export interface Truncated {
  text: string;
  cut: boolean;
}

/** At most `limit` characters, the mark of the cut included. `length` is how long the text was before it was captured. */
export function truncate(text: string, limit: number, mark = '[cut]', length = text.length): Truncated {
  if (length <= limit && text.length <= limit) return { text, cut: false };
  const end = `\n${mark}`;
  if (end.length > limit) return { text: head(text, limit), cut: true };
  return { text: head(text, limit - end.length) + end, cut: true };
}

/** Never half of a pair of surrogates. */
function head(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

export const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text);

/** The value of a text that is JSON; null for anything else, half a JSON included. */
export function parseJson(text: string): unknown {
  if (!looksLikeJson(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Captures one stream of a child process, in bounded memory however much the process writes. */
export class OutputCapture {
  readonly #decoder = new StringDecoder('utf8');
  readonly #limit: number;
  readonly #readsJson: boolean;
  #text = '';
  #length = 0;
  #most: number | undefined;

  constructor(limit: number, { readsJson }: { readsJson: boolean }) {
    this.#limit = limit;
    this.#readsJson = readsJson;
  }

  write(chunk: Buffer): void {
    this.#add(this.#decoder.write(chunk));
  }

  /** The text behind `before`, both within the limit; JSON stays whole, and comes with its value. `path` is the file that has all of it. */
  end(path: string | undefined, before = ''): Truncated & { json: unknown } {
    this.#add(this.#decoder.end());
    const json = this.#readsJson && this.#isWhole() ? parseJson(this.#text) : null;
    if (json !== null) return { text: this.#text, cut: false, json };
    const begin = before && this.#length > 0 ? `${before}\n` : before;
    const mark = `[cut: ${this.#length} characters in all; ${path ? `they are in ${path}` : 'save_output_path keeps them'}]`;
    const { text, cut } = truncate(this.#text, this.#limit - begin.length, mark, this.#length);
    return { text: begin + text, cut, json };
  }

  #isWhole(): boolean {
    return this.#text.length === this.#length;
  }

  #add(text: string): void {
    const isWhole = this.#isWhole();
    this.#length += text.length;
    if (!isWhole) return;
    this.#text += text;
    if (this.#most === undefined && /\S/.test(text)) this.#most = this.#bound();
    if (this.#text.length > (this.#most ?? this.#limit)) this.#text = this.#text.slice(0, this.#limit);
  }

  /** Told by its first character: only what may be JSON is worth more memory. */
  #bound(): number {
    return this.#readsJson && looksLikeJson(this.#text) ? JSON_LIMIT : this.#limit;
  }
}

/** Writes the output to a file while the process runs, so that a long output needs no memory. The file appears when it is whole. */
export class OutputFile {
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

/** Where stderr is saved beside stdout. */
export const stderrPath = (path: string): string => `${path}.stderr`;

/** The output of one call in files: stdout in one, and stderr, when there is any, in another beside it. */
export class OutputFiles {
  readonly path: string;
  readonly #stdout: OutputFile;
  #stderr: OutputFile | undefined;

  constructor(path: string) {
    this.path = path;
    this.#stdout = new OutputFile(path);
  }

  write(chunk: Buffer, stream: 'stdout' | 'stderr'): void {
    if (stream === 'stdout') this.#stdout.write(chunk);
    else if (chunk.length > 0) {
      this.#stderr ??= new OutputFile(stderrPath(this.path));
      this.#stderr.write(chunk);
    }
  }

  /** Why not all of it could be saved; undefined when the files are there. */
  end(): Failure | undefined {
    const failure = this.#stdout.end() ?? this.#stderr?.end();
    if (failure) this.drop();
    return failure;
  }

  /** There is nothing to save. */
  drop(): void {
    this.#stdout.drop();
    this.#stderr?.drop();
  }
}
