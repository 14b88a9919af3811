// The tabs of an attached browser as one session shows them. Several sessions may show the same AttachedTabs, each with its own Tab objects.
import { Failure } from '../../errors.ts';
import type { AttachedTab } from '../browser/attach/attached-tab.ts';
import type { AttachedTabs } from '../browser/attach/attached-tabs.ts';
import { type Limits, under } from '../limits.ts';
import type { Page } from '../page/page.ts';
import type { Context } from './context.ts';
import type { TabRegistry } from './registry.ts';
import type { Tab } from './tab.ts';

export class AttachedView {
  readonly #attached: AttachedTabs;
  readonly #context: Context;
  readonly #tabs: TabRegistry;
  /** It knows which tabs there are, and in which order. */
  #isReady = false;

  constructor(attached: AttachedTabs, context: Context) {
    this.#attached = attached;
    this.#context = context;
    this.#tabs = context.tabs;
    attached.on('page', this.#pageArrived).on('changed', this.#changed);
  }

  end(): void {
    this.#attached.off('page', this.#pageArrived).off('changed', this.#changed);
  }

  /** Makes a tab for each tab of the browser, in the order of their use. */
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
    void tab.leave();
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
      if (tab.isUnattached && tab.target && !listed.includes(tab.target)) void this.#tabs.drop(tab);
    for (const target of listed) if (!this.#tabOf(target)) this.#add(target);
  }

  #add(target: AttachedTab): void {
    const tab = this.#tabs.create(target, true);
    tab.openedByUser = true;
    this.#context.own.visits.follow(tab);
    if (this.#isReady) this.#context.recentEvents.opened(tab.id);
  }

  readonly #pageArrived = (page: Page, target: AttachedTab): void => {
    // A tab that is known gets its page when it is asked for.
    if (!this.#tabOf(target)?.isUnattached) this.#context.pageArrived(page, target);
  };

  readonly #changed = (): void => {
    if (this.#isReady) this.#update();
  };
}
