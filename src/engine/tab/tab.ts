// One tab of a session: its page, CDP sessions, refs, open dialog and events. Every wait on the page goes through race().

import { EventEmitter } from 'node:events';
import { isTargetGone } from '../../cdp/errors.ts';
import type { CdpCommands } from '../../cdp/protocol.ts';
import type { Log } from '../../config/log.ts';
import type { Options } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import { advice, capital, phrase, tabName, toolName } from '../../text.ts';
import { AttachedTab } from '../browser/attach/attached-tab.ts';
import { ConsoleRing, listenConsole } from '../console/ring.ts';
import { noticeRefusals } from '../egress/window-proxies.ts';
import { type RefCounter, Refs } from '../elements/refs.ts';
import { Emulation } from '../emulation/emulation.ts';
import type { Size } from '../geometry.ts';
import { bounded, type Limits } from '../limits.ts';
import { listenRequests, RequestRing } from '../network/log/request-log.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Download } from '../page/download.ts';
import type { FrameTree } from '../page/frame-tree.ts';
import type { Page } from '../page/page.ts';
import { type OpenDialog, TabDialog } from './dialogs.ts';
import type { Downloads } from './downloads.ts';
import { Frames } from './frames.ts';
import type { Pending, TabEvents } from './page-events.ts';
import type { RecentEvents } from './recent-events.ts';

/** What a tab uses of its Context, which cannot be imported here: its routes and storage import Tab. */
export interface TabContext {
  /** The owner is the caller whose session it is. */
  readonly kind: { readonly owner?: string };
  /** For files that pages make: the output folder of the caller whose session it is. */
  readonly outputDir: string;
  readonly tabs: ReadonlyMap<number, Tab>;
  readonly active: Tab | undefined;
  readonly hasUnseenTabs: boolean;
  readonly downloads: Downloads;
  readonly recentEvents: RecentEvents;
  /** Of all tabs, those that were closed too. */
  readonly console: ConsoleRing;
  readonly refCounter: RefCounter;
  refresh(limits: Limits): Promise<void>;
  tab(tabId: number | undefined, limits: Limits): Promise<Tab>;
  tabFor(page: Page): Tab | undefined;
  newTab(limits: Limits): Promise<Tab>;
  newWindow(size: Size, limits: Limits): Promise<Tab>;
  activate(tab: Tab): void;
  toFront(tab: Tab, limits: Limits): Promise<void>;
  closeTab(tab: Tab, limits: Limits): Promise<void>;
  replace(tab: Tab, limits: Limits): Promise<void>;
}

/** How long a read waits for a navigation that has got no answer yet. */
const LOADING_MS = 3_000;

export class Tab {
  readonly refs: Refs;
  readonly events = new EventEmitter<TabEvents>();
  /** Shown once, with the next answer. */
  readonly notes: string[] = [];
  readonly console: ConsoleRing;
  readonly requests = new RequestRing();
  readonly emulation = new Emulation(this);
  /** Run when the tab ends. */
  readonly cleanups: (() => Promise<void>)[] = [];
  page!: Page;
  /** Its frames over a session of the tab's own where several sessions may show the page, else over that of the page. */
  tree!: FrameTree;
  frames!: Frames;
  /** Why the page cannot be used any more; the next call gives the tab a new page. */
  gone: Failure | undefined;
  /** A navigation of the main frame that waits for its document. */
  pending: Pending | undefined;
  /** The page came from the back/forward cache: it had been loaded before, and no load event follows. */
  isRestored = false;
  /** The page has asked for a new tab, which has not come yet. */
  opensTab = false;
  /** The frame for calls that name none: the main one, unless another was selected for this document. */
  frame = 0;
  /** The tab of an attached browser that this shows. */
  target: AttachedTab | undefined;
  /** It has no page: its target gives it one when a call needs it. */
  isUnattached = true;
  /** The user of an attached browser opened it: Tabwright stops and replaces nothing in it. */
  openedByUser = false;
  readonly dialogs = new TabDialog(this);
  #ready!: Promise<void>;
  readonly #unsubscribe: (() => void)[] = [];
  readonly #waiters = new Set<(reason: Failure) => void>();

  constructor(
    readonly id: number,
    readonly context: TabContext,
    at: Page | AttachedTab,
    readonly borrowed: boolean,
    readonly options: Options,
  ) {
    this.console = new ConsoleRing(context.console);
    this.refs = new Refs(context.refCounter);
    this.events.setMaxListeners(100);
    this.events.on('committed', url => {
      this.console.navigated(url);
      this.frame = 0;
    });
    if (at instanceof AttachedTab) this.target = at;
    else this.adopt(at);
  }

  /** Shows a page: the first, or the one that replaces a crashed or stuck one. */
  adopt(page: Page): void {
    this.#removeListeners();
    this.page = page;
    this.isUnattached = false;
    this.gone = undefined;
    this.pending = undefined;
    this.isRestored = false;
    const current = (run: () => void) => () => this.page === page && run();
    this.#on(
      page,
      'crash',
      current(() =>
        this.fail(
          new Failure(
            'page_crashed',
            phrase`The page in ${tabName(this.id)} crashed.`,
            'Call again: the tab gets a new page.',
          ),
        ),
      ),
    );
    // When the browser ends, its pages close first: only the next turn of the event loop knows which it was.
    this.#on(page, 'close', () => setImmediate(current(() => this.#closed(page))));
    this.#on(page, 'download', (download: Download) => {
      this.context.downloads.add(download, this.id, this.context.outputDir);
      this.#downloadBegan(download.suggestedName);
    });
    this.#ready = this.#connect(page);
    this.#ready.catch(() => undefined);
    this.dialogs.follow(page);
  }

  #on<A>(page: Page, event: 'crash' | 'close' | 'download', listener: (payload: A) => void): void {
    page.on(event as never, listener as never);
    this.#unsubscribe.push(() => page.off(event as never, listener as never));
  }

  #removeListeners(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
  }

  /** Detaches from its page, which lives on: other sessions may show it as well. */
  async leave(): Promise<void> {
    if (this.isUnattached) return;
    this.isUnattached = true;
    this.#removeListeners();
    this.dialogs.leave();
    // A session that has ended already needs no end.
    await this.tree?.leave().catch(() => undefined);
    await this.emulation.leave();
  }

  /** A download that a script started begins a moment after the action that caused it: then the next answer notes it. */
  #downloadBegan(name: string): void {
    if (!this.events.emit('download', name)) this.notes.push(`Download started: ${name}.`);
  }

  /** Ends what runs in it: captures, traces, what was lent to its page. */
  async cleanUp(log: Log): Promise<void> {
    const failed = (error: unknown) => log.debug(`clean-up: ${error}`);
    await Promise.all(this.cleanups.splice(0).map(clean => clean().catch(failed)));
  }

  ready(limits: Limits): Promise<void> {
    return this.race(limits, this.#ready);
  }

  get url(): string {
    return this.isUnattached ? (this.target?.url ?? '') : this.page.url;
  }

  get dialog(): OpenDialog | undefined {
    return this.dialogs.open;
  }

  checkDialog(): void {
    this.dialogs.check();
  }

  /** Waits for the promise, but no longer than the call may, and not past a dialog, a crash or the end of the page. */
  race<T>(limits: Limits, promise: Promise<T>): Promise<T> {
    const { signal } = limits;
    return new Promise<T>((resolve, reject) => {
      const end = () => {
        this.#waiters.delete(stop);
        signal.removeEventListener('abort', abort);
      };
      const stop = (reason: unknown) => {
        end();
        reject(reason);
      };
      const abort = () => stop(signal.reason);
      promise.then(
        value => {
          end();
          resolve(value);
        },
        error => stop(this.gone ?? (isTargetGone(error) ? this.#lost(error) : error)),
      );
      if (this.gone) return stop(this.gone);
      if (signal.aborted) return abort();
      this.#waiters.add(stop);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  send<M extends keyof CdpCommands>(
    limits: Limits,
    cdp: CdpSession,
    method: M,
    ...params: CdpCommands[M]['paramsType']
  ): Promise<CdpCommands[M]['returnType']> {
    return this.race(limits, cdp.send(method, ...params));
  }

  /** While a navigation waits for its answer, Chrome lets nobody read the page: wait a little, then say so. */
  async readable(limits: Limits): Promise<void> {
    const { pending } = this;
    if (!pending) return;
    const failure = new Failure(
      'page_unresponsive',
      phrase`${capital(tabName(this.id))} is loading ${pending.url}, which has not answered yet; its page cannot be read meanwhile.`,
      phrase`Wait and try again, or navigate elsewhere.${advice(phrase` ${toolName('url')}, ${toolName('tab_list')} and ${toolName('screenshot')} work meanwhile.`)}`,
    );
    const ms = Math.max(100, LOADING_MS - (performance.now() - pending.since));
    await bounded(
      limits,
      ms,
      () => failure,
      bound => this.race(bound, this.nextOf('committed', 'stopped')),
    );
  }

  /** Settles with the next of these events. */
  nextOf(...names: (keyof TabEvents)[]): Promise<void> {
    return new Promise(resolve => {
      const settle = () => {
        for (const name of names) this.events.off(name, settle);
        resolve();
      };
      for (const name of names) this.events.on(name, settle);
    });
  }

  /** Ends every wait on the page, which cannot be used any more. */
  fail(failure: Failure): void {
    this.gone ??= failure;
    this.stop(failure);
  }

  /** Ends every wait on the page, which goes on. */
  stop(why: Failure): void {
    for (const waiter of [...this.#waiters]) waiter(why);
  }

  /** Other sessions may show the page of an attached browser too: what is set on a session of the tab's own ends with it. */
  get #isShared(): boolean {
    return this.borrowed && this.options.cdpEndpoint !== undefined;
  }

  get main(): CdpSession {
    return this.tree?.main;
  }

  async #connect(page: Page): Promise<void> {
    if (this.#isShared) this.#follow(await page.openTree());
    else this.#follow(page.tree);
    await this.tree.ready;
    if (this.borrowed) await this.main.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await this.emulation.attachPage(page);
    await noticeRefusals(this, this.main);
    this.events.emit('connected');
  }

  #follow(tree: FrameTree): void {
    this.tree = tree;
    this.frames = new Frames(this, tree, this.frames);
    listenPage(tree.main, this);
    listenRequests(tree.main, this.requests);
    for (const { cdp } of tree.sessions()) this.listen(cdp);
    tree.on('session', cdp => this.listen(cdp));
  }

  /** Follows the events of one of its frames. */
  listen(cdp: CdpSession): void {
    listenFrame(cdp, this);
    listenConsole(cdp, this.console);
    if (this.#isShared) this.context.downloads.follow(cdp, this.id, name => this.#downloadBegan(name));
  }

  /** The page or the browser went away during a call, before an event said why. */
  #lost(error: unknown): Failure {
    return isCut(this.page.context()) ? lineCut() : lost(this.id, error);
  }

  #closed(page: Page): void {
    if (page.context().browser().isConnected())
      this.fail(
        new Failure('no_tab', phrase`${capital(tabName(this.id))} was closed.`, phrase`See ${toolName('tab_list')}.`),
      );
  }
}

const lost = (id: number, error: unknown): Failure =>
  new Failure(
    'browser_gone',
    phrase`The browser or the page of ${tabName(id)} ended during this call.`,
    'Call again: what is missing is started again.',
    { cause: error },
  );

/** The connection to its browser is closed, which may live on. */
export const isCut = (context: BrowserContext): boolean =>
  context.browser().isRemote && !context.browser().isConnected();

export const lineCut = (): Failure =>
  new Failure(
    'browser_gone',
    'The connection to the remote browser was cut during this call: whether it was carried out is not known.',
    'Call again: the connection is made again. Look at the page before you repeat an action.',
  );

/** A response counts as done so long after its headers. */
const BODY_MS = 200;

/** On the session of any frame: which frames load, which requests scripts send, what goes wrong. */
function listenFrame(cdp: CdpSession, tab: Tab): void {
  const { events } = tab;
  const isMain = (frame: string) => frame === tab.main.root;
  const begins = (frame: string, url: string) => {
    if (!isMain(frame)) return events.emit('frameloading', frame);
    // A later navigation takes the place of an earlier one.
    tab.pending = { url, since: tab.pending?.since ?? performance.now() };
    return events.emit('requested', url);
  };
  const ends = (frame: string) => {
    if (!isMain(frame)) return events.emit('frameloaded', frame);
    tab.pending = undefined;
    return events.emit('stopped');
  };
  cdp.on('Page.frameRequestedNavigation', ({ frameId, url, disposition }) => {
    if (disposition === 'currentTab') begins(frameId, url);
    else if (disposition === 'download') events.emit('downloading');
    else opens(tab);
  });
  cdp.on('Page.frameStartedNavigating', ({ frameId, url, navigationType }) => {
    if (!/SameDocument/i.test(navigationType)) begins(frameId, url);
  });
  cdp.on('Page.frameStoppedLoading', ({ frameId }) => ends(frameId));
  cdp.on('Page.frameDetached', ({ frameId }) => ends(frameId));
  cdp.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text } }) => {
    events.emit('pageerror', exception?.description?.split('\n')[0] ?? String(exception?.value ?? text));
  });
  cdp.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'XHR' || type === 'Fetch') events.emit('request', requestId);
  });
  // A body that nobody reads, or a stream, never ends: an answer that has begun counts as one a moment later.
  cdp.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'XHR' || type === 'Fetch') setTimeout(() => events.emit('requestdone', requestId), BODY_MS).unref();
  });
  cdp.on('Network.loadingFinished', ({ requestId }) => events.emit('requestdone', requestId));
  cdp.on('Network.loadingFailed', ({ requestId }) => events.emit('requestdone', requestId));
}

/** On the session of the page itself: where its main frame stands. */
function listenPage(cdp: CdpSession, tab: Tab): void {
  const { events } = tab;
  cdp.on('Page.frameNavigated', ({ frame, type }) => {
    if (frame.id !== cdp.root) return;
    tab.pending = undefined;
    tab.isRestored = type === 'BackForwardCacheRestore';
    events.emit('committed', frame.url + (frame.urlFragment ?? ''));
  });
  cdp.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId === cdp.root) events.emit('within', url);
  });
  cdp.on('Page.domContentEventFired', () => events.emit('domready'));
  cdp.on('Page.loadEventFired', () => events.emit('loaded'));
  cdp.on('Page.windowOpen', () => opens(tab));
}

function opens(tab: Tab): void {
  tab.opensTab = true;
  tab.events.emit('opening');
}
