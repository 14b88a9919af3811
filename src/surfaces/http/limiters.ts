// How much is under way at once, of one caller and in all.
import type { Call, Result } from '../../call/call.ts';
import { type Code, Failure } from '../../errors.ts';
import type { Caller } from '../../session/server.ts';
import { later } from './refuse.ts';

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

/** Seconds after which another server may be there. */
const AGAIN_S = 10;
const ENDING = 'The server is ending and takes no new calls.';

export class CallLimiter {
  readonly #most: number;
  #running = 0;
  #isEnding = false;
  #waiting: (() => void)[] = [];

  /** Clients that leave do not end their calls, so connections alone do not bound them. */
  constructor(most: number) {
    this.#most = most;
  }

  get running(): number {
    return this.#running;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** From here on, only what runs goes on. */
  refuseNew(): void {
    this.#isEnding = true;
  }

  checkOpen(): void {
    if (this.#isEnding) throw later('ending', ENDING, AGAIN_S);
  }

  async run(call: Call, run: (call: Call) => Promise<Result>): Promise<Result> {
    if (this.#isEnding) return failed(call, new Failure('cancelled', ENDING, 'Connect again when it is back.'));
    if (this.#running >= this.#most)
      return failed(
        call,
        new Failure('rate_limited', `${this.#most} calls run already, the most at once.`, 'Try again soon.'),
      );
    this.#running++;
    try {
      return await run(call);
    } finally {
      this.#running--;
      if (this.#running === 0) for (const tell of this.#waiting.splice(0)) tell();
    }
  }

  /** Settles when no call runs, or the time is over. */
  async quiet(ms: number): Promise<void> {
    if (this.#running > 0) await within(ms, done => this.#waiting.push(done));
  }
}

function failed({ name }: Call, { code, message, hint }: Failure): Result {
  const failure: { code: Code; message: string; hint?: string } = { code, message, ...(hint && { hint }) };
  return { ok: false, tool: name, text: [message, hint].join('\n'), failure, pictures: [], ms: 0 };
}

/** Settles when `done` is called, or after so many ms. */
export function within(ms: number, begin: (done: () => void) => void): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
