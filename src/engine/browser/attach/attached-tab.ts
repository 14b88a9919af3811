// One tab of an attached browser, known by the events of the browser. It gets a page only when a call needs it.
import type { Protocol } from 'devtools-protocol';
import { Failure } from '../../../errors.ts';
import { advice, phrase, theTool, toolName } from '../../../text.ts';
import { type Limits, under, unlimited } from '../../limits.ts';
import type { Page } from '../../page/page.ts';
import { ownTitle } from '../../title.ts';
import type { AttachedTabs } from './attached-tabs.ts';
import { isHidden } from './hidden-targets.ts';
import { TabProbe } from './probe.ts';

/** So long after a tab did not answer, it is waited for less. */
const LATELY_MS = 30_000;

/** What the events of the browser say about a tab. */
type TargetInfo = Protocol.Target.TargetInfo;

export class AttachedTab {
  /** Shown by the next session that takes up its page. */
  readonly notes: string[] = [];
  page: Page | undefined;
  /** It is new: whether it is one of ours is not known yet. */
  isAwaited = false;
  #info: TargetInfo;
  #isClosing = false;
  readonly #closed: Promise<never>;
  #close!: (why: Failure) => void;
  #coming: Promise<Page> | undefined;
  /** When it did not answer last. */
  #stuckAt = Number.NEGATIVE_INFINITY;

  constructor(
    info: TargetInfo,
    readonly tabs: AttachedTabs,
  ) {
    this.#info = info;
    this.#closed = new Promise((_, reject) => {
      this.#close = reject;
    });
    this.#closed.catch(() => undefined); // the calls that wait for its page get the failure
  }

  get id(): string {
    return this.#info.targetId;
  }

  get url(): string {
    return this.#info.url;
  }

  get title(): string {
    const { url, title } = this.#info;
    return ownTitle(url, title);
  }

  get context(): string | undefined {
    return this.#info.browserContextId;
  }

  /** The user does not see it as a tab: a page of the browser itself, or a page that is loaded in advance. */
  get isHidden(): boolean {
    return this.#isClosing || isHidden(this.url) || (this.#info.subtype ?? '') !== '';
  }

  update(info: TargetInfo): void {
    this.#info = info;
  }

  /** The browser has closed it. */
  end(): void {
    this.#close(
      new Failure('no_tab', `The tab ${this.url.slice(0, 200)} was closed.`, phrase`See ${toolName('tab_list')}.`),
    );
  }

  /** Until the page ends, or is taken away again. */
  arrived(page: Page): void {
    this.page = page;
    page.once('close', () => {
      if (this.page === page) this.page = undefined;
    });
  }

  /** Its page: wakes it when it sleeps. Fails soon when it does not answer. */
  bring(limits: Limits): Promise<Page> {
    if (this.page) return Promise.resolve(this.page);
    this.#coming ??= this.#come().finally(() => {
      this.#coming = undefined;
    });
    return under(limits.signal, this.#coming);
  }

  async windowId(): Promise<number> {
    return (await this.tabs.connection.root.send('Browser.getWindowForTarget', { targetId: this.id })).windowId;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.tabs.connection.root.send('Target.closeTarget', { targetId: this.id }).catch(error => {
      this.#isClosing = false;
      throw error;
    });
  }

  async activate(): Promise<void> {
    await this.tabs.connection.root.send('Target.activateTarget', { targetId: this.id });
  }

  /** Whether it answers now. The session for that is closed again. */
  async answers(limits: Limits): Promise<boolean> {
    const probe = new TabProbe(await this.tabs.connection.attach(this.id), false);
    try {
      const answers = (await probe.health(limits.signal)) === 'answers';
      if (answers) this.#stuckAt = Number.NEGATIVE_INFINITY;
      return answers;
    } finally {
      void probe.end();
    }
  }

  /** Ends the session with its page; bring() makes a new page of it. */
  async release(): Promise<void> {
    const { page } = this;
    this.page = undefined;
    await page?.tree.leave();
  }

  async #come(): Promise<Page> {
    const page = this.#attach();
    page.catch(() => undefined); // not waited for any more when the tab is closed
    return Promise.race([page, this.#closed, this.tabs.connection.ended.then(() => Promise.reject(ended()))]);
  }

  /** Makes a page of it, if it answers. */
  async #attach(): Promise<Page> {
    const isAgain = performance.now() - this.#stuckAt < LATELY_MS;
    const session = await this.tabs.connection.attach(this.id);
    const probe = new TabProbe(session, isAgain);
    try {
      const { signal } = unlimited();
      let health = await probe.health(signal);
      if (health === 'asleep') {
        health = await probe.wake(signal);
        this.notes.push(`${this.url.slice(0, 200)} was asleep (or had crashed) and was loaded again.`);
      }
      if (health !== 'answers') throw this.#stuck();
    } catch (error) {
      if (!isAgain) this.#stuckAt = performance.now();
      void probe.end();
      throw error;
    }
    return this.tabs.pageOf(this, this.#info, session);
  }

  #stuck(): Failure {
    const name = [this.title && JSON.stringify(this.title.slice(0, 100)), this.url.slice(0, 200)].filter(Boolean);
    return new Failure(
      'page_unresponsive',
      `The tab ${name.join(' ')} does not answer: a script keeps it busy, it is paused by DevTools, or a dialog has been open in it since before this browser was attached to. It belongs to the person who uses the browser: nothing was stopped or closed.`,
      phrase`${advice(phrase`If it is a dialog, dismiss it with ${theTool('dialog')}. Else use another tab: see ${toolName('tab_list')} and ${toolName('tab_new')}.`)}`,
    );
  }
}

const ended = (): Failure => new Failure('browser_gone', 'The attached browser has ended.', 'Call again.');
