// Questions that wait for a person: each answer counts once, for the very call that was asked about, and not for long.
import { randomBytes } from 'node:crypto';

/** How long a person may take to answer, in ms. */
export const APPROVAL_MS = 5 * 60_000;

/** Open questions of one caller; the oldest is forgotten first. */
const MOST_OPEN = 20;

/** A question: exactly which call it is about, with what was agreed to before for the same call, and which rule wants it. */
interface Question {
  about: readonly string[];
  rule: string;
}

interface Open extends Question {
  caller: string;
  expires: number;
}

export class Approvals {
  readonly #open = new Map<string, Open>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Opens a question; its id cannot be guessed. */
  ask(question: Question, caller: string): string {
    this.#forget(caller);
    const id = randomBytes(24).toString('base64url');
    this.#open.set(id, { ...question, caller, expires: this.#now() + APPROVAL_MS });
    return id;
  }

  /** The question of that id, which is closed by this; undefined when the caller has no such question, or no more. */
  take(id: string, caller: string): Question | undefined {
    const open = this.#open.get(id);
    if (open?.caller !== caller) return undefined;
    this.#open.delete(id);
    return open.expires > this.#now() ? open : undefined;
  }

  #forget(caller: string): void {
    for (const [id, { expires }] of this.#open) if (expires <= this.#now()) this.#open.delete(id);
    const own = [...this.#open].filter(([, open]) => open.caller === caller);
    for (const [id] of own.slice(0, Math.max(0, own.length - MOST_OPEN + 1))) this.#open.delete(id);
  }
}
