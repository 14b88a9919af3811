// Capture: what is kept of one stream of a child, however much it writes.
import { StringDecoder } from 'node:string_decoder';
import { JSON_LIMIT } from '../constants.ts';
import { type Bounded, bound, looksLikeJson, parseJson } from './output.ts';

export class Capture {
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

  /** The text within its limit; JSON stays whole, and comes with its value. */
  end(): Bounded & { json: unknown } {
    this.#add(this.#decoder.end());
    const json = this.#readsJson && this.#isWhole() ? parseJson(this.#text) : null;
    return json === null
      ? { ...bound(this.#text, this.#limit, this.#length), json }
      : { text: this.#text, cut: false, json };
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
