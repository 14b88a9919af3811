// SessionSaver: saves one session for the next start, a moment after its calls and when it ends. Never delays or fails a call.
import type { Log } from '../../config/log.ts';
import { bounded, unlimited } from '../../engine/limits.ts';
import type { Context } from '../../engine/tab/context.ts';
import { Failure } from '../../errors.ts';
import type { SavedSession, SessionDirectory, SessionFacts } from './directory.ts';

/** After the last call, in ms; and at most so long after the first that was not saved yet. */
const QUIET = 1_000;
const LONGEST = 5_000;
/** How long one look at the browser may take. */
const LOOK = 4_000;
/** At the end there is less time. */
const LAST_LOOK = 2_000;
const MINUTE = 60_000;

export class SessionSaver {
  readonly #facts: () => SessionFacts;
  readonly #context: Context;
  readonly #directory: SessionDirectory;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  /** When the first call ended that is not saved yet. */
  #since: number | undefined;
  #saving: Promise<void> = Promise.resolve();
  #written = '';
  #off = false;
  #hasWarned = false;

  constructor(facts: () => SessionFacts, context: Context, directory: SessionDirectory, log: Log) {
    this.#facts = facts;
    this.#context = context;
    this.#directory = directory;
    this.#log = log;
  }

  /** Saves the session soon: something may have changed. */
  schedule(): void {
    if (this.#off) return;
    const now = Date.now();
    this.#since ??= now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#queue(LOOK),
      Math.max(0, Math.min(QUIET, this.#since + LONGEST - now)),
    ).unref();
  }

  /** Saves it for the last time. */
  async finish(): Promise<void> {
    this.#stop();
    await this.#queue(LAST_LOOK);
    this.#off = true;
  }

  /** Saves it no more, and waits until nothing is being written. */
  async drop(): Promise<void> {
    this.#off = true;
    this.#stop();
    await this.#saving;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#since = undefined;
  }

  #queue(ms: number): Promise<void> {
    this.#stop();
    this.#saving = this.#saving.then(() => this.#save(ms));
    return this.#saving;
  }

  async #save(ms: number): Promise<void> {
    if (this.#off) return;
    const late = () => new Failure('timeout', `the browser did not answer within ${ms} ms`);
    try {
      const read = await bounded(unlimited(), ms, late, limits => this.#context.readState(limits));
      const state = read ?? this.#context.kind.sessionState?.state;
      if (state) await this.#write({ ...this.#facts(), state });
      this.#hasWarned = false;
    } catch (error) {
      // The next call, or the end, tries again.
      const line = `session ${this.#facts().name} could not be saved: ${error instanceof Error ? error.message : error}`;
      if (this.#hasWarned) this.#log.debug(line);
      else this.#log.warn(line);
      this.#hasWarned = true;
    }
  }

  async #write(session: SavedSession): Promise<void> {
    const { lastActivity, state, ...facts } = session;
    // An unchanged session is not written again: another server may have it open, too.
    const text = JSON.stringify([facts, Math.floor(lastActivity / MINUTE), { ...state, at: 0 }]);
    if (this.#off || text === this.#written) return;
    await this.#directory.write(session);
    this.#written = text;
  }
}
