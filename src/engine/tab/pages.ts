// Pages: which tab of a session shows which page. A page that closes takes its tab along.
import type { Page } from 'playwright-core';
import type { Tab } from './tab.ts';

export class Pages {
  readonly #tabs = new Map<Page, Tab>();
  /** How to hear no more of the end of a page. */
  readonly #ears = new Map<Page, () => void>();
  readonly #ended: (tab: Tab) => void;

  /** Told of each tab whose page was closed while all others go on. */
  constructor(ended: (tab: Tab) => void) {
    this.#ended = ended;
  }

  get(page: Page): Tab | undefined {
    return this.#tabs.get(page);
  }

  put(page: Page, tab: Tab): void {
    this.#tabs.set(page, tab);
    if (this.#ears.has(page)) return;
    const heard = () => {
      this.#ears.delete(page);
      // When the browser ends, its pages close first: only the next turn of the event loop knows which it was.
      setImmediate(() => this.#closed(page));
    };
    page.once('close', heard);
    this.#ears.set(page, () => void page.off('close', heard));
  }

  forget(page: Page): void {
    this.#tabs.delete(page);
  }

  /** The pages live on, without us. */
  end(): void {
    this.#tabs.clear();
    for (const off of this.#ears.values()) off();
    this.#ears.clear();
  }

  /** Not when the tab has got another page meanwhile, or all went down together. */
  #closed(page: Page): void {
    const tab = this.#tabs.get(page);
    const isAlive = page.context().browser()?.isConnected() ?? true;
    if (tab?.page === page && tab.gone?.code !== 'page_crashed' && isAlive) this.#ended(tab);
  }
}
