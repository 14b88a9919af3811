// One address of --browsers: the browser that runs there for us, opened when first needed, and found again after its line was cut.
import type { CdpConnection, CdpTransport } from '../../../cdp/connection.ts';
import { UpgradeRefused, WebSocketClient } from '../../../cdp/websocket-client.ts';
import type { Log } from '../../../config/log.ts';
import { Failure } from '../../../errors.ts';
import { bounded, type Limits, pause, under, unlimited } from '../../limits.ts';
import { ConnectedBrowser } from '../../page/connected-browser.ts';
import type { SocketAddress } from '../attach/socket.ts';
import { NoneFree, type Provider, type RemoteBrowser, shownAddress } from './provider.ts';

/** What a place needs of the server that it is used by. */
export interface PlaceDeps {
  provider(given: string): Promise<Provider>;
  connect(transport: CdpTransport): CdpConnection;
  /** Closes to pages what is always closed. */
  guard(browser: ConnectedBrowser): Promise<void>;
  /** Without what is secret in addresses and headers. */
  mask(text: string): string;
  opened(browser: ConnectedBrowser): void;
  readonly log: Log;
}

interface Held {
  remote: RemoteBrowser;
  browser: ConnectedBrowser;
  renewal?: NodeJS.Timeout;
}

/** A service may have to start the browser first, on a machine that starts first. */
const OPEN_MS = 60_000;
const CONNECT_MS = 10_000;
/** So long a browser is looked for whose line was cut. */
const REOPEN_MS = 8_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** So long a service that is busy is asked again. */
const BUSY_MS = 30_000;
const CLOSE_MS = 2_500;
const RENEW_MS = 10_000;

export class RemotePlace {
  #held: Promise<Held> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** The last that was connected to. */
  #last: ConnectedBrowser | undefined;
  /** Contexts that are being made. */
  claims = 0;

  constructor(
    readonly given: string,
    readonly deps: PlaceDeps,
  ) {}

  /** How much is going on there. */
  get load(): number {
    return this.claims + (this.#last?.isConnected() ? this.#last.contexts().length - 1 : 0);
  }

  /** It could not be reached within the last ms. */
  failedWithin(ms: number): boolean {
    return performance.now() - this.#failedAt < ms;
  }

  /** Once for all calls that wait for it. A service that is busy is not waited for where another place may have room. */
  async browser(limits: Limits, whenBusy: 'wait' | 'fail' = 'wait'): Promise<ConnectedBrowser> {
    this.#held ??= this.#start(this.#open(whenBusy));
    const held = await under(limits.signal, this.#held);
    if (held.browser.isConnected()) return held.browser;
    await this.again(limits);
    return this.browser(limits, whenBusy);
  }

  /** After its line was cut: reaches the same browser again. False when it has gone for good. */
  async again(limits: Limits): Promise<boolean> {
    const before = this.#held;
    const held = await before?.catch(() => undefined); // nothing was open then
    if (!held) return false;
    if (held.browser.isConnected()) return true;
    if (this.#held === before) this.#held = this.#start(this.#reopen(held));
    const reopened = this.#held?.then(
      () => true,
      () => false,
    );
    return under(limits.signal, reopened ?? Promise.resolve(false));
  }

  async close(): Promise<void> {
    const held = await this.#held?.catch(() => undefined); // nothing was open then
    this.#held = undefined;
    if (!held) return;
    await held.browser.close();
    await this.#giveBack(held);
  }

  #start(opening: Promise<Held>): Promise<Held> {
    opening.catch(() => {
      this.#failedAt = performance.now();
      if (this.#held === opening) this.#held = undefined;
    });
    return opening;
  }

  async #open(whenBusy: 'wait' | 'fail'): Promise<Held> {
    const late = () => new Failure('timeout', `no answer within ${OPEN_MS / 1_000} s`);
    try {
      const provider = await this.deps.provider(this.given);
      return await bounded(unlimited(), OPEN_MS, late, async limits => {
        const remote = await this.#free(provider, whenBusy, limits.signal);
        return this.#connected(remote, remote.address, []).catch(async error => {
          await this.#giveBack({ remote });
          throw error;
        });
      });
    } catch (error) {
      if (error instanceof Failure && error.code === 'bad_input') throw error;
      throw this.#unreachable(error);
    }
  }

  /** A browser of the service, as soon as it has one. */
  async #free(provider: Provider, whenBusy: 'wait' | 'fail', signal: AbortSignal): Promise<RemoteBrowser> {
    const end = performance.now() + BUSY_MS;
    for (;;)
      try {
        return await under(signal, provider.open(signal));
      } catch (error) {
        if (!(error instanceof NoneFree) || whenBusy === 'fail' || performance.now() + error.afterMs > end) throw error;
        await pause(signal, error.afterMs);
      }
  }

  async #reopen({ remote, browser: before, renewal }: Held): Promise<Held> {
    clearInterval(renewal);
    try {
      const held = await this.#tryAgain(remote, before);
      this.deps.log.info(`the line to the browser at ${shownAddress(this.given)} is there again`);
      return held;
    } catch (error) {
      this.deps.log.warn(`the browser at ${shownAddress(this.given)} is gone: ${this.deps.mask(messageOf(error))}`);
      await this.#giveBack({ remote });
      throw error;
    }
  }

  /** At growing intervals. When a server answers there that knows no such browser, it has gone. */
  async #tryAgain(remote: RemoteBrowser, before: ConnectedBrowser): Promise<Held> {
    const reopen = remote.reopen?.bind(remote);
    if (!reopen) throw new Error('it ends with its connection');
    const end = performance.now() + REOPEN_MS;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      try {
        const signal = AbortSignal.timeout(CONNECT_MS);
        return await this.#connected(remote, await reopen(signal), before.left);
      } catch (error) {
        if (error instanceof UpgradeRefused || performance.now() + wait > end) throw error;
      }
      await pause(unlimited().signal, wait);
    }
  }

  async #connected(
    remote: RemoteBrowser,
    { url, headers }: SocketAddress,
    contexts: ConnectedBrowser['left'],
  ): Promise<Held> {
    const late = () => new Failure('timeout', `no answer within ${CONNECT_MS / 1_000} s`);
    return bounded(unlimited(), CONNECT_MS, late, async ({ signal }) => {
      const connection = this.deps.connect(await WebSocketClient.open(url, headers, signal));
      const ended = connection.ended.then(() => Promise.reject(new Error('it closed the connection')));
      const browser = new ConnectedBrowser(connection, {}, undefined, true);
      const ready = browser
        .take(contexts)
        .then(() => browser.open())
        .then(() => this.deps.guard(browser));
      await under(signal, Promise.race([ready, ended])).catch(error => {
        connection.close();
        throw error;
      });
      this.#last = browser;
      this.deps.opened(browser);
      return { remote, browser, ...this.#renewed(remote) };
    });
  }

  #renewed({ renew }: RemoteBrowser): Pick<Held, 'renewal'> {
    if (!renew) return {};
    const run = () =>
      renew
        .run(AbortSignal.timeout(RENEW_MS))
        .catch(error => this.deps.log.debug(`renewing a browser: ${this.deps.mask(messageOf(error))}`));
    return { renewal: setInterval(run, renew.everyMs).unref() };
  }

  async #giveBack({ remote, renewal }: Pick<Held, 'remote' | 'renewal'>): Promise<void> {
    clearInterval(renewal);
    await remote
      .close?.(AbortSignal.timeout(CLOSE_MS))
      .catch(error => this.deps.log.warn(`giving back a browser: ${this.deps.mask(messageOf(error))}`));
  }

  #unreachable(error: unknown): Failure {
    return new Failure(
      'browser_missing',
      `Could not get a browser at ${shownAddress(this.given)}: ${this.deps.mask(messageOf(error))}`,
      'Check --browsers, and that the service runs and can be reached.',
    );
  }
}

/** The first line of what went wrong, without more. */
function messageOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  const inner = error instanceof TypeError && cause instanceof Error ? cause : error;
  return (inner instanceof Error ? inner.message || inner.name : String(inner)).split('\n')[0] ?? '';
}
