// OpenTabs: the tabs of one session by number, which of them is active, and which page each shows.
import type { BrowserContext, Page } from 'playwright-core';
import type { Log } from '../../config/log.ts';
import type { Options } from '../../config/options.ts';
import type { AttachedTab } from '../browser/attach/attached-tab.ts';
import type { SessionData } from '../browserdata/session-history.ts';
import type { Routes } from '../network/route/session-routes.ts';
import type { SessionState } from '../storage/session-state.ts';
import type { ChangeEvents } from './change-events.ts';
import { Pages } from './pages.ts';
import { Tab, type TabHome } from './tab.ts';

/** The session, as its tabs see it. */
interface Host extends TabHome {
  readonly kind: { keeper?: SessionState };
  readonly chrome: { readonly options: Options; readonly log: Log };
  readonly routes: Routes;
  readonly own: SessionData;
  readonly changes: ChangeEvents;
}

/** Its windows, as far as tabs live in them. */
interface Places {
  readonly first: { context: BrowserContext } | undefined;
  has(context: BrowserContext): boolean;
}

export class TabRegistry extends Map<number, Tab> {
  activeId = 0;
  readonly pages = new Pages(tab => this.#places.has(tab.page.context()) && this.drop(tab));
  readonly #host: Host;
  readonly #places: Places;
  #lastId = 0;
  /** Which page was opened or brought to the front last: in an attached browser, by any session. */
  place: { front: Page | undefined } = { front: undefined };

  constructor(host: Host, places: Places) {
    super();
    this.#host = host;
    this.#places = places;
  }

  /** A tab for a page, or for what stands for one in an attached browser. */
  enter(at: Page | AttachedTab, borrowed: boolean, id = this.#lastId + 1): Tab {
    const { chrome, changes, news, routes } = this.#host;
    this.#lastId = Math.max(this.#lastId, id);
    const tab = new Tab(id, this.#host, at, borrowed, chrome.options);
    this.set(tab.id, tab);
    changes.follow(tab);
    news.follow(tab);
    tab.events.on('connected', () => routes.meet(tab));
    if (this.activeId === 0) this.activeId = tab.id;
    return tab;
  }

  register(page: Page, borrowed: boolean, id?: number): Tab {
    const known = this.pages.get(page);
    if (known) return known;
    const tab = this.enter(page, borrowed, id);
    if (page.context() === this.#places.first?.context) {
      this.#host.own.visits.follow(tab);
      this.#host.kind.keeper?.follow(tab);
    }
    this.pages.put(page, tab);
    this.place.front = page;
    return tab;
  }

  /** The tab gets a page: its first, or another one. */
  settle(tab: Tab, page: Page): Tab {
    this.pages.put(page, tab);
    tab.adopt(page);
    return tab;
  }

  tabFor(page: Page): Tab | undefined {
    const known = this.pages.get(page);
    if (known || page.isClosed()) return known;
    const far = [...this.values()].find(({ isFar, target }) => isFar && target?.page === page);
    return far ? this.settle(far, page) : this.register(page, false);
  }

  drop(tab: Tab): void {
    const { chrome, changes, news, routes } = this.#host;
    this.delete(tab.id);
    changes.tell('closed', tab.id);
    news.told(tab.id);
    routes.forget(tab.id);
    this.pages.forget(tab.page);
    if (this.activeId === tab.id) this.activeId = [...this.keys()].at(-1) ?? 0;
    if (this.place.front === tab.page) this.place.front = undefined;
    for (const clean of tab.cleanups.splice(0)) clean().catch(error => chrome.log.debug(`clean-up: ${error}`));
  }

  /** Gives those that there were. */
  dropAll(): Tab[] {
    const all = [...this.values()];
    for (const tab of all) this.drop(tab);
    return all;
  }
}
