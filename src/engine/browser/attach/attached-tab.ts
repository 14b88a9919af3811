// Target: one tab of an attached browser, known by what the browser tells of it. Its page is only taken up when it is wanted.
import type { Protocol } from 'devtools-protocol';
import type { Page } from 'playwright-core';
import { Failure } from '../../../errors.ts';
import { advice, phrase, theTool, toolName } from '../../../text.ts';
import { type Limits, under, unlimited, within } from '../../limits.ts';
import type { CdpConnection } from './connection.ts';
import { isHidden } from './hidden-targets.ts';
import { TabProbe } from './probe.ts';
import type { CdpMessage } from './socket.ts';

/** How long Playwright may take with a page that has just answered. */
export const ARRIVE_MS = 5_000;

/** One that did not answer is not waited for as long again, for so long. */
const LATELY_MS = 30_000;

/** What the browser tells of a tab. */
export type TargetInfo = Pick<
  Protocol.Target.TargetInfo,
  'targetId' | 'url' | 'title' | 'subtype' | 'openerId' | 'browserContextId'
>;

/** The tabs among which it stands. */
export interface TargetHost {
  readonly line: CdpConnection;
  readonly listed: AttachedTab[];
  /** Opens a session of our own with it; gives what Chrome told of that. */
  attach(targetId: string): Promise<CdpMessage>;
}

export class AttachedTab {
  /** What whoever takes it up next is told. */
  readonly notes: string[] = [];
  /** The session that Playwright has with it. */
  session: string | undefined;
  /** It is new: whether Playwright gets it, and when its page is there, is still to be told. */
  isAwaited = false;
  page: Page | undefined;
  #facts: TargetInfo;
  #isClosing = false;
  readonly #closed: Promise<never>;
  #close!: (why: Failure) => void;
  #coming: Promise<Page> | undefined;
  /** When it did not answer last. */
  #stuckAt = Number.NEGATIVE_INFINITY;
  /** Told when its page is there. */
  readonly #waiters = new Set<(page: Page) => void>();

  constructor(
    facts: TargetInfo,
    readonly host: TargetHost,
  ) {
    this.#facts = facts;
    this.#closed = new Promise((_, reject) => {
      this.#close = reject;
    });
    this.#closed.catch(() => undefined); // told to who waits for its page
  }

  get id(): string {
    return this.#facts.targetId;
  }

  get url(): string {
    return this.#facts.url;
  }

  /** Of a page without a title Chrome says the url, mostly without the scheme. */
  get title(): string {
    const { url, title } = this.#facts;
    return url.endsWith(title) ? '' : title;
  }

  get context(): string | undefined {
    return this.#facts.browserContextId;
  }

  /** It stands for no tab that a person sees: a page of the browser itself, or one that is loaded in advance. */
  get isHidden(): boolean {
    return this.#isClosing || isHidden(this.url) || (this.#facts.subtype ?? '') !== '';
  }

  learn(facts: TargetInfo): void {
    this.#facts = facts;
  }

  /** Playwright's session with it has ended. */
  left(session: string): void {
    if (session === this.session) this.session = this.page = undefined;
  }

  /** The browser has closed it. */
  end(): void {
    this.#close(
      new Failure('no_tab', `The tab ${this.url.slice(0, 200)} was closed.`, phrase`See ${toolName('tab_list')}.`),
    );
  }

  arrived(page: Page): void {
    this.page = page;
    this.isAwaited = false;
    for (const waiter of [...this.#waiters]) waiter(page);
    this.#waiters.clear();
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
    return (await this.host.line.send('Browser.getWindowForTarget', { targetId: this.id })).windowId;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.host.line.send('Target.closeTarget', { targetId: this.id }).catch(error => {
      this.#isClosing = false;
      throw error;
    });
  }

  async activate(): Promise<void> {
    await this.host.line.send('Target.activateTarget', { targetId: this.id });
  }

  /** Whether it answers now. Nothing of ours stays with it. */
  async answers(limits: Limits): Promise<boolean> {
    const { sessionId } = (await this.host.attach(this.id)).params as { sessionId: string };
    const probe = new TabProbe(this.host.line, sessionId, false);
    try {
      const answers = (await probe.health(limits.signal)) === 'answers';
      if (answers) this.#stuckAt = Number.NEGATIVE_INFINITY;
      return answers;
    } finally {
      probe.end();
    }
  }

  /** Takes it away from Playwright; bring() makes a new page of it. */
  async release(): Promise<void> {
    if (this.session === undefined) return;
    const { session } = this;
    await this.host.line.send('Target.detachFromTarget', { sessionId: session });
    this.left(session);
  }

  async #come(): Promise<Page> {
    const page = this.#arrive();
    page.catch(() => undefined); // not waited for any more when the tab is closed
    return Promise.race([page, this.#closed, this.host.line.ended.then(() => Promise.reject(ended()))]);
  }

  async #arrive(): Promise<Page> {
    if (this.session === undefined) await this.#offer();
    if (this.page) return this.page;
    const bound = within(unlimited(), ARRIVE_MS, () => this.#stuck());
    let arrived: ((page: Page) => void) | undefined;
    try {
      const page = new Promise<Page>(resolve => {
        arrived = resolve;
        this.#waiters.add(resolve);
      });
      return await under(bound.signal, page);
    } finally {
      bound.done();
      if (arrived) this.#waiters.delete(arrived);
    }
  }

  /** Gives it to Playwright, if it answers. */
  async #offer(): Promise<void> {
    const attached = await this.host.attach(this.id);
    const { sessionId } = attached.params as { sessionId: string };
    const isAgain = performance.now() - this.#stuckAt < LATELY_MS;
    const probe = new TabProbe(this.host.line, sessionId, isAgain);
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
      probe.end();
      throw error;
    }
    this.session = sessionId;
    this.host.line.hand(sessionId, attached);
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
