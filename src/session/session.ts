// Session: a named, isolated browser state with an owner, one queue of calls, and the time of its last one.
import type { Context } from '../engine/tab/context.ts';
import type { Failure } from '../errors.ts';
import { type Caller, isSameCaller } from './callers.ts';
import { type EndedLease, Lease } from './lease.ts';
import { Queue, type Turn, type TurnKind } from './queue.ts';
import type { SessionSaver } from './saved/session-saver.ts';

/** What a session was shown last, for callers who name pages by their index in a list and elements by snapshot. */
class LastShown {
  /** Tab ids, in the order in which the pages were listed. */
  pages: readonly number[] = [];
  /** The tab that was selected when the last answer was given. */
  selected: number | undefined;
  /** Snapshots are numbered; only the last one counts. */
  snapshot: { number: number; tab: number } | undefined;

  /** Counts a snapshot of that tab. */
  countSnapshot({ id }: { id: number }): void {
    this.snapshot = { number: (this.snapshot?.number ?? 0) + 1, tab: id };
  }
}

/** A call, as the session sees it. */
export interface SessionCall {
  readonly signal: AbortSignal;
  /** Ends the call with that failure. */
  abort(why: Failure): void;
}

export class Session {
  readonly shown = new LastShown();
  /** Of a person who has stepped in. */
  readonly lease = new Lease();
  /** Callers other than the owner may use it. */
  shared = false;
  /** Ms since 1970. */
  createdAt = Date.now();
  lastActivity = Date.now();
  /** How many calls that change something it has run. */
  deeds = 0;
  /** Set for a session that comes back after a restart. */
  saver: SessionSaver | undefined;
  /** Why the session takes no more calls. */
  refusal: Failure | undefined;
  /** Callers other than the owner who know that it is not theirs. */
  readonly #joined = new Set<string>();
  readonly #calls = new Set<SessionCall>();
  #left: (() => void) | undefined;

  constructor(
    readonly name: string,
    /** The id of the caller who made it. */
    readonly owner: string,
    readonly context: Context,
    /** Of its own, or one for all that show the same browser. */
    readonly queue = new Queue(),
  ) {
    this.lease.on('ended', lease => this.#handedBack(lease));
  }

  get isBusy(): boolean {
    return this.#calls.size > 0;
  }

  /** Waits for the call's turn in the queue. The session lives as long as the call, and the call ends with the session. */
  async turn(kind: TurnKind, call: SessionCall): Promise<Turn> {
    if (this.refusal) throw this.refusal;
    this.lastActivity = Date.now();
    this.#calls.add(call);
    try {
      const turn = await this.queue.turn(kind, call.signal);
      return { waiting: () => turn.waiting(), end: () => this.#leave(kind, call, turn) };
    } catch (error) {
      this.#leave('free', call);
      throw error;
    }
  }

  /** What a caller who uses the session of another must know; told once. */
  joinedBy({ id }: Caller, name: string): string | undefined {
    if (isSameCaller(this.owner, id) || this.#joined.has(id)) return undefined;
    this.#joined.add(id);
    return `Session ${name} is one of ${this.owner}, shared: whoever uses it sees its pages, cookies and what is typed.`;
  }

  /** The next answer says so. */
  #handedBack({ since, hasActed, hasLapsed }: EndedLease): void {
    const { active, notes } = this.context;
    const now = Date.now();
    this.lastActivity = now;
    const how = `A person took over for ${Math.max(1, Math.round((now - since) / 1_000))} s`;
    const end = hasLapsed ? 'left' : 'handed back';
    if (!hasActed) return void notes.push(`${how}, did nothing and ${end}.`);
    // A yes to a call is for the page as it was before.
    this.deeds++;
    const where = active ? ` Tab ${active.id} is now at ${active.url.slice(0, 500)}.` : '';
    notes.push(`${how}, acted and ${end}.${where} Look again: refs and what you know of the page may be out of date.`);
  }

  /** Takes no more calls. */
  refuse(why: Failure): void {
    this.refusal ??= why;
  }

  /** Settles when no call runs any more. */
  async idle(): Promise<void> {
    if (this.isBusy) await new Promise<void>(resolve => (this.#left = resolve));
  }

  /** Ends the calls that run. */
  abortCalls(why: Failure): void {
    for (const call of this.#calls) call.abort(why);
  }

  #leave(kind: TurnKind, call: SessionCall, turn?: Turn): void {
    turn?.end();
    if (!this.#calls.delete(call)) return;
    this.lastActivity = Date.now();
    if (kind !== 'free') this.saver?.schedule();
    if (!this.isBusy) this.#left?.();
  }
}
