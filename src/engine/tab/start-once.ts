// SharedStart: the start of a session's window or first tab, once for all calls that wait for it. A call that is cancelled does not stop it.
import { Failure } from '../../errors.ts';
import { bounded, type Limits, under, unlimited } from '../limits.ts';

export class SharedStart<T> {
  #running: Promise<T> | undefined;
  readonly #end = new AbortController();
  readonly #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Waits for the start that is under way, or begins one. */
  run(start: (limits: Limits) => Promise<T>, limits: Limits): Promise<T> {
    this.#running ??= this.#begin(start).finally(() => {
      this.#running = undefined;
    });
    return under(limits.signal, this.#running);
  }

  /** Aborts a start that is under way; settles when it is over. */
  async end(why: Failure): Promise<void> {
    this.#end.abort(why);
    await this.#running?.catch(() => undefined); // the calls that wait for it fail with the reason
  }

  #begin(start: (limits: Limits) => Promise<T>): Promise<T> {
    const late = () => new Failure('timeout', 'The browser was not ready in time.', 'Call again.');
    return bounded(unlimited(this.#end.signal), this.#ms, late, start);
  }
}
