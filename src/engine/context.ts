// Context: the tabs of one session. Starts the browser when first needed and again after it ended.
import type { BrowserContext, Page } from 'playwright-core';
import { Failure } from '../errors.ts';
import { OwnData } from './browserdata/own.ts';
import { Changes } from './changes.ts';
import type { Chrome } from './chrome.ts';
import { comeBack, lostTabs } from './comeback.ts';
import { Downloads } from './downloads.ts';
import { inFront } from './front.ts';
import { type Limits, under } from './limits.ts';
import { Routes } from './network/routes.ts';
import { Opening } from './opening.ts';
import { begunAgain, browserEnded, reopen } from './reopen.ts';
import type { Keeper, KeptState } from './storage/keeper.ts';
import { Tab } from './tab.ts';
import { noTab } from './tabs.ts';
import { onEnd, release, type Size, type Window, windowBeside } from './window.ts';

export class Context {
  readonly tabs = new Map<number, Tab>();
  readonly routes = new Routes(this);
  readonly own = new OwnData();
  readonly changes = new Changes();
  readonly downloads = new Downloads(() => this.changes.tell('downloads'));
  readonly #byPage = new Map<Page, Tab>();
  /** What the caller must be told once, with the next answer. */
  readonly notes: string[] = [];
  #windows: Window[] = [];
  #filling = 0;
  readonly #opening: Opening;
  #activeId = 0;
  #front: Tab | undefined; // opened or brought to the front last
  #lastId = 0;
  #closed: Failure | undefined;

  constructor(
    /** With a keeper it is kept: what it holds comes back when the browser has ended, or with a later server. */
    readonly kind: { name: string; isDefault: boolean; keeper?: Keeper },
    readonly chrome: Chrome,
  ) {
    this.#opening = new Opening(chrome.options.timeoutNavigation);
  }

  /** The tab to act on: the given one, or the active one; both brought back if browser or page ended. */
  tab(tabId: number | undefined, limits: Limits): Promise<Tab> {
    return this.#again(() => this.#tab(tabId, limits));
  }

  newTab(limits: Limits): Promise<Tab> {
    return this.#again(() => this.#newTab(limits));
  }

  #again<T>(run: () => Promise<T>): Promise<T> {
    return begunAgain(run, () => {
      for (const window of this.#windows) if (window.context.browser()?.isConnected() === false) this.#lose(window);
    });
  }

  async #tab(tabId: number | undefined, limits: Limits): Promise<Tab> {
    await this.open(limits);
    if (tabId !== undefined && !this.tabs.has(tabId)) throw noTab(this.tabs, tabId);
    let tab = this.tabs.get(tabId ?? this.#activeId);
    tab ??= [...this.tabs.values()].at(-1) ?? (await this.#newTab(limits));
    if (tabId === undefined) this.#activeId = tab.id;
    if (tab.gone) await this.#revive(tab, limits);
    // A dialog can block the page before it is ready: the tool is told by checkDialog().
    if (!tab.dialog) await tab.ready(limits);
    return tab;
  }

  /** The browser has tabs of its own: of the person who uses it, or of its profile. */
  get isBorrowed(): boolean {
    return this.kind.isDefault && this.chrome.hasOwnState;
  }

  get hasUnseenTabs(): boolean {
    return this.isBorrowed || (this.kind.keeper?.isPending ?? false);
  }

  get active(): Tab | undefined {
    return this.tabs.get(this.#activeId);
  }

  activate({ id }: Tab): void {
    this.#activeId = id;
  }

  async toFront(tab: Tab, limits: Limits): Promise<void> {
    if (this.#front === tab) return;
    await tab.race(limits, tab.page.bringToFront());
    this.#front = tab;
  }

  async #newTab(limits: Limits): Promise<Tab> {
    await this.open(limits);
    const page = await under(limits.signal, this.#context().newPage());
    const tab = this.#register(page, this.#windows[0]?.borrowed ?? false);
    await tab.ready(limits);
    return tab;
  }

  /** Another window of the same browser state. */
  async newWindow(size: Size, limits: Limits): Promise<Tab> {
    const opener = await this.tab(undefined, limits);
    const page = await windowBeside(opener, size, limits);
    return this.#sized(this.#register(page, opener.borrowed), size, limits);
  }

  /** A window with cookies and storage of its own, closed with the session. */
  async newPrivateTab(size: Size, limits: Limits): Promise<Tab> {
    await this.open(limits);
    const window = await this.chrome.window(false, limits, this.kind.name);
    await this.#watch(window);
    const page = await under(limits.signal, window.context.newPage());
    return this.#sized(this.#register(page, false), size, limits);
  }

  async #sized(tab: Tab, size: Size, limits: Limits): Promise<Tab> {
    await tab.ready(limits);
    if (!tab.borrowed) await under(limits.signal, tab.page.setViewportSize(size));
    return tab;
  }

  async closeTab(tab: Tab, limits: Limits): Promise<void> {
    this.#drop(tab);
    await under(limits.signal, tab.page.close());
  }

  #drop(tab: Tab): void {
    this.tabs.delete(tab.id);
    this.changes.tell('closed', tab.id);
    this.routes.forget(tab.id);
    this.#byPage.delete(tab.page);
    if (this.#activeId === tab.id) this.#activeId = [...this.tabs.keys()].at(-1) ?? 0;
    if (this.#front === tab) this.#front = undefined;
    for (const clean of tab.cleanups.splice(0)) clean().catch(error => this.chrome.log.debug(`clean-up: ${error}`));
  }

  tabFor(page: Page): Tab | undefined {
    return this.#byPage.get(page) ?? (page.isClosed() ? undefined : this.#register(page, false));
  }

  takeNotes(): string[] {
    const tabs = [...this.tabs.values()].flatMap(tab => tab.notes.splice(0));
    return [...this.notes.splice(0), ...tabs, ...this.downloads.news()];
  }

  /** Puts a new page into a tab whose page is stuck or dead; the old one is thrown away. */
  async replace(tab: Tab, limits: Limits): Promise<void> {
    const old = tab.page;
    this.#byPage.delete(old);
    await this.#place(tab.id, old.context(), limits);
    this.#front = tab;
    old.close().catch(() => undefined); // a stuck renderer may never answer; Chrome ends it
    await tab.ready(limits);
  }

  async open(limits: Limits): Promise<void> {
    if (this.#closed) throw this.#closed;
    if (this.#windows.length === 0 || this.#opening.isRunning)
      await this.#opening.run(bound => this.#start(bound), limits);
  }

  async close(): Promise<void> {
    this.#closed ??= new Failure('refused', `Session ${this.kind.name} is closed.`, 'Use another session.');
    await this.#opening.end(this.#closed);
    const windows = this.#windows;
    this.#windows = [];
    for (const tab of [...this.tabs.values()]) this.#drop(tab);
    this.changes.tell('ended');
    await release(windows);
  }

  /** What would be lost with the browser; undefined when this is not the time to read it. */
  async keep(limits: Limits): Promise<KeptState | undefined> {
    const { keeper } = this.kind;
    const [window] = this.#windows;
    if (!keeper || keeper.isPending || !window || window.borrowed || this.#opening.isRunning) return undefined;
    const tabs = [...this.tabs.values()].filter(tab => tab.page.context() === window.context);
    return keeper.read(window.context, tabs, this.active, limits);
  }

  async #start(limits: Limits): Promise<void> {
    const window = await this.chrome.window(this.kind.isDefault, limits, this.kind.name);
    await this.#watch(window);
    if (window.note !== undefined) this.notes.push(window.note);
    try {
      if (this.kind.keeper?.isPending || this.tabs.size > 0) await this.#comeBack(limits);
      else for (const page of window.context.pages()) this.#register(page, window.borrowed);
      if (window.borrowed) this.#activeId = (await inFront([...this.tabs.values()]))?.id ?? 0;
    } catch (error) {
      // Half of what was there is nothing to go on with: the next call begins anew.
      if (!window.borrowed) {
        this.#lose(window);
        await release([window]);
      }
      throw error;
    }
  }

  async #watch(window: Window): Promise<void> {
    if (this.#closed) {
      await release([window]);
      throw this.#closed;
    }
    this.#windows.push(window);
    window.context.on('page', page => this.#arrived(page));
    onEnd(window, () => this.#lose(window));
    await this.routes.guard(window.context);
  }

  /** A page that was opened by another one is told to whoever watches that one. */
  #arrived(page: Page): void {
    if (this.#filling > 0) return;
    const tab = this.tabFor(page);
    const opener = [...this.tabs.values()].find(other => other.opensTab);
    if (!tab || !opener) return;
    opener.opensTab = false;
    opener.events.emit('opened', tab);
  }

  #lose(window: Window): void {
    if (!this.#windows.includes(window)) return;
    this.#windows = this.#windows.filter(other => other !== window);
    for (const tab of this.tabs.values()) if (tab.page.context() === window.context) tab.fail(browserEnded());
  }

  /** The same tabs, with new pages at the old addresses: after the browser ended, or from an earlier server. */
  async #comeBack(limits: Limits): Promise<void> {
    const { name, keeper } = this.kind;
    const { lost, activeId } = lostTabs(this.tabs.values(), keeper);
    this.#byPage.clear();
    const rows = [];
    for (const row of lost) rows.push({ ...row, tab: await this.#place(row.id, this.#context(), limits) });
    for (const { tab } of rows) await tab.ready(limits);
    this.#activeId = activeId ?? this.#activeId;
    this.notes.push(...(await comeBack(name, rows, keeper, limits)));
  }

  /** A new page for the tab of that number. Until the tab has it, the arrival of a page makes no other tab. */
  async #place(id: number, context: BrowserContext, limits: Limits): Promise<Tab> {
    this.#filling++;
    try {
      const page = await under(limits.signal, context.newPage());
      const tab = this.tabs.get(id);
      if (!tab) return this.#register(page, false, id);
      this.#byPage.set(page, tab);
      tab.adopt(page);
      this.#expect(page);
      return tab;
    } finally {
      if (--this.#filling === 0) for (const page of context.pages()) this.tabFor(page);
    }
  }

  async #revive(tab: Tab, limits: Limits): Promise<void> {
    const url = tab.url;
    const why = tab.gone?.message ?? '';
    await this.replace(tab, limits);
    this.notes.push(...(await reopen(tab, url, limits)));
    this.notes.push(`${why} It was opened again at ${tab.url}; refs are void.`);
  }

  #register(page: Page, borrowed: boolean, id = this.#lastId + 1): Tab {
    const known = this.#byPage.get(page);
    if (known) return known;
    this.#lastId = Math.max(this.#lastId, id);
    const tab = new Tab(id, this, page, borrowed, this.chrome.options);
    this.tabs.set(tab.id, tab);
    this.changes.follow(tab);
    tab.events.on('connected', () => this.routes.meet(tab));
    if (page.context() === this.#windows[0]?.context) {
      this.own.visits.follow(tab);
      this.kind.keeper?.follow(tab);
    }
    this.#byPage.set(page, tab);
    this.#expect(page);
    this.#front = tab;
    if (this.#activeId === 0) this.#activeId = tab.id;
    return tab;
  }

  /** A page that closes takes its tab along, unless the tab has got another page meanwhile or all went down together. */
  #expect(page: Page): void {
    const closed = () => {
      const tab = this.#byPage.get(page);
      const isAlive = page.context().browser()?.isConnected() ?? true;
      if (!tab || tab.page !== page || tab.gone?.code === 'page_crashed' || !isAlive) return;
      if (this.#windows.some(window => window.context === page.context())) this.#drop(tab);
    };
    page.once('close', () => setImmediate(closed));
  }

  #context(): BrowserContext {
    const window = this.#windows[0];
    if (!window) throw new Failure('browser_gone', 'The browser has just ended.', 'Call again.');
    return window.context;
  }
}
