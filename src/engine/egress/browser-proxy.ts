// BrowserProxy: everything that one browser needs to obey the url rules: its proxy ports, its switches, the watch over paths.
import { inTime, under, unlimited } from '../limits.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import type { ConnectedBrowser } from '../page/connected-browser.ts';
import { reload } from '../page/navigation.ts';
import type { Egress } from './egress.ts';
import { enforcePathRules, quietSwitches, stopPreloading } from './path-rules.ts';
import type { ProxyPort } from './proxy-port.ts';
import { setWindowProxy } from './window-proxies.ts';

/** Loopback too goes through the proxy. */
const NO_BYPASS = '<-loopback>';

/** WebRTC sends over the proxy or not at all. Chrome has changed the name of the switch. */
const PROXIED_ONLY = 'disable_non_proxied_udp';

/** How long a page may take to load again, in ms. */
const RELOAD_MS = 5_000;

/** Switches of the user that would bypass the rules. */
const BYPASSING =
  /^--(?:no-proxy-server|proxy-[a-z-]+|host-resolver-rules|host-rules|origin-to-force-quic-on|enable-quic|(?:force-)?webrtc-ip-handling-policy)(?:=|$)/;

export class BrowserProxy {
  readonly #egress: Egress;
  /** The port of the browser itself. */
  readonly #own: ProxyPort;
  readonly #ports = new Set<ProxyPort>();
  #pathsWatched = false;

  constructor(egress: Egress, own: ProxyPort) {
    this.#egress = egress;
    this.#own = own;
    this.#ports.add(own);
  }

  /** The user's switches without those that bypass the rules, and ours last. */
  switches(given: readonly string[]): string[] {
    const harmless = given.filter(arg => !BYPASSING.test(arg));
    return [
      ...(this.#egress.judgesPaths ? quietSwitches(harmless) : harmless),
      `--proxy-server=${this.#own.proxyRules}`,
      `--proxy-bypass-list=${NO_BYPASS}`,
      // Names are looked up by the proxy alone: a lookup by Chrome could tell a server what a page knows.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      `--webrtc-ip-handling-policy=${PROXIED_ONLY}`,
      `--force-webrtc-ip-handling-policy=${PROXIED_ONLY}`,
    ];
  }

  /** Before the browser starts, for the folder of its profile. */
  readonly prepare = async (folder: string): Promise<void> => {
    if (this.#egress.judgesPaths) await stopPreloading(folder);
  };

  /** Until this is done, hosts of which only some paths may be reached are shut. `between` runs before they open. */
  async enforce(browser: ConnectedBrowser, between?: () => Promise<void>): Promise<void> {
    browser.once('disconnected', () => this.#watchPaths(false));
    if (this.#egress.judgesPaths)
      await enforcePathRules(browser, this.#egress.rules, {
        refused: (url, rule, frame) => this.#egress.outcomes.refused(url, rule, { frame }),
        ended: () => this.#watchPaths(false),
      });
    await between?.();
    this.#watchPaths(browser.isConnected());
  }

  /** The window of a profile, which may have opened pages before paths were watched: they are loaded again. */
  async adopt(context: BrowserContext): Promise<void> {
    setWindowProxy(context, { url: this.#own.url, outcomes: this.#egress.outcomes });
    const browser = context.browser();
    context.once('close', () => void this.close());
    await this.enforce(browser, () => reloadPages(context));
  }

  /** A window of this session, with a port of its own that is closed with it. */
  async openWindow(
    session: string | undefined,
    make: (proxy: { server: string; bypass: string }) => Promise<BrowserContext>,
  ): Promise<BrowserContext> {
    const port = await this.#egress.openPort(session);
    port.pathsWatched = this.#pathsWatched;
    this.#ports.add(port);
    try {
      const context = await make({ server: port.proxyRules, bypass: NO_BYPASS });
      setWindowProxy(context, { url: port.url, outcomes: this.#egress.outcomes });
      return context.once('close', () => void this.#closePort(port));
    } catch (error) {
      await this.#closePort(port);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ports].map(port => this.#closePort(port)));
  }

  async #closePort(port: ProxyPort): Promise<void> {
    this.#ports.delete(port);
    await this.#egress.closePort(port);
  }

  #watchPaths(isWatched: boolean): void {
    this.#pathsWatched = isWatched;
    for (const port of this.#ports) port.pathsWatched = isWatched;
  }
}

/** Pages and workers that Chrome opened before it was watched; pages that do not load again are closed. */
async function reloadPages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    if (page.url === 'about:blank') continue;
    const { tree } = page;
    await tree.main.send('ServiceWorker.enable');
    await tree.main.send('ServiceWorker.stopAllWorkers');
    const again = inTime(unlimited(), RELOAD_MS, bound => under(bound.signal, reload(tree)).then(() => true));
    if (!(await again.catch(() => false))) await page.close();
  }
}
