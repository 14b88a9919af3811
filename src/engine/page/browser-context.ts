// BrowserContext: a state of the browser (cookies, storage, cache) with its pages: the browser's own, or one that was made beside it.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import type { TargetSession } from '../../cdp/session.ts';
import type { UserAgent } from '../emulation/user-agent.ts';
import type { Size } from '../geometry.ts';
import type { ConnectedBrowser } from './connected-browser.ts';
import { Page } from './page.ts';

export interface ContextOptions {
  /** The size of its pages; that of the window without it. */
  viewport?: Size | undefined;
  agent?: (Partial<UserAgent> & { userAgent: string; acceptLanguage?: string }) | undefined;
  locale?: string | undefined;
  timezone?: string | undefined;
  /** Its pages believe that they are in front: Chrome draws them, and gives them input, also behind others. */
  focused?: boolean | undefined;
  /** Where Chrome puts downloads; without it, where the user of the browser wants. */
  downloadFolder?: string | undefined;
}

/** The proxy of one context. */
export interface ContextProxy {
  server: string;
  bypass: string;
}

export class BrowserContext extends EventEmitter<{ page: [page: Page]; close: [] }> {
  readonly #browser: ConnectedBrowser;
  readonly #pages = new Map<string, Page>();
  #isClosed = false;
  /** What must be done before a new page runs. Never rejects. */
  readonly beforeRun = new Set<(page: Page) => Promise<void>>();
  /** It is to be closed as soon as its browser can be reached again. */
  isUnwanted = false;

  constructor(
    browser: ConnectedBrowser,
    /** Undefined for the browser's own. */
    readonly id: string | undefined,
    readonly options: ContextOptions,
  ) {
    super();
    this.setMaxListeners(0);
    this.#browser = browser;
  }

  browser(): ConnectedBrowser {
    return this.#browser;
  }

  pages(): Page[] {
    return [...this.#pages.values()];
  }

  /** The page of a target that there is a session with; a new one has not run yet. */
  adopt(info: Protocol.Target.TargetInfo, session: TargetSession, isNew: boolean): Page {
    const page = new Page(this, info, session, isNew);
    this.#pages.set(page.targetId, page);
    page.once('close', () => {
      if (this.#pages.get(page.targetId) === page) this.#pages.delete(page.targetId);
    });
    this.emit('page', page);
    return page;
  }

  /** An empty page; with a size, in a window of its own. */
  async newPage(window?: Size): Promise<Page> {
    const targetId = await this.#browser.createTarget({
      url: 'about:blank',
      ...(this.id !== undefined && { browserContextId: this.id }),
      ...(window && { newWindow: true, ...window }),
    });
    const page = this.#pages.get(targetId);
    if (!page) throw new Error('The new page was closed at once.');
    await page.tree.ready;
    return page;
  }

  /** With its pages, which are not asked. */
  async close(): Promise<void> {
    this.isUnwanted = true;
    if (this.#isClosed || this.id === undefined) return;
    await this.#browser.connection.root.send('Target.disposeBrowserContext', { browserContextId: this.id });
    this.ended();
  }

  /** It is gone: closed, or with its browser. */
  ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#browser.forget(this);
    this.emit('close');
  }
}
