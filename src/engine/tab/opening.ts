// Opening: the start of a session's window, once for all calls that wait for it. A call that is cancelled does not stop it.
import { Failure } from '../../errors.ts';
import { type Limits, under, unlimited, within } from '../limits.ts';

/** On top of the time for a start: what comes back has bounds of its own, which end before. */
const COME_BACK_MS = 40_000;

export class Opening {
  #running: Promise<void> | undefined;
  readonly #end = new AbortController();
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = ms + COME_BACK_MS;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Waits for the start that is under way, or begins one. */
  run(start: (limits: Limits) => Promise<void>, limits: Limits): Promise<void> {
    this.#running ??= this.#begin(start).finally(() => {
      this.#running = undefined;
    });
    return under(limits.signal, this.#running);
  }

  /** Ends a start that is under way; settles when it is over. */
  async end(why: Failure): Promise<void> {
    this.#end.abort(why);
    await this.#running?.catch(() => undefined); // whoever waits for it is told
  }

  async #begin(start: (limits: Limits) => Promise<void>): Promise<void> {
    const bound = within(
      unlimited(this.#end.signal),
      this.#ms,
      () => new Failure('timeout', 'The browser was not ready in time.', 'Call again.'),
    );
    try {
      await start(bound);
    } finally {
      bound.done();
    }
  }
}
