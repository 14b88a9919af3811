// Tab: one page of a session, its CDP sessions, refs, open dialog and events. Every wait on the page goes through race().
import { EventEmitter } from 'node:events';
import type { Dialog, Page } from 'playwright-core';
import type { Options } from '../config/options.ts';
import { Failure } from '../errors.ts';
import { ConsoleRing, hearConsole } from './console.ts';
import type { Downloads } from './downloads.ts';
import { noticeRefusals } from './egress/notice.ts';
import { Emulation } from './emulation/emulation.ts';
import { Frames } from './frames.ts';
import { type Heard, hear, hearPage, type Pending, type TabEvents } from './hear.ts';
import { type Limits, under, within } from './limits.ts';
import { Captures } from './network/captures.ts';
import { hearRequests, RequestRing } from './network/ring.ts';
import { Refs } from './refs.ts';
import { type Commands, saysGone, Wire, WireError } from './wire.ts';

export interface AutoDialog {
  action: 'accept' | 'dismiss';
  promptText?: string;
}

export interface OpenDialog {
  type: string;
  message: string;
  defaultValue: string;
}

/** The tabs of the same session. */
export interface TabHome {
  readonly tabs: ReadonlyMap<number, Tab>;
  readonly active: Tab | undefined;
  /** There may be tabs that only open() brings. */
  readonly hasUnseenTabs: boolean;
  readonly downloads: Downloads;
  open(limits: Limits): Promise<void>;
  tabFor(page: Page): Tab | undefined;
  newTab(limits: Limits): Promise<Tab>;
  newWindow(size: { width: number; height: number }, limits: Limits): Promise<Tab>;
  activate(tab: Tab): void;
  /** Brings the tab to the front of its window: behind others Chrome draws it rarely, and mouse events wait for that. */
  toFront(tab: Tab, limits: Limits): Promise<void>;
  closeTab(tab: Tab, limits: Limits): Promise<void>;
  /** Puts a new page into a tab whose page is stuck or dead. */
  replace(tab: Tab, limits: Limits): Promise<void>;
}

/** How long a read waits for a navigation that has got no answer yet. */
const LOADING_MS = 3_000;

export class Tab implements Heard {
  readonly refs = new Refs();
  readonly events = new EventEmitter<TabEvents>();
  /** What the agent must be told once, with the next answer. */
  readonly notes: string[] = [];
  readonly console = new ConsoleRing();
  readonly requests = new RequestRing();
  readonly emulation = new Emulation(this);
  readonly captures = new Captures();
  /** Run when the tab ends. */
  readonly cleanups: (() => Promise<void>)[] = [() => this.captures.end()];
  autoDialog: AutoDialog | undefined;
  page!: Page;
  main!: Wire;
  frames!: Frames;
  /** Why the page cannot be used any more; the next call gives the tab a new page. */
  gone: Failure | undefined;
  /** A navigation of the main frame that has been asked for and has not got its document yet. */
  pending: Pending | undefined;
  /** It has asked for a new tab, which has not come yet. */
  opensTab = false;
  #dialog: Dialog | undefined;
  #ready!: Promise<void>;
  readonly #waiters = new Set<(reason: Failure) => void>();

  constructor(
    readonly id: number,
    readonly home: TabHome,
    page: Page,
    readonly borrowed: boolean,
    readonly options: Options,
  ) {
    this.events.setMaxListeners(100);
    this.adopt(page);
  }

  /** Takes a page as this tab's own: its first, or the one that replaces a crashed or stuck one. */
  adopt(page: Page): void {
    this.page = page;
    this.gone = undefined;
    this.#dialog = undefined;
    this.pending = undefined;
    const current = (run: () => void) => () => this.page === page && run();
    page.on('dialog', dialog => this.page === page && this.#dialogOpened(dialog));
    page.on(
      'crash',
      current(() =>
        this.fail(
          new Failure('page_crashed', `The page in tab ${this.id} crashed.`, 'Call again: the tab gets a new page.'),
        ),
      ),
    );
    // When the browser ends, its pages close first: only the next turn of the event loop knows which it was.
    page.on('close', () => setImmediate(current(() => this.#closed(page))));
    page.on('download', download => {
      this.home.downloads.add(download, this.id, this.options.outputDir);
      this.#downloadBegan(download.suggestedFilename());
    });
    this.#ready = this.#connect(page);
    this.#ready.catch(() => undefined);
  }

  /** One that a script started shows a moment after the action that caused it: then the next answer tells it. */
  #downloadBegan(name: string): void {
    if (!this.events.emit('download', name)) this.notes.push(`Download started: ${name}.`);
  }

  ready(limits: Limits): Promise<void> {
    return this.race(limits, this.#ready);
  }

  get url(): string {
    return this.page.url();
  }

  get dialog(): OpenDialog | undefined {
    const dialog = this.#dialog;
    return dialog && { type: dialog.type(), message: messageOf(dialog), defaultValue: dialog.defaultValue() };
  }

  checkDialog(): void {
    if (this.#dialog) throw this.#dialogFailure(this.#dialog);
  }

  /** Answers the open dialog. */
  async answer(limits: Limits, action: 'accept' | 'dismiss', promptText?: string): Promise<OpenDialog> {
    const { dialog } = this;
    const open = this.#dialog;
    if (!open || !dialog) throw new Failure('no_dialog', `No dialog is open in tab ${this.id}.`, 'Nothing to do.');
    this.#dialog = undefined;
    // The page is not left after all: the navigation that asked is over.
    if (dialog.type === 'beforeunload' && action === 'dismiss') {
      this.pending = undefined;
      this.events.emit('stopped');
    }
    await under(limits.signal, action === 'accept' ? open.accept(promptText ?? open.defaultValue()) : open.dismiss());
    return dialog;
  }

  /** Waits for the promise, but no longer than the call may, and not past a dialog, a crash or the end of the page. */
  race<T>(limits: Limits, promise: Promise<T>): Promise<T> {
    const { signal } = limits;
    return new Promise<T>((resolve, reject) => {
      const end = () => {
        this.#waiters.delete(stop);
        signal.removeEventListener('abort', abort);
      };
      const stop = (reason: unknown) => {
        end();
        reject(reason);
      };
      const abort = () => stop(signal.reason);
      promise.then(
        value => {
          end();
          resolve(value);
        },
        error => stop(this.gone ?? (saysGone(error) ? lost(this.id, error) : error)),
      );
      if (this.gone) return stop(this.gone);
      if (signal.aborted) return abort();
      this.#waiters.add(stop);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  send<M extends keyof Commands>(
    limits: Limits,
    wire: Wire,
    method: M,
    ...params: Commands[M]['paramsType']
  ): Promise<Commands[M]['returnType']> {
    return this.race(limits, wire.send(method, ...params));
  }

  /** While a navigation waits for its answer, Chrome lets nobody read the page: wait a little, then say so. */
  async readable(limits: Limits): Promise<void> {
    const { pending } = this;
    if (!pending) return;
    const failure = new Failure(
      'page_unresponsive',
      `Tab ${this.id} is loading ${pending.url}, which has not answered yet; its page cannot be read meanwhile.`,
      'Wait and try again, or navigate elsewhere. url, tab_list and screenshot work meanwhile.',
    );
    const bound = within(limits, Math.max(100, LOADING_MS - (performance.now() - pending.since)), () => failure);
    try {
      await this.race(
        bound,
        new Promise<void>(resolve => {
          this.events.once('committed', () => resolve());
          this.events.once('stopped', () => resolve());
        }),
      );
    } finally {
      bound.done();
    }
  }

  /** Ends every wait on this page with the failure. */
  fail(failure: Failure): void {
    this.gone ??= failure;
    for (const waiter of [...this.#waiters]) waiter(failure);
  }

  async #connect(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const wire = new Wire('p', session);
    this.main = wire;
    this.hears(wire);
    hearPage(wire, this);
    hearRequests(wire, this.requests);
    await wire.open();
    this.frames = new Frames(this, wire);
    await wire.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
    if (this.borrowed) await wire.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await this.emulation.meet(page, wire);
    await noticeRefusals(this, wire);
    this.events.emit('connected');
  }

  /** Takes in what is told on the wire of one of its frames. */
  hears(wire: Wire): void {
    hear(wire, this);
    hearConsole(wire, this.console);
    const isKeptElsewhere = this.borrowed && this.options.cdpEndpoint !== undefined;
    this.home.downloads.follow(wire, this.id, isKeptElsewhere ? name => this.#downloadBegan(name) : undefined);
  }

  #closed(page: Page): void {
    if (page.context().browser()?.isConnected() !== false)
      this.fail(new Failure('no_tab', `Tab ${this.id} was closed.`, 'See tab_list.'));
  }

  #dialogOpened(dialog: Dialog): void {
    const auto = this.autoDialog;
    if (auto) {
      this.notes.push(
        `${kindOf(dialog.type())} was ${auto.action}ed automatically: ${JSON.stringify(messageOf(dialog))}`,
      );
      const handled =
        auto.action === 'accept' ? dialog.accept(auto.promptText ?? dialog.defaultValue()) : dialog.dismiss();
      handled.catch(() => undefined); // the page may have gone with it
      return;
    }
    this.#dialog = dialog;
    this.events.emit('dialog');
    const failure = this.#dialogFailure(dialog);
    for (const waiter of [...this.#waiters]) waiter(failure);
  }

  #dialogFailure(dialog: Dialog): Failure {
    return new Failure(
      'dialog_open',
      `${kindOf(dialog.type())} blocks tab ${this.id}: ${JSON.stringify(messageOf(dialog).slice(0, 500))}`,
      'Answer it with the dialog tool (accept or dismiss).',
    );
  }
}

/** Chrome asks about leaving in its own words and gives none. */
const messageOf = (dialog: Dialog): string =>
  dialog.type() === 'beforeunload' && dialog.message() === ''
    ? 'Leave the page? Changes may not be saved.'
    : dialog.message();

/** `An alert dialog`, `A confirm dialog`. */
export const kindOf = (type: string): string => `${/^[aeiou]/.test(type) ? 'An' : 'A'} ${type} dialog`;

/** The page or the browser went away under a call, before anybody said why. */
const lost = (id: number, error: unknown): Failure =>
  new Failure(
    'browser_gone',
    `The browser or the page of tab ${id} ended during this call.`,
    'Call again: what is missing is started again.',
    { cause: error instanceof WireError ? error.cause : error },
  );
