// The browser state and tabs of one session. Starts the browser when it is first needed, and again after it ended.

import { Failure } from '../../errors.ts';
import { showsFile } from '../../policy/urls.ts';
import { counted } from '../amounts.ts';
import type { AttachedTab } from '../browser/attach/attached-tab.ts';
import type { AttachedTabs } from '../browser/attach/attached-tabs.ts';
import type { Browser } from '../browser/browser.ts';
import { SessionData } from '../browserdata/session-data.ts';
import { ConsoleRing } from '../console/ring.ts';
import type { Size } from '../geometry.ts';
import { type Limits, under, unlimited } from '../limits.ts';
import { SessionRoutes } from '../network/route/session-routes.ts';
import type { Page } from '../page/page.ts';
import { PageShare } from '../page-share.ts';
import type { SavedState } from '../storage/saved-state.ts';
import type { SessionState } from '../storage/session-state.ts';
import { AttachedView } from './attached-view.ts';
import { ChangeEvents } from './change-events.ts';
import { Downloads } from './downloads.ts';
import { fileTab, noTab } from './list-tabs.ts';
import { RecentEvents } from './recent-events.ts';
import { ATTACHED_AGAIN, asJustEnded, browserEnded, TabRecovery } from './recovery.ts';
import { TabRegistry } from './registry.ts';
import { SharedStart } from './start-once.ts';
import { isCut, lineCut, type Tab } from './tab.ts';
import { closeOwn, type TabWindow, Windows } from './windows.ts';

export class Context {
  /** Shown once, with the next answer. */
  readonly notes: string[] = [];
  readonly #windows = new Windows(window => this.#lost(window));
  readonly tabs = new TabRegistry(this, this.#windows);
  readonly routes = new SessionRoutes(this);
  readonly own = new SessionData();
  readonly changes = new ChangeEvents();
  readonly recentEvents = new RecentEvents();
  readonly console = new ConsoleRing();
  readonly refCounter = { last: 0 };
  readonly downloads: Downloads;
  readonly #tabShare = new PageShare(
    MOST_TABS_BY_PAGES,
    refused =>
      `${counted(refused, 'tab')} that a page opened ${refused === 1 ? 'was' : 'were'} closed: at most ${MOST_TABS_BY_PAGES} between two actions, and ${MOST_TABS} in all.`,
  );
  /** Tabs that a call is opening. */
  #making = 0;
  readonly #recovery = new TabRecovery(this.tabs, this.notes);
  /** Only with an attached browser. */
  #view: AttachedView | undefined;
  readonly #opening: SharedStart<void>;
  /** Calls that overlap in a session without a tab share its first one. */
  readonly #firstTab: SharedStart<Tab>;
  #closed: Failure | undefined;
  /** Windows whose connection was cut: their pages may live on. */
  #cutOff: TabWindow[] = [];

  constructor(
    /** With a session state, cookies, storage and tabs come back when the browser has ended, or with a later server. */
    readonly kind: {
      name: string;
      isDefault: boolean;
      owner?: string;
      outputDir?: string;
      sessionState?: SessionState;
    },
    readonly browser: Browser,
  ) {
    const changed = () => this.changes.notify('downloads');
    this.downloads = new Downloads(browser.options.maxDownloadMb * 1_000_000, changed);
    this.#opening = new SharedStart(browser.options.timeoutNavigation + RESTORE_MS);
    this.#firstTab = new SharedStart(browser.options.timeoutNavigation);
  }

  get outputDir(): string {
    return this.kind.outputDir ?? this.browser.options.outputDir;
  }

  /**
   * The tab to act on: the given one, or the active one, with a new page if its browser or page ended. A tab of an
   * attached browser that does not answer fails the call; with evenStuck it is returned without a page.
   */
  tab(tabId: number | undefined, limits: Limits, evenStuck = false): Promise<Tab> {
    return this.#tab(tabId, limits, evenStuck).catch(error => Promise.reject(asJustEnded(error)));
  }

  newTab(limits: Limits): Promise<Tab> {
    return this.#newTab(limits).catch(error => Promise.reject(asJustEnded(error)));
  }

  /** Drops what ended with the browser, for a call that begins again before the event of its end has come. */
  async dropEnded(): Promise<void> {
    await new Promise(setImmediate);
    this.#windows.check();
  }

  async #tab(tabId: number | undefined, limits: Limits, evenStuck: boolean): Promise<Tab> {
    await this.open(limits);
    if (tabId !== undefined && !this.tabs.has(tabId)) await this.refresh(limits);
    if (tabId !== undefined && !this.tabs.has(tabId)) throw noTab(this.tabs, tabId);
    let tab = this.tabs.get(tabId ?? this.tabs.activeId);
    tab ??= [...this.tabs.values()].at(-1) ?? (await this.#firstTab.run(bound => this.#newTab(bound), limits));
    if (showsFile(tab.url)) throw fileTab(tab.id);
    if (tabId === undefined) this.tabs.activeId = tab.id;
    if (tab.gone) await this.#recover(tab, limits);
    if (tab.isUnattached && !(await this.#view?.bring(tab, limits, evenStuck))) return tab;
    // A dialog can block the page before it is ready: then checkDialog() fails the call.
    if (!tab.dialog) await tab.ready(limits);
    return tab;
  }

  /** The browser has tabs of its own: of its user, or of its profile. */
  get isBorrowed(): boolean {
    return this.kind.isDefault && this.browser.hasOwnState;
  }

  /** The session shows the tabs of a browser that somebody else started. */
  get isAttached(): boolean {
    return this.isBorrowed && this.browser.options.cdpEndpoint !== undefined;
  }

  /** There may be tabs that only refresh() finds. */
  get hasUnseenTabs(): boolean {
    return this.isBorrowed || this.#cutOff.length > 0 || (this.kind.sessionState?.isPending ?? false);
  }

  get active(): Tab | undefined {
    return this.tabs.get(this.tabs.activeId);
  }

  activate({ id }: Tab): void {
    this.tabs.activeId = id;
    this.recentEvents.forget(id);
  }

  /** Brings the tab to the front of its window: behind others Chrome draws it rarely, and mouse events wait for that. */
  async toFront(tab: Tab, limits: Limits): Promise<void> {
    if (this.tabs.foreground.front === tab.page) return;
    await tab.race(limits, tab.page.bringToFront());
    this.tabs.foreground.front = tab.page;
  }

  async #newTab(limits: Limits): Promise<Tab> {
    await this.open(limits);
    const page = await this.#make(limits, this.#windows.context.newPage());
    const tab = this.tabs.register(page, this.#windows.first?.borrowed ?? false);
    tab.openedByUser = false;
    await tab.ready(limits);
    return tab;
  }

  /** Another window of the same browser state. */
  async newWindow(size: Size, limits: Limits): Promise<Tab> {
    const opener = await this.tab(undefined, limits);
    const page = await this.#make(limits, opener.page.context().newPage(size));
    return this.#sized(this.tabs.register(page, opener.borrowed), size, limits);
  }

  /** A window with cookies and storage of its own, closed with the session. */
  async newPrivateTab(size: Size, limits: Limits): Promise<Tab> {
    await this.open(limits);
    const window = await this.browser.window(false, limits, this.kind.name);
    await this.#watch(window);
    const page = await this.#make(limits, window.context.newPage());
    return this.#sized(this.tabs.register(page, false), size, limits);
  }

  /** A page that arrives meanwhile is none that another page has opened. */
  async #make(limits: Limits, page: Promise<Page>): Promise<Page> {
    this.#making++;
    const made = page.finally(() => this.#making--);
    return under(limits.signal, made);
  }

  /** The caller acts: what pages open or save next may be what it wants. */
  renewShares(): void {
    this.#tabShare.renew();
    this.downloads.share.renew();
  }

  async #sized(tab: Tab, size: Size, limits: Limits): Promise<Tab> {
    await tab.ready(limits);
    if (!tab.borrowed) await under(limits.signal, tab.page.setViewportSize(size));
    return tab;
  }

  async closeTab(tab: Tab, limits: Limits): Promise<void> {
    // First: Chrome goes on with a trace for a while when the page that records it is closed.
    await under(limits.signal, this.tabs.drop(tab));
    await under(limits.signal, tab.target ? tab.target.close() : tab.page.close());
  }

  tabFor(page: Page): Tab | undefined {
    return this.tabs.tabFor(page);
  }

  takeNotes(): string[] {
    const tabs = [...this.tabs.values()].flatMap(tab => tab.notes.splice(0));
    return [...this.notes.splice(0), ...tabs, ...this.#tabShare.takeNotes(), ...this.downloads.takeNotes()];
  }

  /** Puts an empty page into a tab whose page is stuck or dead. */
  replace(tab: Tab, limits: Limits): Promise<void> {
    return this.#recovery.replace(tab, limits);
  }

  async open(limits: Limits): Promise<void> {
    if (this.#closed) throw this.#closed;
    if (!this.#windows.first || this.#opening.isRunning) await this.#opening.run(bound => this.#start(bound), limits);
  }

  /** Starts the browser if need be, and takes in which tabs its user has opened or closed meanwhile. */
  async refresh(limits: Limits): Promise<void> {
    await this.open(limits);
    await this.#view?.refresh(limits);
  }

  async close(): Promise<void> {
    this.#closed ??= new Failure('refused', `Session ${this.kind.name} is closed.`, 'Use another session.');
    await Promise.all([this.#opening.end(this.#closed), this.#firstTab.end(this.#closed)]);
    const closeAll = this.#windows.end();
    void closeOwn(this.#cutOff);
    const cleaned = [...this.tabs.values()].map(tab => tab.cleanUp(this.browser.log));
    const tabs = this.tabs.dropAll();
    this.changes.notify('ended');
    // Without its CDP session, nothing of a tab could be ended any more.
    if (this.#view) await Promise.all(cleaned).then(() => this.#detach(tabs));
    await closeAll();
  }

  /** The pages of an attached browser live on, and others may show them. */
  async #detach(tabs: Tab[]): Promise<void> {
    await this.routes.remove(() => true, unlimited());
    await Promise.all(tabs.map(tab => tab.leave()));
    this.tabs.forgetPages();
  }

  /** What would be lost with the browser; undefined while it cannot be read. */
  async readState(limits: Limits): Promise<SavedState | undefined> {
    const { sessionState } = this.kind;
    const window = this.#windows.first;
    if (!sessionState || sessionState.isPending || !window || window.borrowed || this.#opening.isRunning)
      return undefined;
    const tabs = [...this.tabs.values()].filter(tab => tab.page.context() === window.context);
    return sessionState.read(window.context, tabs, this.active, limits);
  }

  async #start(limits: Limits): Promise<void> {
    if (await this.#startAgain(limits)) return;
    const window = await this.browser.window(this.kind.isDefault, limits, this.kind.name);
    await this.#watch(window);
    if (window.note !== undefined) this.notes.push(window.note);
    try {
      if (this.#view) await this.#startView(this.#view);
      else if (this.kind.sessionState?.isPending || this.tabs.size > 0) await this.#restore(limits);
      else for (const page of window.context.pages()) this.tabs.register(page, window.borrowed);
      if (window.borrowed && !this.#view) this.tabs.activeId = (await visibleTab([...this.tabs.values()]))?.id ?? 0;
    } catch (error) {
      // A window that was restored in part is of no use: the next call begins anew.
      if (!window.borrowed) {
        this.#windows.lose(window);
        await closeOwn([window]);
      }
      throw error;
    }
  }

  /** Goes on in the windows that are there again after a cut connection. False when the first of them is not. */
  async #startAgain(limits: Limits): Promise<boolean> {
    const again: TabWindow[] = [];
    for (const lost of this.#cutOff) {
      const window = await this.browser.windowAgain(lost, limits);
      if (!window && again.length === 0) break;
      if (window) again.push(window);
    }
    this.#cutOff = [];
    for (const window of again) await this.#watch(window);
    if (again.length > 0)
      await this.#recovery.resume(
        again.map(({ context }) => context),
        limits,
      );
    return again.length > 0;
  }

  async #watch(window: TabWindow): Promise<void> {
    if (this.#closed) {
      await closeOwn([window]);
      throw this.#closed;
    }
    await this.#windows.add(window, async ({ context, attachedTabs }) => {
      if (!attachedTabs) context.on('page', page => this.pageArrived(page));
      return [...(attachedTabs ? [this.#show(attachedTabs)] : []), await this.routes.addWindow(context)];
    });
  }

  /** Shows the tabs of the attached browser. Returns how to stop that. */
  #show(attached: AttachedTabs): () => void {
    this.tabs.foreground = attached;
    const view = new AttachedView(attached, this);
    this.#view = view;
    return () => view.end();
  }

  /** After its end, an attached browser has other tabs than before. */
  async #startView(view: AttachedView): Promise<void> {
    if (this.tabs.size > 0) this.notes.push(ATTACHED_AGAIN);
    this.tabs.dropAll();
    await view.start();
    this.tabs.activeId = [...this.tabs.keys()].at(-1) ?? 0;
  }

  /** The tab that asked for the page, if any, emits that it is there. */
  pageArrived(page: Page, target?: AttachedTab): void {
    if (this.#recovery.isFilling) return;
    const isNew = !this.tabs.knows(page);
    // Of the tabs of an attached browser, nobody knows whether its user has opened them.
    if (isNew && !target && this.#making === 0 && !this.#tabShare.take(this.tabs.size < MOST_TABS))
      return void page.close().catch(() => undefined); // it has closed itself
    const tab = this.tabFor(page);
    if (!tab) return;
    if (target) tab.target ??= target;
    if (target && isNew) tab.openedByUser = !this.#openerOf(page);
    // Told of when it shows what it was opened for, unless that is a download: then the tab goes again.
    page.arrived.then(() => {
      if (this.tabs.get(tab.id) !== tab) return;
      const opener = this.#openerOf(page);
      this.recentEvents.opened(tab.id);
      if (!opener) return;
      opener.opensTab = false;
      opener.events.emit('opened', tab);
    });
  }

  #openerOf({ openerId }: Page): Tab | undefined {
    const tabs = [...this.tabs.values()];
    return (
      tabs.find(tab => openerId !== undefined && tab.page?.targetId === openerId) ?? tabs.find(tab => tab.opensTab)
    );
  }

  #lost(window: TabWindow): void {
    const { context, attachedTabs } = window;
    if (isCut(context)) this.#cutOff.push(window);
    for (const tab of this.tabs.values())
      if (tab.isUnattached || tab.page.context() === context)
        tab.fail(isCut(context) ? lineCut() : browserEnded(attachedTabs !== undefined));
  }

  async #restore(limits: Limits): Promise<void> {
    const { name, sessionState } = this.kind;
    this.tabs.forgetPages();
    this.tabs.activeId =
      (await this.#recovery.restore(name, sessionState, this.#windows.context, limits)) ?? this.tabs.activeId;
  }

  async #recover(tab: Tab, limits: Limits): Promise<void> {
    const why = tab.gone?.message ?? '';
    if (tab.target && this.#view) await this.#view.recover(tab, limits);
    else await this.#recovery.reload(tab, limits);
    this.notes.push(`${why} It was opened again at ${tab.url}; refs are void.`);
  }
}

/** That pages may open between two actions of the caller. */
const MOST_TABS_BY_PAGES = 10;
/** With so many, pages open no more; the caller may. */
const MOST_TABS = 50;

/** On top of the time for a start. Restored tabs have bounds of their own, which end before. */
const RESTORE_MS = 40_000;

/** How long a tab may take to say whether it is visible: it may be stuck. */
const VISIBLE_MS = 300;

const isVisible = async (tab: Tab): Promise<boolean> => {
  const { result } = await tab.page.tree.main.send('Runtime.evaluate', { expression: 'document.visibilityState' });
  return result.value === 'visible';
};

/** The tab that its user sees; the first when none says so in time. */
async function visibleTab(tabs: Tab[]): Promise<Tab | undefined> {
  const visible = await Promise.all(
    tabs.map(tab =>
      Promise.race([
        isVisible(tab).catch(() => false),
        new Promise<boolean>(resolve => void setTimeout(resolve, VISIBLE_MS, false).unref()),
      ]),
    ),
  );
  return tabs[visible.indexOf(true)] ?? tabs[0];
}
