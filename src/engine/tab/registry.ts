// The tabs of one session by number, which of them is active, and which page each shows.
import type { AttachedTab } from '../browser/attach/attached-tab.ts';
import type { Page } from '../page/page.ts';
import type { Context } from './context.ts';
import { Tab } from './tab.ts';
import type { Windows } from './windows.ts';

export class TabRegistry extends Map<number, Tab> {
  activeId = 0;
  /** Knows the page that was opened or brought to the front last. An attached browser has one for all sessions. */
  foreground: { front: Page | undefined } = { front: undefined };
  readonly #context: Context;
  readonly #windows: Windows;
  readonly #byPage = new Map<Page, Tab>();
  readonly #closeListeners = new Map<Page, () => void>();
  #lastId = 0;

  constructor(context: Context, windows: Windows) {
    super();
    this.#context = context;
    this.#windows = windows;
  }

  /** Makes a tab for a page, or for a tab of an attached browser that has no page yet. */
  create(at: Page | AttachedTab, borrowed: boolean, id = this.#lastId + 1): Tab {
    const { browser, changes, recentEvents } = this.#context;
    this.#lastId = Math.max(this.#lastId, id);
    const tab = new Tab(id, this.#context, at, borrowed, browser.options);
    this.set(tab.id, tab);
    changes.follow(tab);
    recentEvents.follow(tab);
    if (this.activeId === 0) this.activeId = tab.id;
    return tab;
  }

  /** The tab that shows the page; a new one, if there is none. */
  register(page: Page, borrowed: boolean, id?: number): Tab {
    const known = this.#byPage.get(page);
    if (known) return known;
    const tab = this.create(page, borrowed, id);
    if (page.context() === this.#windows.first?.context) {
      this.#context.own.visits.follow(tab);
      this.#context.kind.sessionState?.follow(tab);
    }
    this.#bind(page, tab);
    this.foreground.front = page;
    return tab;
  }

  /** Gives the tab a page: its first, or another one. */
  setPage(tab: Tab, page: Page): Tab {
    this.#bind(page, tab);
    tab.adopt(page);
    return tab;
  }

  knows(page: Page): boolean {
    return this.#byPage.has(page);
  }

  /** Like register(), for a page that may belong to a tab of an attached browser, or be closed already. */
  tabFor(page: Page): Tab | undefined {
    const known = this.#byPage.get(page);
    if (known || page.isClosed) return known;
    const waiting = [...this.values()].find(({ isUnattached, target }) => isUnattached && target?.page === page);
    if (waiting) return this.setPage(waiting, page);
    const { first } = this.#windows;
    return this.register(page, first?.context === page.context() && first.borrowed);
  }

  /** From now on the end of the page is not the end of its tab. */
  forgetPage(page: Page): void {
    this.#byPage.delete(page);
  }

  /** The same for all pages, which live on. */
  forgetPages(): void {
    this.#byPage.clear();
    for (const unsubscribe of this.#closeListeners.values()) unsubscribe();
    this.#closeListeners.clear();
  }

  /** Settles when what ran in the tab has ended. */
  drop(tab: Tab): Promise<void> {
    const { browser, changes, recentEvents, routes } = this.#context;
    this.delete(tab.id);
    changes.notify('closed', tab.id);
    recentEvents.forget(tab.id);
    routes.removeTab(tab.id);
    this.forgetPage(tab.page);
    if (this.activeId === tab.id) this.activeId = [...this.keys()].at(-1) ?? 0;
    if (this.foreground.front === tab.page) this.foreground.front = undefined;
    return tab.cleanUp(browser.log);
  }

  /** Returns the tabs that there were. */
  dropAll(): Tab[] {
    const all = [...this.values()];
    for (const tab of all) void this.drop(tab);
    return all;
  }

  #bind(page: Page, tab: Tab): void {
    this.#byPage.set(page, tab);
    if (this.#closeListeners.has(page)) return;
    const closed = () => {
      this.#closeListeners.delete(page);
      // When the browser ends, its pages close first: only the next turn of the event loop knows which it was.
      setImmediate(() => this.#pageClosed(page));
    };
    page.once('close', closed);
    this.#closeListeners.set(page, () => void page.off('close', closed));
  }

  /** Drops the tab, unless it has got another page meanwhile, or crashed, or ended together with its window or browser. */
  #pageClosed(page: Page): void {
    const tab = this.#byPage.get(page);
    const isAlive = page.context().browser().isConnected();
    if (tab?.page !== page || tab.gone?.code === 'page_crashed' || !isAlive) return;
    if (this.#windows.has(page.context())) void this.drop(tab);
  }
}
