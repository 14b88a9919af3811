// The lease of a person who has stepped into a session: while it lasts, calls that act wait a while or are told so; reads go on.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Failure, refusedBy } from '../errors.ts';

/** How long a lease lasts without a sign of its holder, and how long a call that acts waits for its end. In ms. */
const LEASE_MS = 15_000;
const PATIENCE_MS = 10_000;

interface Held {
  id: string;
  holder: string;
  /** In ms since 1970. */
  since: number;
  /** Something was done with it. */
  hasActed: boolean;
  timer: NodeJS.Timeout;
}

/** What is known of a lease that has ended. */
export interface EndedLease extends Pick<Held, 'holder' | 'since' | 'hasActed'> {
  /** Its holder did not say so: no sign came of it any more. */
  hasLapsed: boolean;
}

export class Lease extends EventEmitter<{ taken: []; ended: [lease: EndedLease] }> {
  #held: Held | undefined;

  constructor() {
    super();
    // One for each call that waits.
    this.setMaxListeners(0);
  }

  get state(): Pick<Held, 'holder' | 'since'> | undefined {
    return this.#held;
  }

  /** Its id, which its holder alone knows. */
  take(holder: string): string {
    if (this.#held)
      throw refusedBy(
        'one person at a time',
        `${this.#held.holder} has stepped in already.`,
        'Wait until it is handed back.',
      );
    const id = randomBytes(18).toString('base64url');
    this.#held = { id, holder, since: Date.now(), hasActed: false, timer: this.#expiry() };
    this.emit('taken');
    return id;
  }

  /** A sign of the holder. */
  beat(id: string): void {
    const held = this.#check(id);
    clearTimeout(held.timer);
    held.timer = this.#expiry();
  }

  /** The holder acts. */
  use(id: string): void {
    this.#check(id).hasActed = true;
  }

  release(id: string): void {
    this.#check(id);
    this.#end(false);
  }

  isHeldBy(id: string | undefined): boolean {
    return id !== undefined && this.#held !== undefined && same(id, this.#held.id);
  }

  /** Settles when nobody has stepped in; a Failure after a while. */
  async free(signal: AbortSignal): Promise<void> {
    if (!this.#held) return;
    const { holder, since } = this.#held;
    await new Promise<void>((resolve, reject) => {
      const done = (settle: () => void) => () => {
        clearTimeout(timer);
        this.off('ended', ended);
        signal.removeEventListener('abort', aborted);
        settle();
      };
      const ended = done(resolve);
      const aborted = done(() => reject(signal.reason));
      const timer = setTimeout(
        done(() => reject(paused(holder, since))),
        PATIENCE_MS,
      );
      this.on('ended', ended);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  /** For a call whose turn came after a person had stepped in. */
  checkFree(): void {
    if (this.#held) throw paused(this.#held.holder, this.#held.since);
  }

  #check(id: string): Held {
    if (this.#held && same(id, this.#held.id)) return this.#held;
    throw refusedBy('lease', 'You have not stepped in, or no more: nothing was done.', 'Take over first.');
  }

  #expiry(): NodeJS.Timeout {
    return setTimeout(() => this.#end(true), LEASE_MS).unref();
  }

  #end(hasLapsed: boolean): void {
    const held = this.#held;
    if (!held) return;
    clearTimeout(held.timer);
    this.#held = undefined;
    const { holder, since, hasActed } = held;
    this.emit('ended', { holder, since, hasActed, hasLapsed });
  }
}

const same = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const paused = (holder: string, since: number): Failure =>
  new Failure(
    'paused_by_person',
    `A person (${holder}) has taken over this session ${Math.round((Date.now() - since) / 1_000)} s ago; nothing was done.`,
    'Reading goes on meanwhile. Call again later: the first answer after the person has handed back says so.',
  );
