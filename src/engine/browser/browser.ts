// The browser behind all sessions. Started or attached to when first needed, and again after it ended.
import { EventEmitter } from 'node:events';
import type {
  BrowserContext,
  BrowserContextOptions,
  LaunchOptions,
  Browser as PlaywrightBrowser,
} from 'playwright-core';
import type { Log } from '../../config/log.ts';
import type { Options } from '../../config/options.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { urlRulesOf } from '../../policy/url-rules.ts';
import type { BrowserProxy } from '../egress/browser-proxy.ts';
import { closingSwitches, hasProxy, watchClosedPlaces } from '../egress/closed-to-pages.ts';
import type { Lookup } from '../egress/dial.ts';
import type { Egress } from '../egress/egress.ts';
import type { RefusedRequest } from '../egress/outcomes.ts';
import { type Limits, remaining, under } from '../limits.ts';
import { holdDialogs } from '../tab/dialogs.ts';
import { openedInTime, type TabWindow } from '../tab/windows.ts';
import { attach } from './attach/attach.ts';
import type { AttachedTabs } from './attach/attached-tabs.ts';
import { ChromeProcess } from './chrome-process.ts';
import { findBrowser } from './find-browser.ts';
import { boundMessages, playwright } from './playwright.ts';
import { isInUse, saysInUse } from './profile-lock.ts';
import { removeStaleProfiles } from './stale-profiles.ts';
import { allSwitches, switches } from './switches.ts';

const ENDED = 'The browser has ended.';
const LOST = 'The attached browser has ended or has closed the connection.';

const isRoot = () => process.getuid?.() === 0;

export class Browser {
  #shared: Promise<PlaywrightBrowser> | undefined;
  #process: ChromeProcess | undefined;
  #profile: Promise<BrowserContext> | undefined;
  /** Another browser holds the profile: it is not tried again. */
  #profileInUse = false;
  #hadProfile = false;
  #saidNoSandbox = false;
  #running = 0;
  /** Enforces the url rules; undefined without rules. */
  #egress: Promise<Egress> | undefined;
  readonly #proxies = new WeakMap<PlaywrightBrowser, BrowserProxy>();
  /** The tabs of the browser that was attached to. */
  readonly #attachedTabs = new WeakMap<PlaywrightBrowser, AttachedTabs>();
  /** What the url rules refused, and that the browser has ended by itself. */
  readonly events = new EventEmitter<{ refused: [RefusedRequest]; gone: [why: string] }>();
  /** Looks up host names for the rules, instead of the system. */
  lookup: Lookup | undefined;

  constructor(
    readonly options: Options,
    readonly log: Log,
    /** It is attached to, and its own switches keep pages from what is always closed. */
    readonly isClosedByItself = false,
  ) {
    urlRulesOf(options); // rules that cannot be read stop the start
    if (options.shareBrowser && options.cdpEndpoint === undefined)
      throw new Failure('bad_input', '--share-browser needs --cdp-endpoint.', 'Give both.');
  }

  /** Starts the browser or attaches to it now, not only when it is first needed. */
  async connect(limits: Limits): Promise<void> {
    await this.#browser(limits);
  }

  /** A window for a session. The default session gets the attached browser's or the profile's own state. */
  async window(isDefault: boolean, limits: Limits, session?: string): Promise<TabWindow> {
    const window = await this.#window(isDefault, limits, session);
    holdDialogs(window.context);
    return window;
  }

  async #window(isDefault: boolean, limits: Limits, session?: string): Promise<TabWindow> {
    const folder = isDefault ? this.options.userDataDir : undefined;
    const profile = folder === undefined ? undefined : await this.#profileContext(folder, limits, session);
    if (profile) return { context: profile, borrowed: true };
    const browser = await this.#browser(limits);
    const own = browser.contexts()[0];
    const attachedTabs = this.#attachedTabs.get(browser);
    if (isDefault && attachedTabs && own) return { context: own, borrowed: true, attachedTabs };
    const make = (more: BrowserContextOptions) =>
      openedInTime(limits.signal, browser.newContext({ ...this.#contextOptions(), ...more }));
    const context = await (this.#proxies.get(browser)?.openWindow(session, make) ?? make({}));
    return { context, borrowed: false, ...(folder !== undefined && { note: isolated(folder) }) };
  }

  /** The browser has tabs and logins of its own, which the default session uses. */
  get hasOwnState(): boolean {
    const { cdpEndpoint, userDataDir } = this.options;
    return cdpEndpoint !== undefined || (userDataDir !== undefined && !this.#profileInUse);
  }

  /** How many browsers run, or are attached to. */
  get running(): number {
    return this.#running;
  }

  /** Ends what was launched; from an attached browser it only disconnects. */
  async close(): Promise<void> {
    const open = [this.#shared, this.#profile];
    this.#shared = this.#profile = undefined;
    await Promise.allSettled(open.map(async item => (await item)?.close()));
    await this.#process?.close();
    await (await this.#egress)?.close();
    this.#egress = undefined;
  }

  /** Whether url rules are enforced; they cannot be in a browser that somebody else started. */
  get #isRuled(): boolean {
    return this.options.cdpEndpoint === undefined && urlRulesOf(this.options).hasRules;
  }

  /** The proxy that enforces the url rules for one browser; undefined without rules. */
  async #proxy(session?: string): Promise<BrowserProxy | undefined> {
    if (!this.#isRuled) return undefined;
    // Loaded here: without rules there is no proxy.
    const { Egress } = await import('../egress/egress.ts');
    const { lookup, options } = this;
    const report = (refused: RefusedRequest) => void this.events.emit('refused', refused);
    this.#egress ??= Egress.start({ rules: urlRulesOf(options), proxy: options.proxy, report, lookup }).catch(error => {
      this.#egress = undefined;
      throw error;
    });
    return (await this.#egress).openBrowserProxy(session);
  }

  async #browser(limits: Limits): Promise<PlaywrightBrowser> {
    this.#shared ??= this.#connectOrLaunch(limits).then(
      browser => {
        this.#running++;
        browser.once('disconnected', () => this.#ended());
        return browser;
      },
      error => {
        this.#shared = undefined;
        throw error;
      },
    );
    const browser = await under(limits.signal, this.#shared);
    if (browser.isConnected()) return browser;
    this.#shared = undefined;
    return this.#browser(limits);
  }

  /** No event after close(): then there is no shared browser any more. */
  #ended(): void {
    this.#running--;
    if (this.#shared) this.events.emit('gone', this.options.cdpEndpoint === undefined ? ENDED : LOST);
  }

  async #connectOrLaunch(limits: Limits): Promise<PlaywrightBrowser> {
    const endpoint = this.options.cdpEndpoint;
    if (endpoint === undefined) return this.#launch(limits);
    const { browser, tabs } = await attach(endpoint, limits);
    if (!this.isClosedByItself) await under(limits.signal, watchClosedPlaces(browser, this.options));
    this.#attachedTabs.set(browser, tabs);
    return browser;
  }

  /** Chrome starts on one core while Playwright is loaded on another. */
  async #launch(limits: Limits): Promise<PlaywrightBrowser> {
    const path = this.#find();
    const { headed } = this.options;
    const proxy = await this.#proxy();
    const args = allSwitches(this.#given(proxy), { headed, sandbox: this.#sandbox() });
    const child = await ChromeProcess.start(path, args, this.log, proxy);
    this.#process = child;
    void child.ended.then(() => proxy?.close());
    const { chromium } = playwright();
    const timeout = Math.max(1, remaining(limits));
    const connected = chromium.connectOverCDP(child.transport, { timeout, noDefaults: true }).then(async browser => {
      await proxy?.enforce(browser);
      if (!proxy && this.#hasOtherProxy) await watchClosedPlaces(browser, this.options);
      return browser;
    });
    removeStaleProfiles().catch(error => this.log.debug(`old profiles: ${error}`));
    const ended = child.ended.then(() => Promise.reject(new Error('It ended at once.')));
    const browser = await Promise.race([connected, ended]).catch(async error => {
      await child.close();
      throw notStarted(path, child.stderr || firstLine(error));
    });
    if (proxy) this.#proxies.set(browser, proxy);
    return browser;
  }

  /** Undefined when another browser holds the profile. */
  async #profileContext(folder: string, limits: Limits, session?: string): Promise<BrowserContext | undefined> {
    if (!this.#profile && !this.#profileInUse) this.#profileInUse = await isInUse(folder, this.#hadProfile ? 3_000 : 0);
    if (this.#profileInUse) return undefined;
    this.#profile ??= this.#launchProfile(folder, limits, session).then(
      context => {
        this.#hadProfile = true;
        this.#running++;
        context.once('close', () => {
          this.#profile = undefined;
          this.#running--;
        });
        return context;
      },
      error => {
        this.#profile = undefined;
        throw error;
      },
    );
    return under(limits.signal, this.#profile).catch(error => {
      if (!this.#profileInUse) throw error;
      return undefined;
    });
  }

  /** Playwright itself starts a browser with a profile: only so the profile's pages get the options of the context. */
  async #launchProfile(folder: string, limits: Limits, session?: string): Promise<BrowserContext> {
    const executablePath = this.#find();
    const timeout = Math.max(1, remaining(limits));
    const proxy = await this.#proxy(session);
    await proxy?.prepare(folder);
    const context = await playwright()
      .chromium.launchPersistentContext(folder, {
        ...this.#launchOptions(proxy),
        ...this.#contextOptions(),
        executablePath,
        timeout,
      })
      .catch(async error => {
        await proxy?.close();
        const output = error instanceof Error ? error.message : String(error);
        this.#profileInUse = saysInUse(output);
        throw notStarted(executablePath, output);
      });
    const browser = context.browser();
    if (browser) boundMessages(browser);
    if (browser && !proxy && this.#hasOtherProxy) await watchClosedPlaces(browser, this.options);
    await proxy?.adopt(context).catch(async error => {
      await context.close();
      throw error;
    });
    return context;
  }

  #find(): string {
    const path = findBrowser(this.options);
    this.log.info(`starting ${path}`);
    return path;
  }

  #sandbox(): boolean {
    const { noSandbox } = this.options;
    const sandbox = !noSandbox && !isRoot();
    if (!sandbox && !this.#saidNoSandbox) {
      this.#saidNoSandbox = true;
      this.log.warn(`Chrome runs without its sandbox (${noSandbox ? '--no-sandbox' : 'root cannot use it'}).`);
    }
    return sandbox;
  }

  #launchOptions(proxy: BrowserProxy | undefined): LaunchOptions {
    const { headed } = this.options;
    return {
      headless: !headed,
      chromiumSandbox: this.#sandbox(),
      // A profile's history and bookmarks are read through an extension.
      ignoreDefaultArgs: ['--disable-extensions'],
      args: ['--enable-unsafe-extension-debugging', ...switches(this.#given(proxy))],
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    };
  }

  /** The user's switches, and those that keep pages from what is closed to them. */
  #given(proxy: BrowserProxy | undefined): readonly string[] {
    const { chromeArg } = this.options;
    if (proxy) return proxy.switches(chromeArg);
    return this.#hasOtherProxy ? chromeArg : closingSwitches(chromeArg, this.options);
  }

  get #hasOtherProxy(): boolean {
    return hasProxy(this.options.chromeArg, this.options.proxy);
  }

  #contextOptions(): BrowserContextOptions {
    const { viewport, userAgent, locale, timezone, headed, proxy } = this.options;
    return {
      viewport: headed ? null : viewport,
      acceptDownloads: true,
      // With rules, it is the proxy behind ours.
      ...(proxy !== undefined && !this.#isRuled && { proxy: { server: proxy } }),
      ...defined({ userAgent, locale, timezoneId: timezone }),
    };
  }
}

const isolated = (folder: string): string =>
  `The profile ${folder} is in use by another browser: this session is isolated, nothing is kept.`;

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** Why Chrome did not start: the first line of its output with an error, else the last line. */
export function notStarted(path: string, output: string): Failure {
  return new Failure(
    'browser_missing',
    `The browser at ${path} did not start: ${launchProblem(output)}`,
    'Check --executable-path, --chrome-arg and --user-data-dir; tabwright doctor finds out more.',
  );
}

function launchProblem(output: string): string {
  const lines = output.split('\n').map(line => line.replace(/^.*\[err\] /, '').trim());
  return lines.find(line => /error|missing|cannot|failed/i.test(line)) ?? lines.filter(Boolean).at(-1) ?? '';
}
