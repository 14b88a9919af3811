// What an action caused: a navigation, a new tab, a dialog, a download, script errors. Waits only for what it started.

import { CdpError } from '../../cdp/errors.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { capital, OR_MORE_TIME, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import type { ElementLocation } from '../elements/element.ts';
import { inTime, type Limits, remaining, tryFor, under } from '../limits.ts';
import { Receipt } from '../receipt/receipt.ts';
import type { OpenDialog } from '../tab/dialogs.ts';
import type { TabEvents } from '../tab/page-events.ts';
import type { Tab } from '../tab/tab.ts';
import { ownTitle } from '../title.ts';

export interface Effects {
  /** The tab shows another document, or the address changed. */
  navigated?: { url: string; title: string };
  /** A navigation began and has not ended within the time. */
  navigating?: string;
  opened?: { tabId: number; url: string; targetId?: string };
  dialog?: OpenDialog;
  download?: string;
  errors?: string[];
  /** What the element that was acted on is called now, when the action has changed that. */
  nowIs?: string;
  /** What else has changed on the page, a line each. */
  receipt?: string[];
}

/** Requests that the action sent are waited for at most this long. */
const REQUESTS_MS = 1_000;
const NEW_TAB_MS = 3_000;
const FRAME_MS = 3_000;
const DOWNLOAD_MS = 3_000;
const MAYBE_MS = 500;
/** Left over of the call's time for the report. */
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
  /** The element that is acted on. */
  at?: ElementLocation;
  /** The same, when the action begins with a question about it, and says with the last answer whether it has changed nothing. */
  element?: { isQuiet: boolean };
}

export interface Acted<T> {
  value?: T;
  effects: Effects;
  /** What the action sent for was waited for: the page may have changed since. */
  waited: boolean;
}

/** Runs the action and reports what it caused. A dialog that it raised ends it at once. */
export async function act<T>(
  tab: Tab,
  limits: Limits,
  run: () => Promise<T>,
  { wait = true, flushed = false, navigation = false, resumes = false, at, element }: ActOptions = {},
): Promise<Acted<T>> {
  await tab.context.toFront(tab, limits);
  tab.context.recentEvents.begin();
  const watch = new Watch(tab);
  const receipt = wait ? Receipt.begin(tab, limits, at) : undefined;
  if (resumes) watch.resume();
  try {
    // A session answers in order: what asks it first, finds the page watched.
    if (!element || receipt?.isOfFrames) await receipt?.armed();
    const value = await dialogEnds(watch, run);
    if (wait && !watch.dialog) await dialogEnds(watch, () => settle(tab, watch, flushed, limits));
    if (receipt && !watch.dialog)
      await dialogEnds(watch, () => settleChanges(tab, watch, receipt, limits, element?.isQuiet));
    if (navigation && !watch.dialog) await dialogEnds(watch, () => untilElsewhere(watch, limits));
    const effects = await watch.effects(limits);
    const lines = watch.isOpenTo(limits) ? ((await receipt?.lines()) ?? []) : [];
    if (lines.length > 0) effects.receipt = lines;
    return { ...(value !== undefined && { value }), effects, waited: watch.waited };
  } finally {
    receipt?.end();
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
    watch.waited = true;
    limits.waiting();
    await watch.until(limits, REQUESTS_MS, () => watch.requests.size === 0 || watch.isLoading);
    await flush(tab, limits);
  }
  if (watch.isLoading) {
    limits.waiting();
    await watch.until(limits, remaining(limits), () => !watch.isLoading);
  }
  if (watch.downloading || watch.maybeDownload)
    await watch.until(
      limits,
      watch.downloading ? DOWNLOAD_MS : MAYBE_MS,
      () => watch.downloads.length > 0 || (!watch.downloading && watch.isElsewhere),
    );
  else if (watch.frames.size > 0) {
    await watch.until(limits, FRAME_MS, () => watch.frames.size === 0);
  }
}

/** Waits until the page is still, and for the requests and pages that the action asked for a moment later. */
async function settleChanges(tab: Tab, watch: Watch, receipt: Receipt, limits: Limits, isQuiet = false): Promise<void> {
  if (isQuiet && watch.isStill && receipt.endQuietly()) return;
  const hasWaited = await unlessLeaving(tab, receipt.settle());
  if (hasWaited) watch.waited = true;
  if (!watch.hasMore) return;
  await settle(tab, watch, true, limits);
  if (!watch.isElsewhere) await unlessLeaving(tab, receipt.settle());
}

/** Waits until the tab is on another page or address, or the action has opened a tab or started a download instead. */
async function untilElsewhere(watch: Watch, limits: Limits): Promise<void> {
  limits.waiting();
  const isThere = () =>
    !watch.isLoading && (watch.isElsewhere || watch.opened.length > 0 || watch.downloads.length > 0);
  await watch.until(limits, remaining(limits), isThere);
  if (!isThere())
    throw new Failure(
      'timeout',
      'It was done, but no navigation followed in time.',
      phrase`${capital(TAKE_SNAPSHOT)} to see what came of it${OR_MORE_TIME}.`,
    );
}

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
    await unlessLeaving(tab, tab.race(limits, tab.main.ask('nextTask')));
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
  waited = false;
  isLoading = false;
  #url = '';
  #changed = false;
  /** The address then: Playwright learns of it a moment later. */
  #at = '';
  /** The tab shows another document, or the address changed. */
  get isElsewhere(): boolean {
    return this.#changed;
  }
  /** Something that it started is under way. */
  get hasMore(): boolean {
    return this.isLoading || this.requests.size > 0 || this.opening > this.opened.length || this.downloading;
  }
  /** Nothing has happened to the tab that it could see. */
  get isStill(): boolean {
    return !this.hasMore && !this.waited && !this.#changed && this.frames.size === 0 && this.opened.length === 0;
  }
  #wake: (() => void) | undefined;
  readonly #unsubscribe: (() => void)[] = [];

  constructor(readonly tab: Tab) {
    this.#on('requested', url => {
      this.isLoading = true;
      this.#url = url;
    });
    for (const event of ['committed', 'within'] as const)
      this.#on(event, url => {
        this.#changed = true;
        this.#at = url;
      });
    this.#on('domready', () => {
      if (this.#changed) this.isLoading = false;
    });
    this.#on('stopped', () => {
      // Stopped without a new document: perhaps a download, or a page from the back/forward cache; either is reported a moment later.
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
    const listenAndWake = (...args: TabEvents[E]) => {
      listener(...args);
      this.#wake?.();
    };
    this.tab.events.on(event, listenAndWake as never);
    this.#unsubscribe.push(() => this.tab.events.off(event, listenAndWake as never));
  }

  /** Waits for the condition, at most ms and never past the call's own time; then goes on without a fault. */
  async until(limits: Limits, ms: number, isMet: () => boolean): Promise<void> {
    const time = Math.min(ms, remaining(limits) - RESERVE_MS);
    if (isMet() || time <= 0) return;
    const met = new Promise<void>(resolve => {
      this.#wake = () => isMet() && resolve();
    });
    await inTime(limits, time, bound => this.tab.race(bound, met)).finally(() => {
      this.#wake = undefined;
    });
  }

  /** Of a page that the rules close to the call, only the address is told. */
  isOpenTo({ judge }: Limits): boolean {
    return !this.#changed || (judge?.allows(this.#at) ?? true);
  }

  async effects(limits: Limits): Promise<Effects> {
    const { tab } = this;
    const [opened] = this.opened;
    const isOpen = this.isOpenTo(limits);
    const errors = isOpen ? this.errors.slice(0, 3).map(text => text.slice(0, 200)) : [];
    return defined({
      navigating: this.isLoading && !this.#changed ? this.#url : undefined,
      navigated: this.#changed ? { url: this.#at, title: isOpen ? await titleOf(tab, limits) : '' } : undefined,
      opened: opened && {
        tabId: opened.id,
        url: opened.url,
        ...defined({ targetId: await targetIdOf(tab, opened.id, limits) }),
      },
      dialog: this.dialog ? tab.dialog : undefined,
      download: this.downloads[0],
      errors: errors.length > 0 ? errors : undefined,
    });
  }

  end(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }
}

/** How long, in ms, a new tab may take until its target id is known. */
const TARGET_MS = 1_000;

/** Chrome's id of the new tab; undefined when it is not known in time, or the tab is gone again or stuck. */
const targetIdOf = ({ context }: Tab, id: number, limits: Limits): Promise<string | undefined> =>
  tryFor(limits, TARGET_MS, async bound => {
    const opened = context.tabs.get(id);
    await opened?.ready(bound);
    return opened?.main.root;
  });

/** The title that the browser has, also of a page that cannot answer. */
export async function knownTitle(tab: Tab, limits: Limits): Promise<string> {
  if (tab.isUnattached) return tab.target?.title ?? '';
  const { targetInfo } = await under(limits.signal, tab.main.send('Target.getTargetInfo'));
  return ownTitle(targetInfo.url, targetInfo.title);
}

/** The title that the page has. */
export async function titleOf(tab: Tab, limits: Limits): Promise<string> {
  if (tab.dialog || tab.pending) return knownTitle(tab, limits);
  try {
    const { result } = await tab.send(limits, tab.main, 'Runtime.evaluate', {
      // By the property itself: a form called title hides it.
      expression: "Reflect.get(Document.prototype, 'title', document)",
      returnByValue: true,
    });
    return String(result.value ?? '');
  } catch (error) {
    if (error instanceof CdpError || (error instanceof Failure && error.code === 'dialog_open')) return '';
    throw error;
  }
}
