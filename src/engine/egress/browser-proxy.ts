// Gate: everything that one browser needs to obey the rules for urls: its doors, its switches, and the guard over its paths.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { Egress, type EgressOptions } from './egress.ts';
import { quietSwitches, stopPreloading } from './path-rules.ts';
import type { ProxyPort } from './proxy-port.ts';
import { setWindowProxy } from './window-proxies.ts';

/** A message to Chrome, as far as it is looked at. */
interface Message {
  method?: string;
  params?: unknown;
}

/** Loopback too goes through the proxy. */
const NO_BYPASS = '<-loopback>';

/** WebRTC sends over the proxy or not at all. Chrome has changed the name of the switch. */
const PROXIED_ONLY = 'disable_non_proxied_udp';

/** User's switches that would lead round the rules. */
const AROUND =
  /^--(?:no-proxy-server|proxy-[a-z-]+|host-resolver-rules|host-rules|origin-to-force-quic-on|enable-quic|(?:force-)?webrtc-ip-handling-policy)(?:=|$)/;

export const startEgress = (options: EgressOptions): Promise<Egress> => Egress.start(options);

/** For one browser. Its own door, beside those of its windows, is that of its profile's session; without one it leads nowhere. */
export const openBrowserProxy = async (egress: Egress, session?: string): Promise<BrowserProxy> =>
  new BrowserProxy(egress, await egress.openPort(session));

export class BrowserProxy {
  readonly #egress: Egress;
  readonly #own: ProxyPort;
  readonly #doors = new Set<ProxyPort>();
  #guarded = false;

  constructor(egress: Egress, own: ProxyPort) {
    this.#egress = egress;
    this.#own = own;
    this.#doors.add(own);
  }

  /** The user's switches without those that lead round the rules, and ours last. */
  switches(given: readonly string[]): string[] {
    const harmless = given.filter(arg => !AROUND.test(arg));
    return [
      ...(this.#egress.judgesPaths ? quietSwitches(harmless) : harmless),
      `--proxy-server=${this.#own.rules}`,
      `--proxy-bypass-list=${NO_BYPASS}`,
      // Names are looked up by the proxy alone: a lookup by Chrome could tell a server what a page knows.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      `--webrtc-ip-handling-policy=${PROXIED_ONLY}`,
      `--force-webrtc-ip-handling-policy=${PROXIED_ONLY}`,
    ];
  }

  /** Before the browser starts, for the folder that it keeps its profile in. */
  readonly prepare = async (folder: string): Promise<void> => {
    if (this.#egress.judgesPaths) await stopPreloading(folder);
  };

  /** Playwright knows one proxy for all; Chrome is told which is for WebSockets. */
  readonly amend = (message: Message): void => {
    if (message.method !== 'Target.createBrowserContext') return;
    const params = message.params as { proxyServer?: string; proxyBypassList?: string };
    const door = [...this.#doors].find(({ url }) => url === params.proxyServer) ?? this.#own;
    params.proxyServer = door.rules;
    params.proxyBypassList = NO_BYPASS;
  };

  /** Before this is done, hosts that are only partly open are shut. */
  async enforce(browser: Browser, between?: () => Promise<void>): Promise<void> {
    browser.once('disconnected', () => this.#guard(false));
    await this.#egress.watchPaths(browser, () => this.#guard(false));
    await between?.();
    this.#guard(browser.isConnected());
  }

  /** The window of a profile, which may have opened pages before the guard stood: they begin again. */
  async adopt(context: BrowserContext): Promise<void> {
    setWindowProxy(context, { url: this.#own.url, outcomes: this.#egress.outcomes });
    const browser = context.browser();
    context.once('close', () => void this.close());
    if (!browser) return this.close();
    await this.enforce(browser, () => beginAgain(context));
  }

  /** A window of this session, with a door of its own that is shut behind it. */
  async openWindow(
    session: string | undefined,
    make: (options: BrowserContextOptions) => Promise<BrowserContext>,
  ): Promise<BrowserContext> {
    const door = await this.#egress.openPort(session);
    door.pathsWatched = this.#guarded;
    this.#doors.add(door);
    const shut = () => this.#shut(door);
    try {
      const context = await make({ proxy: { server: door.url, bypass: NO_BYPASS } });
      setWindowProxy(context, { url: door.url, outcomes: this.#egress.outcomes });
      return context.once('close', () => void shut());
    } catch (error) {
      await shut();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#doors].map(door => this.#shut(door)));
  }

  async #shut(door: ProxyPort): Promise<void> {
    this.#doors.delete(door);
    await this.#egress.closePort(door);
  }

  #guard(isGuarded: boolean): void {
    this.#guarded = isGuarded;
    for (const door of this.#doors) door.pathsWatched = isGuarded;
  }
}

/** Pages and workers that Chrome opened before it was watched; those that do not load again are closed. */
async function beginAgain(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    if (page.url() === 'about:blank') continue;
    const session = await context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
    await page.reload({ waitUntil: 'commit', timeout: 5_000 }).catch(() => page.close());
  }
}
