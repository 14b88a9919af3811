// The tabs of an attached browser as one session shows them. Each session has Tabs of its own for the same AttachedTabs.
import type { Page } from 'playwright-core';
import { Failure } from '../../errors.ts';
import type { AttachedTab } from '../browser/attach/attached-tab.ts';
import type { AttachedTabs } from '../browser/attach/attached-tabs.ts';
import { type Limits, under } from '../limits.ts';
import type { TabRegistry } from './registry.ts';
import type { Tab } from './tab.ts';

/** How the session takes in what the attached browser opens. */
export interface Arrivals {
  /** Makes a tab for it, which has no page yet. */
  tab(target: AttachedTab): Tab;
  /** A page has come that no tab of the user had before. */
  page(page: Page, target: AttachedTab): void;
}

export class AttachedView {
  readonly #attached: AttachedTabs;
  readonly #tabs: TabRegistry;
  readonly #arrivals: Arrivals;
  /** It knows which tabs there are, and in which order. */
  #isReady = false;

  constructor(attached: AttachedTabs, tabs: TabRegistry, arrivals: Arrivals) {
    this.#attached = attached;
    this.#tabs = tabs;
    this.#arrivals = arrivals;
    attached.on('page', this.#pageArrived).on('changed', this.#changed);
  }

  end(): void {
    this.#attached.off('page', this.#pageArrived).off('changed', this.#changed);
  }

  /** Makes a tab for each that is there, the one that was used last at the end. */
  async start(): Promise<void> {
    for (const target of await this.#attached.byUse()) this.#add(target);
    this.#isReady = true;
  }

  /** Takes in what the user has opened and closed meanwhile. */
  async refresh(limits: Limits): Promise<void> {
    await under(limits.signal, this.#attached.upToDate());
    this.#update();
  }

  /** Gives the tab its page. Says whether it has one: with evenStuck, a tab that does not answer stays without. */
  async bring(tab: Tab, limits: Limits, evenStuck = false): Promise<boolean> {
    try {
      const page = await tab.target?.bring(limits);
      if (page && tab.isUnattached) this.#tabs.setPage(tab, page);
      tab.notes.push(...(tab.target?.notes.splice(0) ?? []));
    } catch (error) {
      if (!evenStuck || !(error instanceof Failure) || error.code !== 'page_unresponsive') throw error;
    }
    return !tab.isUnattached;
  }

  /** A tab whose page crashed is loaded again where it is, once for all sessions that show it. */
  async recover(tab: Tab, limits: Limits): Promise<void> {
    const { target, page } = tab;
    if (!target) return;
    this.#tabs.forgetPage(page);
    tab.leave();
    if (target.page === page) await under(limits.signal, target.release());
    this.#tabs.setPage(tab, await target.bring(limits));
    target.notes.splice(0); // the session notes the crash itself
  }

  #tabOf(target: AttachedTab): Tab | undefined {
    return [...this.#tabs.values()].find(tab => tab.target === target);
  }

  #update(): void {
    const { listed } = this.#attached;
    for (const tab of [...this.#tabs.values()])
      if (tab.isUnattached && tab.target && !listed.includes(tab.target)) this.#tabs.drop(tab);
    for (const target of listed) if (!this.#tabOf(target)) this.#add(target);
  }

  #add(target: AttachedTab): void {
    this.#arrivals.tab(target).openedByUser = true;
  }

  readonly #pageArrived = (page: Page, target: AttachedTab): void => {
    // A tab that is known gets its page when it is asked for.
    if (!this.#tabOf(target)?.isUnattached) this.#arrivals.page(page, target);
  };

  readonly #changed = (): void => {
    if (this.#isReady) this.#update();
  };
}
