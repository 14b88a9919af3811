// How much is under way at once, of one caller and in all.
import type { Caller } from '../../session/server.ts';
import { later } from './refuse.ts';
import { within } from './within.ts';

export interface RequestLimits {
  messages: number;
  /** Of one caller: nobody takes every place. */
  messagesPerCaller: number;
}

export class RequestLimiter {
  readonly #limits: RequestLimits;
  readonly #byCaller = new Map<string, number>();
  #all = 0;
  #waiting: (() => void)[] = [];

  constructor(limits: RequestLimits) {
    this.#limits = limits;
  }

  /** Takes a place; the returned function gives it back, once. */
  enter({ id }: Caller): () => void {
    const own = this.#byCaller.get(id) ?? 0;
    if (this.#all >= this.#limits.messages) throw later('calls', 'Too many calls at once. Try again soon.', 1);
    if (own >= this.#limits.messagesPerCaller)
      throw later('caller_calls', `You have ${own} calls under way, the most for one caller. Wait for some to end.`, 1);
    this.#all++;
    this.#byCaller.set(id, own + 1);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#leave(id);
    };
  }

  /** Settles when nothing is under way, or the time is over. */
  async empty(ms: number): Promise<void> {
    if (this.#all > 0) await within(ms, done => this.#waiting.push(done));
  }

  #leave(id: string): void {
    this.#all--;
    if (this.#all === 0) for (const tell of this.#waiting.splice(0)) tell();
    const own = (this.#byCaller.get(id) ?? 1) - 1;
    if (own > 0) this.#byCaller.set(id, own);
    else this.#byCaller.delete(id);
  }
}
