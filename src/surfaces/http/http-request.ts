// A visit: one HTTP request and its answer, and who sent it. Those under way are known, so that they can be ended.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../session/server.ts';
import type { TokenStore } from './auth/token-store.ts';
import type { TokenGrant } from './auth/tokens.ts';
import { within } from './limiters.ts';

export interface HttpRequest {
  req: IncomingMessage;
  res: ServerResponse;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  caller: Caller;
}

/** How often, in ms, the tokens of open visits are looked at while no request asks for it. */
const WATCH_MS = 1_000;

/** The visits under way. When a token is good no more, those that it opened are cut off. */
export class OpenRequests {
  readonly #open = new Map<ServerResponse, TokenGrant>();
  readonly #keys: TokenStore;
  readonly #onLook: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onLook` is told of every look at the keys that may have taken some away. */
  constructor(keys: TokenStore, onLook: () => void) {
    this.#keys = keys;
    this.#onLook = onLook;
  }

  /** Lets a visitor in, for as long as its answer takes. */
  async enter(req: IncomingMessage, res: ServerResponse): Promise<Caller> {
    await this.#look();
    const grant = this.#keys.admit(req.headers);
    // Gone meanwhile.
    if (res.closed) return grant.caller;
    this.#open.set(res, grant);
    res.once('close', () => this.#leave(res));
    this.#timer ??= setInterval(() => void this.#sweep(), WATCH_MS).unref();
    return grant.caller;
  }

  /** Settles when every answer is out, or the time is over. */
  async settled(ms: number): Promise<void> {
    const closed = [...this.#open.keys()].map(res => new Promise(resolve => res.once('close', resolve)));
    await within(ms, done => void Promise.all(closed).then(done));
  }

  #leave(res: ServerResponse): void {
    this.#open.delete(res);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const looking = this.#keys.look();
    if (!looking) return;
    await looking;
    this.#cutOff();
  }

  /** Also for tokens that expire while their files stay as they are. */
  async #sweep(): Promise<void> {
    await this.#keys.look();
    this.#cutOff();
  }

  #cutOff(): void {
    for (const [res, grant] of this.#open) if (!this.#keys.isGood(grant)) res.destroy();
    this.#onLook();
  }
}
