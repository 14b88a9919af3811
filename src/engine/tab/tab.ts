// Tab: one page of a session, its CDP sessions, refs, open dialog and events. Every wait on the page goes through race().
import { EventEmitter } from 'node:events';
import type { Download, Page } from 'playwright-core';
import type { Options } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import { advice, capital, phrase, tabName, toolName } from '../../text.ts';
import { AttachedTab } from '../browser/attach/attached-tab.ts';
import { ConsoleRing, listenConsole } from '../console/ring.ts';
import { noticeRefusals } from '../egress/notice.ts';
import { Refs } from '../elements/refs.ts';
import { Emulation } from '../emulation/emulation.ts';
import { type Limits, within } from '../limits.ts';
import { Captures } from '../network/capture/active-captures.ts';
import { listenRequests } from '../network/log/listen-requests.ts';
import { RequestRing } from '../network/log/request-log.ts';
import { type CdpCommands, CdpError, CdpSession, isTargetGone } from './cdp-session.ts';
import type { Downloads } from './downloads.ts';
import { Frames } from './frames.ts';
import { boardOf } from './open-dialog.ts';
import { type EventSink, listenFrame, listenPage, type Pending, type TabEvents } from './page-events.ts';
import type { RecentEvents } from './recent-events.ts';
import { type AutoDialog, type OpenDialog, TabDialog } from './tab-dialog.ts';

export type { AutoDialog, OpenDialog } from './tab-dialog.ts';
export { dialogKind } from './tab-dialog.ts';

/** The tabs of the same session. */
export interface TabHome {
  readonly tabs: ReadonlyMap<number, Tab>;
  readonly active: Tab | undefined;
  /** There may be tabs that only open() brings. */
  readonly hasUnseenTabs: boolean;
  readonly downloads: Downloads;
  readonly news: RecentEvents;
  /** Opens it, with the tabs that are there now. */
  look(limits: Limits): Promise<void>;
  tab(tabId: number | undefined, limits: Limits): Promise<Tab>;
  tabFor(page: Page): Tab | undefined;
  newTab(limits: Limits): Promise<Tab>;
  newWindow(size: { width: number; height: number }, limits: Limits): Promise<Tab>;
  activate(tab: Tab): void;
  /** Brings the tab to the front of its window: behind others Chrome draws it rarely, and mouse events wait for that. */
  toFront(tab: Tab, limits: Limits): Promise<void>;
  closeTab(tab: Tab, limits: Limits): Promise<void>;
  /** Puts a new page into a tab whose page is stuck or dead. */
  replace(tab: Tab, limits: Limits): Promise<void>;
}

/** How many bytes of answers Chrome keeps, in all and of one, for whoever asks about a request later. */
const BODIES = { maxTotalBufferSize: 5_000_000, maxResourceBufferSize: 1_000_000 };

/** How long a read waits for a navigation that has got no answer yet. */
const LOADING_MS = 3_000;

export class Tab implements EventSink {
  readonly refs = new Refs();
  readonly events = new EventEmitter<TabEvents>();
  /** What the agent must be told once, with the next answer. */
  readonly notes: string[] = [];
  readonly console = new ConsoleRing();
  readonly requests = new RequestRing();
  readonly emulation = new Emulation(this);
  readonly captures = new Captures();
  /** Run when the tab ends. */
  readonly cleanups: (() => Promise<void>)[] = [() => this.captures.end()];
  page!: Page;
  main!: CdpSession;
  frames!: Frames;
  /** Why the page cannot be used any more; the next call gives the tab a new page. */
  gone: Failure | undefined;
  /** A navigation of the main frame that has been asked for and has not got its document yet. */
  pending: Pending | undefined;
  /** It has asked for a new tab, which has not come yet. */
  opensTab = false;
  /** The frame that calls mean which name none: the main one, unless another was chosen for this document. */
  frame = 0;
  /** The tab of an attached browser that it stands for. */
  target: AttachedTab | undefined;
  /** It has not got a page yet: its target has, and gives it when it is asked for. */
  isFar = true;
  /** A person opened it: nothing in it is stopped or replaced by us. */
  isTheirs = false;
  readonly #dialogs = new TabDialog(this);
  #ready!: Promise<void>;
  /** What it hears of its page. */
  readonly #ears: (() => void)[] = [];
  readonly #waiters = new Set<(reason: Failure) => void>();

  constructor(
    readonly id: number,
    readonly home: TabHome,
    at: Page | AttachedTab,
    readonly borrowed: boolean,
    readonly options: Options,
  ) {
    this.events.setMaxListeners(100);
    this.events.on('committed', () => {
      this.console.navigated();
      this.frame = 0;
    });
    if (at instanceof AttachedTab) this.target = at;
    else this.adopt(at);
  }

  /** Takes a page as this tab's own: its first, or the one that replaces a crashed or stuck one. */
  adopt(page: Page): void {
    this.#deafen();
    this.page = page;
    this.isFar = false;
    this.gone = undefined;
    this.pending = undefined;
    const current = (run: () => void) => () => this.page === page && run();
    this.#hear(
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
    this.#hear(page, 'close', () => setImmediate(current(() => this.#closed(page))));
    this.#hear(page, 'download', (download: Download) => {
      this.home.downloads.add(download, this.id, this.options.outputDir);
      this.#downloadBegan(download.suggestedFilename());
    });
    this.#ready = this.#connect(page);
    this.#ready.catch(() => undefined);
    this.#dialogs.meet(page);
  }

  #hear<A>(page: Page, event: 'crash' | 'close' | 'download', heard: (about: A) => void): void {
    page.on(event as never, heard as never);
    this.#ears.push(() => page.off(event as never, heard as never));
  }

  #deafen(): void {
    for (const off of this.#ears.splice(0)) off();
  }

  /** Lets go of its page, which lives on: others may show it as well. */
  leave(): void {
    if (this.isFar) return;
    this.isFar = true;
    this.#deafen();
    this.#dialogs.leave();
    // What is gone already needs no end.
    this.main?.session.detach().catch(() => undefined);
    this.frames?.leave();
  }

  /** One that a script started shows a moment after the action that caused it: then the next answer tells it. */
  #downloadBegan(name: string): void {
    if (!this.events.emit('download', name)) this.notes.push(`Download started: ${name}.`);
  }

  ready(limits: Limits): Promise<void> {
    return this.race(limits, this.#ready);
  }

  get url(): string {
    return this.isFar ? (this.target?.url ?? '') : this.page.url();
  }

  get dialog(): OpenDialog | undefined {
    return this.#dialogs.open;
  }

  get autoDialog(): AutoDialog | undefined {
    return this.#dialogs.auto;
  }

  set autoDialog(auto: AutoDialog | undefined) {
    this.#dialogs.auto = auto;
  }

  checkDialog(): void {
    this.#dialogs.check();
  }

  /** Answers the open dialog. */
  answer(limits: Limits, action: 'accept' | 'dismiss', promptText?: string): Promise<OpenDialog> {
    return this.#dialogs.answer(limits, action, promptText);
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
        error => stop(this.gone ?? (isTargetGone(error) ? lost(this.id, error) : error)),
      );
      if (this.gone) return stop(this.gone);
      if (signal.aborted) return abort();
      this.#waiters.add(stop);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  send<M extends keyof CdpCommands>(
    limits: Limits,
    wire: CdpSession,
    method: M,
    ...params: CdpCommands[M]['paramsType']
  ): Promise<CdpCommands[M]['returnType']> {
    return this.race(limits, wire.send(method, ...params));
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
    const bound = within(limits, Math.max(100, LOADING_MS - (performance.now() - pending.since)), () => failure);
    try {
      await this.race(
        bound,
        new Promise<void>(resolve => {
          this.events.once('committed', () => resolve());
          this.events.once('stopped', () => resolve());
        }),
      );
    } finally {
      bound.done();
    }
  }

  /** Ends every wait on this page with the failure. */
  fail(failure: Failure): void {
    this.gone ??= failure;
    this.stop(failure);
  }

  /** The same for a page that goes on. */
  stop(why: Failure): void {
    for (const waiter of [...this.#waiters]) waiter(why);
  }

  async #connect(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const wire = new CdpSession('p', session);
    this.main = wire;
    this.hears(wire);
    listenPage(wire, this);
    wire.on('Page.javascriptDialogClosed', ({ result }) => boardOf(page).closed(result));
    listenRequests(wire, this.requests);
    await wire.open();
    this.frames = new Frames(this, wire);
    await wire.send('Network.enable', BODIES);
    if (this.borrowed) await wire.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await this.emulation.meet(page, wire);
    await noticeRefusals(this, wire);
    this.events.emit('connected');
  }

  /** Takes in what is told on the wire of one of its frames. */
  hears(wire: CdpSession): void {
    listenFrame(wire, this);
    listenConsole(wire, this.console);
    const isKeptElsewhere = this.borrowed && this.options.cdpEndpoint !== undefined;
    this.home.downloads.follow(wire, this.id, isKeptElsewhere ? name => this.#downloadBegan(name) : undefined);
  }

  #closed(page: Page): void {
    if (page.context().browser()?.isConnected() !== false)
      this.fail(
        new Failure('no_tab', phrase`${capital(tabName(this.id))} was closed.`, phrase`See ${toolName('tab_list')}.`),
      );
  }
}

/** The page or the browser went away under a call, before anybody said why. */
const lost = (id: number, error: unknown): Failure =>
  new Failure(
    'browser_gone',
    phrase`The browser or the page of ${tabName(id)} ended during this call.`,
    'Call again: what is missing is started again.',
    { cause: error instanceof CdpError ? error.cause : error },
  );
