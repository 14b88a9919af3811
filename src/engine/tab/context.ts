// Context: the tabs of one session. Starts the browser when first needed and again after it ended.
import type { Page } from 'playwright-core';
import { Failure } from '../../errors.ts';
import type { AttachedTab } from '../browser/attach/attached-tab.ts';
import type { AttachedTabs } from '../browser/attach/attached-tabs.ts';
import { SessionView } from '../browser/attach/session-view.ts';
import type { Browser } from '../browser/browser.ts';
import { SessionData } from '../browserdata/session-history.ts';
import { type Limits, under, unlimited } from '../limits.ts';
import { Routes } from '../network/route/session-routes.ts';
import type { SavedState, SessionState } from '../storage/session-state.ts';
import { ChangeEvents } from './change-events.ts';
import { Downloads } from './downloads.ts';
import { inFront } from './front.ts';
import { noTab } from './list-tabs.ts';
import { Opening } from './opening.ts';
import { RecentEvents } from './recent-events.ts';
import { TabRegistry } from './registry.ts';
import { Renewal } from './renewal.ts';
import { begunAgain, browserEnded, foundAgain } from './reopen.ts';
import type { Tab } from './tab.ts';
import { release, type Size, type TabWindow, windowBeside } from './window.ts';
import { Windows } from './windows.ts';

export class Context {
  /** What the caller must be told once, with the next answer. */
  readonly notes: string[] = [];
  readonly #windows = new Windows(window => this.#lost(window));
  readonly tabs = new TabRegistry(this, this.#windows);
  readonly routes = new Routes(this);
  readonly own = new SessionData();
  readonly changes = new ChangeEvents();
  readonly news = new RecentEvents();
  readonly downloads = new Downloads(() => this.changes.tell('downloads'));
  readonly #renewal = new Renewal(this.tabs, this.notes);
  /** Of an attached browser. */
  #view: SessionView | undefined;
  readonly #opening: Opening;
  #closed: Failure | undefined;

  constructor(
    /** With a keeper it is kept: what it holds comes back when the browser has ended, or with a later server. */
    readonly kind: { name: string; isDefault: boolean; keeper?: SessionState },
    readonly chrome: Browser,
  ) {
    this.#opening = new Opening(chrome.options.timeoutNavigation);
  }

  /**
   * The tab to act on: the given one, or the active one; both brought back if browser or page ended. One of an attached
   * browser that does not answer fails, or is given as it is, without a page.
   */
  tab(tabId: number | undefined, limits: Limits, evenStuck = false): Promise<Tab> {
    return this.#again(() => this.#tab(tabId, limits, evenStuck));
  }

  newTab(limits: Limits): Promise<Tab> {
    return this.#again(() => this.#newTab(limits));
  }

  #again<T>(run: () => Promise<T>): Promise<T> {
    return begunAgain(run, () => this.#windows.check());
  }

  async #tab(tabId: number | undefined, limits: Limits, evenStuck: boolean): Promise<Tab> {
    await this.open(limits);
    if (tabId !== undefined && !this.tabs.has(tabId)) await this.look(limits);
    if (tabId !== undefined && !this.tabs.has(tabId)) throw noTab(this.tabs, tabId);
    let tab = this.tabs.get(tabId ?? this.tabs.activeId);
    tab ??= [...this.tabs.values()].at(-1) ?? (await this.#newTab(limits));
    if (tabId === undefined) this.tabs.activeId = tab.id;
    if (tab.gone) await this.#revive(tab, limits);
    if (tab.isFar && !(await this.#view?.bring(tab, limits, evenStuck))) return tab;
    // A dialog can block the page before it is ready: the tool is told by checkDialog().
    if (!tab.dialog) await tab.ready(limits);
    return tab;
  }

  /** The browser has tabs of its own: of the person who uses it, or of its profile. */
  get isBorrowed(): boolean {
    return this.kind.isDefault && this.chrome.hasOwnState;
  }

  /** It has the own tabs of a browser that somebody else started. */
  get isAttached(): boolean {
    return this.isBorrowed && this.chrome.options.cdpEndpoint !== undefined;
  }

  get hasUnseenTabs(): boolean {
    return this.isBorrowed || (this.kind.keeper?.isPending ?? false);
  }

  get active(): Tab | undefined {
    return this.tabs.get(this.tabs.activeId);
  }

  activate({ id }: Tab): void {
    this.tabs.activeId = id;
    this.news.told(id);
  }

  async toFront(tab: Tab, limits: Limits): Promise<void> {
    if (this.tabs.place.front === tab.page) return;
    await tab.race(limits, tab.page.bringToFront());
    this.tabs.place.front = tab.page;
  }

  async #newTab(limits: Limits): Promise<Tab> {
    await this.open(limits);
    const page = await under(limits.signal, this.#windows.context.newPage());
    const tab = this.tabs.register(page, this.#windows.first?.borrowed ?? false);
    tab.isTheirs = false;
    await tab.ready(limits);
    return tab;
  }

  /** Another window of the same browser state. */
  async newWindow(size: Size, limits: Limits): Promise<Tab> {
    const opener = await this.tab(undefined, limits);
    const page = await windowBeside(opener, size, limits);
    return this.#sized(this.tabs.register(page, opener.borrowed), size, limits);
  }

  /** A window with cookies and storage of its own, closed with the session. */
  async newPrivateTab(size: Size, limits: Limits): Promise<Tab> {
    await this.open(limits);
    const window = await this.chrome.window(false, limits, this.kind.name);
    await this.#watch(window);
    const page = await under(limits.signal, window.context.newPage());
    return this.#sized(this.tabs.register(page, false), size, limits);
  }

  async #sized(tab: Tab, size: Size, limits: Limits): Promise<Tab> {
    await tab.ready(limits);
    if (!tab.borrowed) await under(limits.signal, tab.page.setViewportSize(size));
    return tab;
  }

  async closeTab(tab: Tab, limits: Limits): Promise<void> {
    this.tabs.drop(tab);
    await under(limits.signal, tab.target ? tab.target.close() : tab.page.close());
  }

  tabFor(page: Page): Tab | undefined {
    return this.tabs.tabFor(page);
  }

  takeNotes(): string[] {
    const tabs = [...this.tabs.values()].flatMap(tab => tab.notes.splice(0));
    return [...this.notes.splice(0), ...tabs, ...this.downloads.news()];
  }

  replace(tab: Tab, limits: Limits): Promise<void> {
    return this.#renewal.replace(tab, limits);
  }

  async open(limits: Limits): Promise<void> {
    if (this.#closed) throw this.#closed;
    if (!this.#windows.first || this.#opening.isRunning) await this.#opening.run(bound => this.#start(bound), limits);
  }

  /** Opens it, and takes in which tabs a person has opened or closed there meanwhile. */
  async look(limits: Limits): Promise<void> {
    await this.open(limits);
    await this.#view?.look(limits);
  }

  async close(): Promise<void> {
    this.#closed ??= new Failure('refused', `Session ${this.kind.name} is closed.`, 'Use another session.');
    await this.#opening.end(this.#closed);
    const closeAll = this.#windows.end();
    const tabs = this.tabs.dropAll();
    this.changes.tell('ended');
    if (this.#view) await this.#letGo(tabs);
    await closeAll();
  }

  /** The pages of an attached browser live on, and others may show them. */
  async #letGo(tabs: Tab[]): Promise<void> {
    await this.routes.remove(() => true, unlimited());
    for (const tab of tabs) tab.leave();
    this.tabs.pages.end();
  }

  /** What would be lost with the browser; undefined when this is not the time to read it. */
  async keep(limits: Limits): Promise<SavedState | undefined> {
    const { keeper } = this.kind;
    const window = this.#windows.first;
    if (!keeper || keeper.isPending || !window || window.borrowed || this.#opening.isRunning) return undefined;
    const tabs = [...this.tabs.values()].filter(tab => tab.page.context() === window.context);
    return keeper.read(window.context, tabs, this.active, limits);
  }

  async #start(limits: Limits): Promise<void> {
    const window = await this.chrome.window(this.kind.isDefault, limits, this.kind.name);
    await this.#watch(window);
    if (window.note !== undefined) this.notes.push(window.note);
    try {
      if (this.#view) await this.#find(this.#view);
      else if (this.kind.keeper?.isPending || this.tabs.size > 0) await this.#comeBack(limits);
      else for (const page of window.context.pages()) this.tabs.register(page, window.borrowed);
      if (window.borrowed && !this.#view) this.tabs.activeId = (await inFront([...this.tabs.values()]))?.id ?? 0;
    } catch (error) {
      // Half of what was there is nothing to go on with: the next call begins anew.
      if (!window.borrowed) {
        this.#windows.lose(window);
        await release([window]);
      }
      throw error;
    }
  }

  async #watch(window: TabWindow): Promise<void> {
    if (this.#closed) {
      await release([window]);
      throw this.#closed;
    }
    await this.#windows.add(window, async ({ context, targets }) => {
      if (!targets) context.on('page', page => this.#arrived(page));
      return [...(targets ? [this.#show(targets)] : []), await this.routes.guard(context)];
    });
  }

  /** Shows the tabs of the attached browser, from now on until it is told otherwise. */
  #show(targets: AttachedTabs): () => void {
    this.tabs.place = targets;
    const view = new SessionView(targets, {
      tabs: this.tabs,
      enter: target => this.#found(target),
      settle: (tab, page) => this.tabs.settle(tab, page),
      arrived: (page, target) => this.#arrived(page, target),
      forget: page => this.tabs.pages.forget(page),
      drop: tab => this.tabs.drop(tab),
    });
    this.#view = view;
    return () => view.end();
  }

  #found(target: AttachedTab): Tab {
    const tab = this.tabs.enter(target, true);
    this.own.visits.follow(tab);
    if (!this.#opening.isRunning) this.news.opened(tab.id);
    return tab;
  }

  /** Those of an attached browser that had ended are others than before. */
  async #find(view: SessionView): Promise<void> {
    if (this.tabs.size > 0) this.notes.push(foundAgain());
    this.tabs.dropAll();
    await view.find();
    this.tabs.activeId = [...this.tabs.keys()].at(-1) ?? 0;
  }

  /** A page that was opened by another one is told to whoever watches that one. */
  #arrived(page: Page, target?: AttachedTab): void {
    if (this.#renewal.isFilling) return;
    const isNew = !this.tabs.pages.get(page);
    const tab = this.tabFor(page);
    if (!tab) return;
    this.news.opened(tab.id);
    const opener = [...this.tabs.values()].find(other => other.opensTab);
    if (target) tab.target ??= target;
    if (target && isNew) tab.isTheirs = !opener;
    if (!opener) return;
    opener.opensTab = false;
    opener.events.emit('opened', tab);
  }

  #lost({ context, targets }: TabWindow): void {
    for (const tab of this.tabs.values())
      if (tab.isFar || tab.page.context() === context) tab.fail(browserEnded(targets !== undefined));
  }

  async #comeBack(limits: Limits): Promise<void> {
    const { name, keeper } = this.kind;
    this.tabs.pages.end();
    this.tabs.activeId =
      (await this.#renewal.comeBack(name, keeper, this.#windows.context, limits)) ?? this.tabs.activeId;
  }

  async #revive(tab: Tab, limits: Limits): Promise<void> {
    const why = tab.gone?.message ?? '';
    if (tab.target && this.#view) await this.#view.recover(tab, limits);
    else await this.#renewal.revive(tab, limits);
    this.notes.push(`${why} It was opened again at ${tab.url}; refs are void.`);
  }
}
