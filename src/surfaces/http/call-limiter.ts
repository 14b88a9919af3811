// The calls that run for HTTP clients: how many at once, and none that is new when the server ends.
import type { Call, Result } from '../../call/call.ts';
import { type Code, Failure } from '../../errors.ts';
import { later } from './refuse.ts';
import { within } from './within.ts';

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
