// People at the page: what waits for them, approvals that a rule wants, and how they answer. Each answer counts once.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';

export type PersonAnswer = 'accept' | 'decline' | 'cancel';

/** A call that waits for a yes. */
export interface WaitingCall {
  /** Of this wait: the id of the question itself is told to nobody. */
  id: string;
  /** The key of the session, when it is known. */
  session: string | undefined;
  caller: string;
  tool: string;
  rule: string;
  question: string;
  /** In ms since 1970. */
  asked: number;
  until: number;
}

type Asked = Omit<WaitingCall, 'id' | 'asked' | 'until'>;

/** What one person agreed to for a whole session, at most. */
const MOST_GRANTED = 500;

export class People extends EventEmitter<{ change: [] }> {
  /** How many are there who may approve. */
  approvers = 0;
  readonly #waiting = new Map<string, WaitingCall & { settle(answer: PersonAnswer): void }>();
  readonly #granted = new Set<string>();

  get waiting(): readonly WaitingCall[] {
    return [...this.#waiting.values()];
  }

  /** Puts the question; nobody answers within so many ms: cancel. */
  ask(asked: Asked, ms: number, signal?: AbortSignal): Promise<PersonAnswer> {
    if (this.#granted.has(grantOf(asked))) return Promise.resolve('accept');
    const id = randomBytes(12).toString('base64url');
    return new Promise(resolve => {
      const settle = (answer: PersonAnswer) => {
        clearTimeout(late);
        signal?.removeEventListener('abort', gone);
        this.#waiting.delete(id);
        this.emit('change');
        resolve(answer);
      };
      const gone = () => settle('cancel');
      const late = setTimeout(gone, ms);
      signal?.addEventListener('abort', gone, { once: true });
      const now = Date.now();
      this.#waiting.set(id, { ...asked, id, asked: now, until: now + ms, settle });
      this.emit('change');
      if (signal?.aborted) gone();
    });
  }

  /** False when that wait is over. With `session`, later calls of the same tool, caller, session and rule need no answer. */
  answer(id: string, answer: 'once' | 'session' | 'refuse'): boolean {
    const waiting = this.#waiting.get(id);
    if (answer === 'session' && waiting && this.#granted.size < MOST_GRANTED) this.#granted.add(grantOf(waiting));
    waiting?.settle(answer === 'refuse' ? 'decline' : 'accept');
    return waiting !== undefined;
  }

  /** What was agreed to for a session ends with it. */
  forget(session: string): void {
    for (const grant of this.#granted) if (JSON.parse(grant)[0] === session) this.#granted.delete(grant);
  }
}

const grantOf = ({ session, caller, tool, rule }: Asked): string => JSON.stringify([session, caller, tool, rule]);
