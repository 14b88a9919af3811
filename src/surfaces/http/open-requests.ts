// The HTTP requests under way, each with the token that admitted it, so that they can be cut off when the token is revoked.
import type { Duplex, Writable } from 'node:stream';
import type { TokenStore } from './auth/token-store.ts';
import type { TokenGrant } from './auth/tokens.ts';
import { within } from './limiters.ts';

/** A response, or a WebSocket. */
type Answering = Writable | Duplex;

/** How often, in ms, the tokens of open requests are checked while no new request causes it. */
const CHECK_MS = 1_000;

export class OpenRequests {
  readonly #open = new Map<Answering, TokenGrant>();
  readonly #tokens: TokenStore;
  readonly #onChange: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onChange` is called whenever tokens may have been revoked. */
  constructor(tokens: TokenStore, onChange: () => void) {
    this.#tokens = tokens;
    this.#onChange = onChange;
  }

  /** Reads the tokens again if their files changed, and cuts off the requests whose token is revoked. */
  async refresh(): Promise<void> {
    const reading = this.#tokens.refresh();
    if (!reading) return;
    await reading;
    this.#cutOff();
  }

  /** Remembers the request until its connection or response ends. */
  add(res: Answering, grant: TokenGrant): void {
    this.#open.set(res, grant);
    res.once('close', () => this.#remove(res));
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  /** Settles when every response is out, or after so many ms. */
  async settled(ms: number): Promise<void> {
    const closed = [...this.#open.keys()].map(res => new Promise(resolve => res.once('close', resolve)));
    await within(ms, done => void Promise.all(closed).then(done));
  }

  #remove(res: Answering): void {
    this.#open.delete(res);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Also for tokens that expire while their files stay as they are. */
  async #check(): Promise<void> {
    await this.#tokens.refresh();
    this.#cutOff();
  }

  #cutOff(): void {
    for (const [res, grant] of this.#open) if (!this.#tokens.isGood(grant)) res.destroy();
    this.#onChange();
  }
}
