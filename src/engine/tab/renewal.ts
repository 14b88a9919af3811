// Renewal: new pages for tabs that have lost theirs: stuck, crashed, gone with the browser, or kept by an earlier server.
import type { BrowserContext } from 'playwright-core';
import { type Limits, under } from '../limits.ts';
import type { SessionState } from '../storage/session-state.ts';
import { lostTabs, restoreTabs } from './recovery.ts';
import type { TabRegistry } from './registry.ts';
import { reopen } from './reopen.ts';
import type { Tab } from './tab.ts';

export class Renewal {
  readonly #tabs: TabRegistry;
  readonly #notes: string[];
  #filling = 0;

  constructor(tabs: TabRegistry, notes: string[]) {
    this.#tabs = tabs;
    this.#notes = notes;
  }

  /** A page that arrives meanwhile is one of those that it asked for: it makes no other tab. */
  get isFilling(): boolean {
    return this.#filling > 0;
  }

  /** Puts a new page into a tab whose page is stuck or dead; the old one is thrown away. */
  async replace(tab: Tab, limits: Limits): Promise<void> {
    const old = tab.page;
    this.#tabs.pages.forget(old);
    await this.#fill(tab.id, old.context(), limits);
    this.#tabs.place.front = tab.page;
    old.close().catch(() => undefined); // a stuck renderer may never answer; Chrome ends it
    await tab.ready(limits);
  }

  /** A tab whose page crashed gets a new one at the same address. */
  async revive(tab: Tab, limits: Limits): Promise<void> {
    const { url } = tab;
    await this.replace(tab, limits);
    this.#notes.push(...(await reopen(tab, url, limits)));
  }

  /** The same tabs, with new pages at the old addresses: after the browser ended, or from an earlier server. Gives which was active. */
  async comeBack(
    name: string,
    keeper: SessionState | undefined,
    context: BrowserContext,
    limits: Limits,
  ): Promise<number | undefined> {
    const { lost, activeId } = lostTabs(this.#tabs.values(), keeper);
    const rows = [];
    for (const row of lost) rows.push({ ...row, tab: await this.#fill(row.id, context, limits) });
    for (const { tab } of rows) await tab.ready(limits);
    this.#notes.push(...(await restoreTabs(name, rows, keeper, limits)));
    return activeId;
  }

  /** A new page for the tab of that number. */
  async #fill(id: number, context: BrowserContext, limits: Limits): Promise<Tab> {
    this.#filling++;
    try {
      const page = await under(limits.signal, context.newPage());
      const tab = this.#tabs.get(id);
      return tab ? this.#tabs.settle(tab, page) : this.#tabs.register(page, false, id);
    } finally {
      if (--this.#filling === 0) for (const page of context.pages()) this.#tabs.tabFor(page);
    }
  }
}
