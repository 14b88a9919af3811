// The browser behind all sessions. Started or attached to when first needed, and again after it ended.
import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CdpConnection, type CdpTransport } from '../../cdp/connection.ts';
import { CdpTrace } from '../../cdp/trace.ts';
import type { Log } from '../../config/log.ts';
import type { Options } from '../../config/options.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { urlRulesOf } from '../../policy/url-rules.ts';
import type { BrowserProxy } from '../egress/browser-proxy.ts';
import { watchClosedPlaces } from '../egress/closed-to-pages.ts';
import type { Lookup } from '../egress/dial.ts';
import type { Egress } from '../egress/egress.ts';
import type { RefusedRequest } from '../egress/outcomes.ts';
import { agentOf } from '../emulation/user-agent.ts';
import { type Limits, under } from '../limits.ts';
import type { BrowserContext, ContextOptions, ContextProxy } from '../page/browser-context.ts';
import { ConnectedBrowser } from '../page/connected-browser.ts';
import { openedInTime, type TabWindow } from '../tab/windows.ts';
import { attach } from './attach/attach.ts';
import type { AttachedTabs } from './attach/attached-tabs.ts';
import { ChromeProcess } from './chrome-process.ts';
import { ChromeLauncher, type LaunchedChrome } from './launcher.ts';
import { isInUse, saysInUse } from './profile-lock.ts';
import type { RemoteBrowsers } from './remote/remote-browsers.ts';
import { removeStaleProfiles } from './stale-profiles.ts';

const ENDED = 'The browser has ended.';
const LOST = 'The attached browser has ended or has closed the connection.';

/** Loopback goes through the proxy of a window too. */
const NO_BYPASS = '<-loopback>';

/** In the folder of a profile: files that pages have saved and that have not got their place yet. */
const DOWNLOADS = 'tabwright-downloads';

export class Browser {
  #shared: Promise<ConnectedBrowser> | undefined;
  readonly #processes = new Set<ChromeProcess>();
  readonly #launcher: ChromeLauncher;
  /** Was started before it was needed. */
  #ahead: Promise<LaunchedChrome | undefined> | undefined;
  #profile: Promise<BrowserContext> | undefined;
  /** Another browser holds the profile: it is not tried again. */
  #profileInUse = false;
  #hadProfile = false;
  #trace: CdpTrace | undefined;
  #running = 0;
  /** Enforces the url rules; undefined without rules. */
  #egress: Promise<Egress> | undefined;
  readonly #proxies = new WeakMap<ConnectedBrowser, BrowserProxy>();
  /** The tabs of the browser that was attached to. */
  readonly #attachedTabs = new WeakMap<ConnectedBrowser, AttachedTabs>();
  readonly #downloads = new WeakMap<ConnectedBrowser, Promise<string>>();
  /** Those of --browsers. */
  #remotes: Promise<RemoteBrowsers> | undefined;
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
    this.#launcher = new ChromeLauncher(options, log);
    urlRulesOf(options); // rules that cannot be read stop the start
    if (options.browsers.length > 0 && urlRulesOf(options).hasRules)
      throw new Failure(
        'bad_input',
        NOT_HELD,
        'Leave --browsers out, or set the rules at the machines of these browsers.',
      );
    if (options.shareBrowser && options.cdpEndpoint === undefined)
      throw new Failure('bad_input', '--share-browser needs --cdp-endpoint.', 'Give both.');
  }

  /** Starts the browser or attaches to it now, not only when it is first needed. */
  async connect(limits: Limits): Promise<void> {
    if (this.options.browsers.length === 0) await this.#browser(limits);
  }

  /** Takes over a Chrome that was started ahead; if it is not there any more when it is needed, another one is started. */
  adopt(ahead: Promise<LaunchedChrome | undefined>): void {
    this.#ahead = ahead;
  }

  /** A window for a session. The default session gets the attached browser's or the profile's own state. */
  async window(isDefault: boolean, limits: Limits, session?: string): Promise<TabWindow> {
    if (this.options.browsers.length > 0) return this.#remoteWindow(limits);
    const folder = isDefault ? this.options.userDataDir : undefined;
    const profile = folder === undefined ? undefined : await this.#profileContext(folder, limits, session);
    if (profile) return { context: profile, borrowed: true };
    const browser = await this.#browser(limits);
    const attachedTabs = this.#attachedTabs.get(browser);
    if (isDefault && attachedTabs) return { context: browser.ownContext, borrowed: true, attachedTabs };
    const options = { ...this.#contextOptions(browser), downloadFolder: await this.#downloadFolder(browser) };
    const make = (proxy?: ContextProxy) => openedInTime(limits.signal, browser.newContext(options, proxy));
    const window = this.#proxies.get(browser)?.openWindow(session, make);
    const context = await (window ?? make(this.#givenProxy));
    return { context, borrowed: false, ...(folder !== undefined && { note: isolated(folder) }) };
  }

  /** The window again whose connection was cut, with its pages as they are; undefined when it has gone with its browser. */
  async windowAgain({ context: lost, borrowed }: TabWindow, limits: Limits): Promise<TabWindow | undefined> {
    const context = lost.browser().isRemote ? await (await this.#remotes)?.again(lost, limits) : undefined;
    return context && { context, borrowed };
  }

  async #remoteWindow(limits: Limits): Promise<TabWindow> {
    this.#remotes ??= this.#loadRemotes();
    const context = await (await this.#remotes).use(limits, browser =>
      openedInTime(limits.signal, browser.newContext(this.#contextOptions(browser), this.#givenProxy)),
    );
    return { context, borrowed: false };
  }

  /** Loaded here: without --browsers none of it is needed. */
  async #loadRemotes(): Promise<RemoteBrowsers> {
    const { RemoteBrowsers } = await import('./remote/remote-browsers.ts');
    const { browsers, browserHeaders } = this.options;
    const headers = Object.fromEntries(browserHeaders.map(line => line.split(/:\s*(.*)/s, 2) as [string, string]));
    return new RemoteBrowsers(
      browsers,
      { headers, capabilities: {} },
      {
        connect: transport => this.#connection(transport),
        guard: browser => watchClosedPlaces(browser, this.options),
        log: this.log,
        opened: browser => {
          this.#running++;
          browser.once('disconnected', () => this.#running--);
        },
      },
    );
  }

  get #givenProxy(): ContextProxy | undefined {
    const { proxy: server } = this.options;
    return server === undefined ? undefined : { server, bypass: NO_BYPASS };
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
    const open = [this.#shared, this.#profile?.then(context => context.browser())];
    this.#shared = this.#profile = undefined;
    await (await this.#remotes)?.close();
    // Its process is waited for below, and ended when it does not end by itself.
    await Promise.allSettled(open.map(async item => void (await item)?.close()));
    await (await this.#takeAhead())?.child.close();
    await Promise.all(Array.from(this.#processes, child => child.close()));
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

  async #browser(limits: Limits): Promise<ConnectedBrowser> {
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

  async #connectOrLaunch(limits: Limits): Promise<ConnectedBrowser> {
    const endpoint = this.options.cdpEndpoint;
    if (endpoint === undefined) return this.#launch(limits);
    const { browser, tabs } = await attach(endpoint, transport => this.#connection(transport), limits);
    if (!this.isClosedByItself) await under(limits.signal, watchClosedPlaces(browser, this.options));
    this.#attachedTabs.set(browser, tabs);
    return browser;
  }

  async #launch(limits: Limits): Promise<ConnectedBrowser> {
    const proxy = await this.#proxy();
    const { child, path } = (await this.#takeAhead()) ?? (await this.#launcher.launch(proxy));
    const isDirect = !proxy && this.options.proxy === undefined;
    const browser = await this.#connect(child, path, {}, limits, isDirect);
    void child.ended.then(() => proxy?.close());
    removeStaleProfiles().catch(error => this.log.debug(`old profiles: ${error}`));
    await proxy?.enforce(browser);
    if (!proxy && this.#launcher.hasOtherProxy) await watchClosedPlaces(browser, this.options);
    if (proxy) this.#proxies.set(browser, proxy);
    return browser;
  }

  async #takeAhead(): Promise<LaunchedChrome | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    const launched = await ahead;
    return launched?.child.isRunning ? launched : undefined;
  }

  #connection(transport: CdpTransport): CdpConnection {
    const { traceCdp } = this.options;
    if (traceCdp !== undefined) this.#trace ??= new CdpTrace(traceCdp, error => this.log.warn(error.message));
    return new CdpConnection(transport, this.#trace?.connection());
  }

  /**
   * @param own the options of the browser's own context
   * @param makes a context for the first session at once
   */
  async #connect(
    child: ChromeProcess,
    path: string,
    own: ContextOptions,
    limits: Limits,
    makes = false,
  ): Promise<ConnectedBrowser> {
    this.#processes.add(child);
    void child.ended.then(() => this.#processes.delete(child));
    const browser = new ConnectedBrowser(this.#connection(child.transport), own);
    this.#downloads.set(browser, Promise.resolve(join(child.profile, DOWNLOADS)));
    const ended = child.ended.then(() => Promise.reject(new Error('It ended at once.')));
    const connected = under(limits.signal, browser.open(makes));
    await Promise.race([connected, ended]).catch(async error => {
      await child.close();
      limits.signal.throwIfAborted();
      throw new StartError(path, child.stderr || firstLine(error));
    });
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

  async #launchProfile(folder: string, limits: Limits, session?: string): Promise<BrowserContext> {
    const path = this.#launcher.find();
    const proxy = await this.#proxy(session);
    await proxy?.prepare(folder);
    const downloadFolder = join(folder, DOWNLOADS);
    const removeDownloads = () => rm(downloadFolder, { recursive: true, force: true });
    // The history and bookmarks of a profile are read through an extension.
    const switches = this.#launcher.switches(proxy).filter(arg => arg !== '--disable-extensions');
    const args = [...switches, '--enable-unsafe-extension-debugging', 'about:blank'];
    const child = new ChromeProcess(path, args, folder, this.log, removeDownloads);
    const own = { ...this.#contextOptions(), downloadFolder };
    const browser = await this.#connect(child, path, own, limits).catch(async error => {
      await proxy?.close();
      this.#profileInUse = error instanceof StartError && saysInUse(error.output);
      throw error;
    });
    const context = browser.ownContext;
    try {
      if (context.pages().length === 0)
        await under(limits.signal, new Promise(resolve => context.once('page', resolve)));
      if (!proxy && this.#launcher.hasOtherProxy) await watchClosedPlaces(browser, this.options);
      await proxy?.adopt(context);
    } catch (error) {
      await child.close();
      throw error;
    }
    return context;
  }

  /** Chrome's copies of downloads go there; the folder of a launched browser goes with its profile. */
  #downloadFolder(browser: ConnectedBrowser): Promise<string> {
    const known = this.#downloads.get(browser);
    if (known) return known;
    const made = mkdtemp(join(tmpdir(), 'tabwright-downloads-'));
    this.#downloads.set(browser, made);
    const remove = async () => rm(await made, { recursive: true, force: true });
    browser.once('disconnected', () => void remove().catch(error => this.log.warn(`a folder stays: ${error.message}`)));
    return made;
  }

  #contextOptions(browser?: ConnectedBrowser): ContextOptions {
    const { viewport, userAgent, locale, timezone, headed } = this.options;
    const agent = userAgent === undefined ? undefined : agentOf(userAgent, browser?.version() ?? '');
    return {
      focused: true,
      ...defined({
        viewport: headed ? undefined : viewport,
        agent: agent || locale ? { userAgent: '', ...agent, ...defined({ acceptLanguage: locale }) } : undefined,
        locale,
        timezone,
      }),
    };
  }
}

const NOT_HELD =
  'Url rules are enforced by a proxy on this machine, which a browser of --browsers does not use: --allow-urls, --block-urls and --block-private cannot be held there.';

const isolated = (folder: string): string =>
  `The profile ${folder} is in use by another browser: this session is isolated, nothing is kept.`;

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/** Chrome did not start: the message has the first line of its output with an error, else the last line. */
class StartError extends Failure {
  constructor(
    path: string,
    readonly output: string,
  ) {
    super(
      'browser_missing',
      `The browser at ${path} did not start: ${launchProblem(output)}`,
      'Check --executable-path, --chrome-arg and --user-data-dir; tabwright doctor finds out more.',
    );
  }
}

export const notStarted = (path: string, output: string): Failure => new StartError(path, output);

function launchProblem(output: string): string {
  const lines = output.split('\n').map(line => line.replace(/^.*\[err\] /, '').trim());
  return lines.find(line => /error|missing|cannot|failed/i.test(line)) ?? lines.filter(Boolean).at(-1) ?? '';
}
