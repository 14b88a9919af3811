// View: the tabs of an attached browser as one session shows them. They are its own; the browser's tabs are not.
import type { Page } from 'playwright-core';
import { Failure } from '../../../errors.ts';
import { type Limits, under } from '../../limits.ts';
import type { Tab } from '../../tab/tab.ts';
import type { AttachedTab } from './attached-tab.ts';
import type { AttachedTabs } from './attached-tabs.ts';

/** The session, as its view needs it. */
export interface ViewHost {
  readonly tabs: ReadonlyMap<number, Tab>;
  /** Makes a tab for it, which has no page yet. */
  enter(target: AttachedTab): Tab;
  /** The tab has got its page. */
  settle(tab: Tab, page: Page): void;
  /** A page has come that no tab of a person had before. */
  arrived(page: Page, target: AttachedTab): void;
  /** The end of the page is not the end of its tab. */
  forget(page: Page): void;
  drop(tab: Tab): void;
}

export class SessionView {
  readonly #targets: AttachedTabs;
  readonly #host: ViewHost;
  /** It knows which tabs there are, and in which order. */
  #isReady = false;

  constructor(targets: AttachedTabs, host: ViewHost) {
    this.#targets = targets;
    this.#host = host;
    targets.on('page', this.#arrived).on('changed', this.#changed);
  }

  end(): void {
    this.#targets.off('page', this.#arrived).off('changed', this.#changed);
  }

  /** The tabs that are there, the one that was used last at the end. */
  async find(): Promise<void> {
    for (const target of await this.#targets.byUse()) this.#enter(target);
    this.#isReady = true;
  }

  /** Takes in what a person has opened and closed meanwhile. */
  async look(limits: Limits): Promise<void> {
    await under(limits.signal, this.#targets.upToDate());
    this.#see();
  }

  /** Gives the tab its page. Says whether it has one: a tab that does not answer may be wanted all the same. */
  async bring(tab: Tab, limits: Limits, evenStuck = false): Promise<boolean> {
    try {
      const page = await tab.target?.bring(limits);
      if (page && tab.isFar) this.#host.settle(tab, page);
      tab.notes.push(...(tab.target?.notes.splice(0) ?? []));
    } catch (error) {
      if (!evenStuck || !(error instanceof Failure) || error.code !== 'page_unresponsive') throw error;
    }
    return !tab.isFar;
  }

  /** A page that crashed: the tab stays where it is, and is loaded again, once for all sessions that show it. */
  async recover(tab: Tab, limits: Limits): Promise<void> {
    const { target, page } = tab;
    if (!target) return;
    this.#host.forget(page);
    tab.leave();
    if (target.page === page) await under(limits.signal, target.release());
    this.#host.settle(tab, await target.bring(limits));
    target.notes.splice(0); // the session tells of the crash itself
  }

  #tabOf(target: AttachedTab): Tab | undefined {
    return [...this.#host.tabs.values()].find(tab => tab.target === target);
  }

  #see(): void {
    const { listed } = this.#targets;
    for (const tab of [...this.#host.tabs.values()])
      if (tab.isFar && tab.target && !listed.includes(tab.target)) this.#host.drop(tab);
    for (const target of listed) if (!this.#tabOf(target)) this.#enter(target);
  }

  #enter(target: AttachedTab): void {
    this.#host.enter(target).isTheirs = true;
  }

  readonly #arrived = (page: Page, target: AttachedTab): void => {
    // A tab that is known gets its page when it is asked for.
    if (!this.#tabOf(target)?.isFar) this.#host.arrived(page, target);
  };

  readonly #changed = (): void => {
    if (this.#isReady) this.#see();
  };
}
