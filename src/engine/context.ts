// Context: the tabs of one session. Starts the browser when first needed and again after it ended.
import type { BrowserContext, Page } from 'playwright-core';
import { Failure } from '../errors.ts';
import { OwnData } from './browserdata/own.ts';
import { type Chrome, createWindow, type Window } from './chrome.ts';
import { Downloads } from './downloads.ts';
import { inFront } from './front.ts';
import { type Limits, under } from './limits.ts';
import { Routes } from './network/routes.ts';
import { reopen } from './reopen.ts';
import { Tab } from './tab.ts';
import { saysGone } from './wire.ts';

export class Context {
  readonly tabs = new Map<number, Tab>();
  readonly routes = new Routes(this);
  readonly own = new OwnData();
  readonly downloads = new Downloads();
  readonly #byPage = new Map<Page, Tab>();
  readonly #notes: string[] = [];
  #windows: Window[] = [];
  #filling = 0;
  #opening: Promise<void> | undefined;
  #activeId = 0;
  /** The tab that was opened or brought to the front last. */
  #front: Tab | undefined;
  #lastId = 0;
  #closed = false;

  constructor(
    readonly kind: { name: string; isDefault: boolean },
    readonly chrome: Chrome,
  ) {}

  /** The tab to act on: the given one, or the active one; both brought back if browser or page ended. */
  tab(tabId: number | undefined, limits: Limits): Promise<Tab> {
    return this.#again(() => this.#tab(tabId, limits));
  }

  newTab(limits: Limits): Promise<Tab> {
    return this.#again(() => this.#newTab(limits));
  }

  /** The browser may have just ended, and this call is the first to notice: nothing was done yet, so begin again. */
  async #again<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!saysGone(error) && !(error instanceof Failure && error.code === 'browser_gone')) throw error;
      await new Promise(setImmediate);
      for (const window of this.#windows) if (window.context.browser()?.isConnected() === false) this.#lose(window);
      return run();
    }
  }

  async #tab(tabId: number | undefined, limits: Limits): Promise<Tab> {
    await this.open(limits);
    if (tabId !== undefined && !this.tabs.has(tabId)) throw this.#noTab(tabId);
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
    const { cdpEndpoint, userDataDir } = this.chrome.options;
    return this.kind.isDefault && (cdpEndpoint !== undefined || userDataDir !== undefined);
  }

  get active(): Tab | undefined {
    return this.tabs.get(this.#activeId);
  }

  activate(tab: Tab): void {
    this.#activeId = tab.id;
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
  async newWindow(size: { width: number; height: number }, limits: Limits): Promise<Tab> {
    const opener = await this.tab(undefined, limits);
    const { targetInfo } = await opener.send(limits, opener.main, 'Target.getTargetInfo');
    const context = opener.page.context();
    const [page] = await under(
      limits.signal,
      Promise.all([
        context.waitForEvent('page', { timeout: 0 }),
        createWindow(context, {
          ...size,
          ...(targetInfo.browserContextId ? { browserContextId: targetInfo.browserContextId } : {}),
        }),
      ]),
    );
    const tab = this.#register(page, opener.borrowed);
    await tab.ready(limits);
    if (!opener.borrowed) await under(limits.signal, page.setViewportSize(size));
    return tab;
  }

  /** A window with cookies and storage of its own, closed with the session. */
  async newPrivateTab(size: { width: number; height: number }, limits: Limits): Promise<Tab> {
    await this.open(limits);
    const window = await this.chrome.window(false, limits);
    await this.#watch(window);
    const page = await under(limits.signal, window.context.newPage());
    const tab = this.#register(page, false);
    await tab.ready(limits);
    await under(limits.signal, page.setViewportSize(size));
    return tab;
  }

  async closeTab(tab: Tab, limits: Limits): Promise<void> {
    this.#drop(tab);
    await under(limits.signal, tab.page.close());
  }

  #drop(tab: Tab): void {
    this.tabs.delete(tab.id);
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
    return [...this.#notes.splice(0), ...tabs, ...this.downloads.news()];
  }

  /** Puts a new page into a tab whose page is stuck or dead; the old one is thrown away. */
  async replace(tab: Tab, limits: Limits): Promise<void> {
    const old = tab.page;
    this.#byPage.delete(old);
    await this.#fillTab(tab, old.context(), limits);
    this.#front = tab;
    old.close().catch(() => undefined); // a stuck renderer may never answer; Chrome ends it
    await tab.ready(limits);
  }

  async open(limits: Limits): Promise<void> {
    if (this.#closed) throw new Failure('refused', `Session ${this.kind.name} is closed.`, 'Use another session.');
    if (this.#windows.length > 0) return;
    this.#opening ??= this.#start(limits).finally(() => {
      this.#opening = undefined;
    });
    await under(limits.signal, this.#opening);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const windows = this.#windows;
    this.#windows = [];
    for (const tab of [...this.tabs.values()]) this.#drop(tab);
    await Promise.allSettled(windows.filter(window => !window.borrowed).map(window => window.context.close()));
  }

  async #start(limits: Limits): Promise<void> {
    const window = await this.chrome.window(this.kind.isDefault, limits);
    await this.#watch(window);
    const lost = [...this.tabs.values()];
    if (lost.length > 0) await this.#restore(lost, limits);
    else for (const page of window.context.pages()) this.#register(page, window.borrowed);
    if (window.borrowed) this.#activeId = (await inFront([...this.tabs.values()]))?.id ?? 0;
  }

  async #watch(window: Window): Promise<void> {
    await this.routes.guard(window.context);
    this.#windows.push(window);
    window.context.on('page', page => this.#arrived(page));
    window.context.once('close', () => this.#lose(window));
    window.context.browser()?.once('disconnected', () => this.#lose(window));
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
    const failure = new Failure(
      'browser_gone',
      'The browser ended during this call.',
      'Call again: the browser is started again and its pages are opened again.',
    );
    for (const tab of this.tabs.values()) if (tab.page.context() === window.context) tab.fail(failure);
  }

  /** After the browser ended: the same tabs, with new pages at the old addresses. */
  async #restore(lost: Tab[], limits: Limits): Promise<void> {
    this.#byPage.clear();
    for (const tab of lost) {
      const url = tab.url;
      await this.#fillTab(tab, this.#context(), limits);
      await tab.ready(limits);
      this.#notes.push(...(await reopen(tab, url, limits)));
    }
    this.#notes.push(
      'The browser had ended and was started again: its pages were opened again, refs are void, logins may be lost.',
    );
  }

  /** A new page for a tab that is there. Until the tab has it, the arrival of a page makes no other tab. */
  async #fillTab(tab: Tab, context: BrowserContext, limits: Limits): Promise<void> {
    this.#filling++;
    try {
      const page = await under(limits.signal, context.newPage());
      this.#byPage.set(page, tab);
      tab.adopt(page);
      this.#expect(page);
    } finally {
      if (--this.#filling === 0) for (const page of context.pages()) this.tabFor(page);
    }
  }

  async #revive(tab: Tab, limits: Limits): Promise<void> {
    const url = tab.url;
    const why = tab.gone?.message ?? '';
    await this.replace(tab, limits);
    this.#notes.push(...(await reopen(tab, url, limits)));
    this.#notes.push(`${why} It was opened again at ${tab.url}; refs are void.`);
  }

  #register(page: Page, borrowed: boolean): Tab {
    const known = this.#byPage.get(page);
    if (known) return known;
    const tab = new Tab(++this.#lastId, this, page, borrowed, this.chrome.options);
    this.tabs.set(tab.id, tab);
    tab.events.on('connected', () => this.routes.meet(tab));
    if (page.context() === this.#windows[0]?.context) this.own.visits.follow(tab);
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

  #noTab(tabId: number): Failure {
    const ids = [...this.tabs.keys()];
    const known = ids.length === 0 ? 'No tab is open.' : `Open tabs: ${ids.join(', ')}.`;
    const hint = 'See tab_list, or leave tabId out for the active tab.';
    return new Failure('no_tab', `There is no tab ${tabId}. ${known}`, hint);
  }
}
