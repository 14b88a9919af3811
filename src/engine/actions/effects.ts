// What an action caused: a navigation, a new tab, a dialog, a download, script errors. Waits only for what it started.
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import { type Limits, remaining, under, within } from '../limits.ts';
import { CdpError } from '../tab/cdp-session.ts';
import type { OpenDialog } from '../tab/dialogs.ts';
import type { TabEvents } from '../tab/page-events.ts';
import type { Tab } from '../tab/tab.ts';

export interface Effects {
  /** The tab shows another document, or the address changed. */
  navigated?: { url: string; title: string };
  /** A navigation began and has not ended within the time. */
  navigating?: string;
  opened?: { tabId: number; url: string; targetId?: string };
  dialog?: OpenDialog;
  download?: string;
  errors?: string[];
}

/** Requests that the action sent are waited for at most this long. */
const REQUESTS_MS = 1_000;
const NEW_TAB_MS = 3_000;
const FRAME_MS = 3_000;
const DOWNLOAD_MS = 3_000;
const MAYBE_MS = 500;
/** Left over of the call's time for telling what happened. */
const RESERVE_MS = 200;

export interface ActOptions {
  /** Wait for what the action started. */
  wait?: boolean;
  /** The action ended with a round trip to the page. */
  flushed?: boolean;
  /** Wait for another page, however late it begins to load; without one, the call fails. */
  navigation?: boolean;
  /** A navigation that was held up goes on with the action: it counts as its own. */
  resumes?: boolean;
}

/** Runs the action and tells what it caused. A dialog that it raised ends it at once. */
export async function act<T>(
  tab: Tab,
  limits: Limits,
  run: () => Promise<T>,
  { wait = true, flushed = false, navigation = false, resumes = false }: ActOptions = {},
): Promise<{ value?: T; effects: Effects }> {
  await tab.context.toFront(tab, limits);
  tab.context.recentEvents.begin();
  const watch = new Watch(tab);
  if (resumes) watch.resume();
  try {
    const value = await dialogEnds(watch, run);
    if (wait && !watch.dialog) await dialogEnds(watch, () => settle(tab, watch, flushed, limits));
    if (navigation && !watch.dialog) await dialogEnds(watch, () => elsewhere(watch, limits));
    return { ...(value === undefined ? {} : { value }), effects: await watch.effects(limits) };
  } finally {
    watch.end();
  }
}

async function dialogEnds<T>(watch: Watch, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Failure && error.code === 'dialog_open' && watch.dialog) return undefined;
    throw error;
  }
}

async function settle(tab: Tab, watch: Watch, flushed: boolean, limits: Limits): Promise<void> {
  if (!flushed) await flush(tab, limits);
  if (watch.opening > watch.opened.length)
    await watch.until(limits, NEW_TAB_MS, () => watch.opened.length >= watch.opening);
  if (!watch.isLoading && watch.requests.size > 0) {
    limits.waiting();
    await watch.until(limits, REQUESTS_MS, () => watch.requests.size === 0 || watch.isLoading);
    await flush(tab, limits);
  }
  if (watch.isLoading) {
    limits.waiting();
    await watch.until(limits, remaining(limits), () => !watch.isLoading);
  }
  if (watch.downloading || watch.maybeDownload)
    await watch.until(limits, watch.downloading ? DOWNLOAD_MS : MAYBE_MS, () => watch.downloads.length > 0);
  else if (watch.frames.size > 0) {
    await watch.until(limits, FRAME_MS, () => watch.frames.size === 0);
  }
}

/** Until the tab is on another page or address, or something else came of it that is one elsewhere. */
async function elsewhere(watch: Watch, limits: Limits): Promise<void> {
  limits.waiting();
  const isThere = () =>
    !watch.isLoading && (watch.isElsewhere || watch.opened.length > 0 || watch.downloads.length > 0);
  await watch.until(limits, remaining(limits), isThere);
  if (!isThere())
    throw new Failure(
      'timeout',
      'It was done, but no navigation followed in time.',
      phrase`${capital(TAKE_SNAPSHOT)} to see what came of it, or give a larger timeout.`,
    );
}

/** Not a timer: those of a tab in the background are slowed down. */
const NEXT_TASK =
  'new Promise(resolve => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => resolve(0); port2.postMessage(0); })';

/** Settles as the promise does, or with undefined as soon as the page is about to be left: then Chrome answers no more. */
export function unlessLeaving<T>(tab: Tab, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined);
    if (tab.pending) leave();
    tab.events.once('requested', leave);
    promise.then(resolve, reject).finally(() => tab.events.off('requested', leave));
  });
}

/** One round trip: events that the action has raised so far have arrived after it. */
export async function flush(tab: Tab, limits: Limits): Promise<void> {
  try {
    await unlessLeaving(
      tab,
      tab.send(limits, tab.main, 'Runtime.evaluate', { expression: NEXT_TASK, awaitPromise: true }),
    );
  } catch (error) {
    if (!(error instanceof CdpError)) throw error; // the document has just gone: that is an effect, not a fault
  }
}

class Watch {
  opening = 0;
  readonly opened: TabEvents['opened'][0][] = [];
  readonly requests = new Set<string>();
  /** Child frames that began to load. */
  readonly frames = new Set<string>();
  readonly errors: string[] = [];
  readonly downloads: string[] = [];
  /** A download was asked for, or may be about to begin. */
  downloading = false;
  maybeDownload = false;
  dialog = false;
  isLoading = false;
  #url = '';
  #changed = false;
  /** The tab shows another document, or the address changed. */
  get isElsewhere(): boolean {
    return this.#changed;
  }
  #wake: (() => void) | undefined;
  readonly #offs: (() => void)[] = [];

  constructor(readonly tab: Tab) {
    this.#on('requested', url => {
      this.isLoading = true;
      this.#url = url;
    });
    this.#on('committed', () => {
      this.#changed = true;
    });
    this.#on('within', () => {
      this.#changed = true;
    });
    this.#on('domready', () => {
      if (this.#changed) this.isLoading = false;
    });
    this.#on('stopped', () => {
      // Stopped without a new document: perhaps a download, which is told a moment later.
      if (this.isLoading && !this.#changed) this.maybeDownload = true;
      this.isLoading = false;
    });
    this.#on('downloading', () => {
      this.downloading = true;
    });
    this.#on('opening', () => {
      this.opening++;
    });
    this.#on('opened', opened => {
      if (!this.opened.includes(opened)) this.opened.push(opened);
    });
    this.#on('dialog', () => {
      this.dialog = true;
    });
    this.#on('download', name => {
      this.downloads.push(name);
      this.isLoading = false;
    });
    this.#on('pageerror', text => void this.errors.push(text));
    this.#on('request', id => void this.requests.add(id));
    this.#on('requestdone', id => void this.requests.delete(id));
    this.#on('frameloading', id => void this.frames.add(id));
    this.#on('frameloaded', id => void this.frames.delete(id));
  }

  /** What is being loaded already is what the action brings about. */
  resume(): void {
    if (!this.tab.pending) return;
    this.isLoading = true;
    this.#url = this.tab.pending.url;
  }

  #on<E extends keyof TabEvents>(event: E, listener: (...args: TabEvents[E]) => void): void {
    const heard = (...args: TabEvents[E]) => {
      listener(...args);
      this.#wake?.();
    };
    this.tab.events.on(event, heard as never);
    this.#offs.push(() => this.tab.events.off(event, heard as never));
  }

  /** Waits for the condition, at most ms and never past the call's own time; then goes on without a fault. */
  async until(limits: Limits, ms: number, isMet: () => boolean): Promise<void> {
    const time = Math.min(ms, remaining(limits) - RESERVE_MS);
    if (isMet() || time <= 0) return;
    const over = new Failure('timeout', 'over');
    const bound = within(limits, time, () => over);
    try {
      await this.tab.race(
        bound,
        new Promise<void>(resolve => {
          this.#wake = () => isMet() && resolve();
        }),
      );
    } catch (error) {
      if (error !== over) throw error;
    } finally {
      this.#wake = undefined;
      bound.done();
    }
  }

  async effects(limits: Limits): Promise<Effects> {
    const { tab } = this;
    const opened = this.opened[0];
    return {
      ...(this.isLoading && !this.#changed ? { navigating: this.#url } : {}),
      ...(this.#changed ? { navigated: { url: tab.url, title: await titleOf(tab, limits) } } : {}),
      ...(opened ? { opened: { tabId: opened.id, url: opened.url, ...(await targetIn(tab, opened.id, limits)) } } : {}),
      ...(tab.dialog && this.dialog ? { dialog: tab.dialog } : {}),
      ...(this.downloads[0] === undefined ? {} : { download: this.downloads[0] }),
      ...(this.errors.length > 0 ? { errors: this.errors.slice(0, 3).map(text => text.slice(0, 200)) } : {}),
    };
  }

  end(): void {
    for (const off of this.#offs) off();
  }
}

/** How long, in ms, a new tab may take to say by which name Chrome knows it. */
const TARGET_MS = 1_000;

/** Chrome's name for the tab; left out when it is not known in time. */
async function targetIn(tab: Tab, id: number, limits: Limits): Promise<{ targetId?: string }> {
  const opened = tab.context.tabs.get(id);
  const over = new Failure('timeout', 'over');
  const bound = within(limits, TARGET_MS, () => over);
  try {
    await opened?.ready(bound);
    return opened ? { targetId: opened.main.root } : {};
  } catch (error) {
    // It may be gone again, or stuck: that is its own affair.
    limits.signal.throwIfAborted();
    if (error instanceof Error) return {};
    throw error;
  } finally {
    bound.done();
  }
}

/** The title as the browser itself knows it: also of a page that cannot answer. */
export async function knownTitle(tab: Tab, limits: Limits): Promise<string> {
  if (tab.isUnattached) return tab.target?.title ?? '';
  const { targetInfo } = await under(limits.signal, tab.main.send('Target.getTargetInfo'));
  // Of a page without a title it says the url, mostly without the scheme.
  return targetInfo.url.endsWith(targetInfo.title) ? '' : targetInfo.title;
}

/** The title, as the page says. */
export async function titleOf(tab: Tab, limits: Limits): Promise<string> {
  if (tab.dialog || tab.pending) return knownTitle(tab, limits);
  try {
    const { result } = await tab.send(limits, tab.main, 'Runtime.evaluate', {
      expression: 'document.title',
      returnByValue: true,
    });
    return String(result.value ?? '');
  } catch (error) {
    if (error instanceof CdpError || (error instanceof Failure && error.code === 'dialog_open')) return '';
    throw error;
  }
}
