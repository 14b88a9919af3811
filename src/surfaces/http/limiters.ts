// Limits of what is under way at once: connections, requests of one caller and of all, and calls.
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Call, Result } from '../../call/call.ts';
import { failureText } from '../../call/present.ts';
import { Failure } from '../../errors.ts';
import { type Caller, isOwner, OWNER_IDS } from '../../session/callers.ts';
import type { HttpLimits } from './limits.ts';
import { retryLater } from './refuse.ts';

/** Connections beyond the limit that still get a response; what comes on top is cut. */
const SURPLUS = 64;

/** A connection beyond the limit gets a response that says so, rather than none. */
export class ConnectionLimiter {
  readonly #surplus = new WeakSet<Duplex>();
  readonly #most: number;
  #open = 0;

  constructor(server: Server, most: number) {
    this.#most = most;
    server.maxConnections = most + SURPLUS;
    server.on('connection', socket => {
      this.#open++;
      socket.once('close', () => this.#open--);
      if (this.#open <= most) return;
      this.#surplus.add(socket);
      // Those that only wait for a next request make room.
      server.closeIdleConnections();
    });
  }

  get count(): number {
    return this.#open;
  }

  check(socket: Duplex): void {
    if (this.#open <= this.#most || !this.#surplus.has(socket)) return;
    const message = `There are ${this.#most} connections, the most at once. Try again soon.`;
    throw retryLater('connections', message, 1, { connection: 'close' });
  }
}

/** All clients of the owner count together, however many ids they have. */
const personOf = ({ id }: Caller): string => (isOwner(id) ? OWNER_IDS.local : id);

/** Counts what is under way, in all and of each caller. */
class Running {
  readonly #byCaller = new Map<string, number>();
  #count = 0;
  #onIdle: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  countOf(caller: Caller): number {
    return this.#byCaller.get(personOf(caller)) ?? 0;
  }

  /**
   * Whoever has none may always begin one: callers are as many as there are tokens. Whoever has some leaves as many
   * places free for others, so that no few callers take all of them.
   */
  hasRoom(caller: Caller, most: number): boolean {
    const own = this.countOf(caller);
    return own === 0 || own <= most - this.#count;
  }

  begin(caller: Caller): void {
    this.#count++;
    this.#byCaller.set(personOf(caller), this.countOf(caller) + 1);
  }

  end(caller: Caller): void {
    const left = this.countOf(caller) - 1;
    if (left > 0) this.#byCaller.set(personOf(caller), left);
    else this.#byCaller.delete(personOf(caller));
    this.#count--;
    if (this.#count === 0) for (const done of this.#onIdle.splice(0)) done();
  }

  /** Settles when nothing is under way, or after so many ms. */
  async idle(ms: number): Promise<void> {
    if (this.#count > 0) await within(ms, done => this.#onIdle.push(done));
  }
}

export class RequestLimiter extends Running {
  readonly #limits: HttpLimits;

  constructor(limits: HttpLimits) {
    super();
    this.#limits = limits;
  }

  /** Counts a request of the caller; the returned function ends that, once. */
  enter(caller: Caller): () => void {
    const own = this.countOf(caller);
    if (own >= this.#limits.messagesPerCaller) {
      const message = `You have ${own} calls under way, the most for one caller. Wait for some to end.`;
      throw retryLater('caller_calls', message, 1);
    }
    if (!this.hasRoom(caller, this.#limits.messages)) {
      const message = `Too many calls at once, ${own} of them yours; the places left are for others. Try again soon.`;
      throw retryLater('calls', message, 1);
    }
    this.begin(caller);
    let isIn = true;
    return () => {
      if (isIn) this.end(caller);
      isIn = false;
    };
  }
}

/** Seconds after which another server may be there. */
const AGAIN_S = 10;
const ENDING = 'The server is ending and takes no new calls.';

/** Clients that leave do not end their calls, so the limit of connections alone does not bound calls. */
export class CallLimiter extends Running {
  readonly #most: number;
  #isEnding = false;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** From here on, only the running calls go on. */
  refuseNew(): void {
    this.#isEnding = true;
  }

  checkOpen(): void {
    if (this.#isEnding) throw retryLater('ending', ENDING, AGAIN_S);
  }

  async run(call: Call, run: (call: Call) => Promise<Result>): Promise<Result> {
    const failure = this.#refusal(call.caller);
    if (failure) return { ok: false, tool: call.name, text: failureText(failure), failure, pictures: [], ms: 0 };
    this.begin(call.caller);
    try {
      return await run(call);
    } finally {
      this.end(call.caller);
    }
  }

  #refusal(caller: Caller): Failure | undefined {
    if (this.#isEnding) return new Failure('cancelled', ENDING, 'Connect again when it is back.');
    if (this.hasRoom(caller, this.#most)) return undefined;
    const message = `${this.count} calls run already, ${this.countOf(caller)} of them yours; the places left are for others.`;
    return new Failure('rate_limited', message, 'Wait for some of yours to end.');
  }
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
