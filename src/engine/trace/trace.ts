// Trace: one performance trace of a tab, which Chrome records. It ends by request or by itself, and is saved, lost or dropped.
import { randomUUID } from 'node:crypto';
import { Failure } from '../../errors.ts';
import { phrase, tabName } from '../../text.ts';
import { writablePath } from '../files.ts';
import { type Limits, tryFor, under, unlimited } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Page } from '../page/page.ts';
import type { CallSecrets } from '../secrets.ts';
import type { Tab } from '../tab/tab.ts';
import { TraceFile } from './trace-file.ts';

const hidden = (category: string): string => `disabled-by-default-${category}`;

/** The categories of the performance panel of DevTools, without screenshots: they make most of a trace and are of no use to an agent. */
const CATEGORIES = [
  'blink.console',
  'blink.user_timing',
  'devtools.timeline',
  'latencyInfo',
  'loading',
  'v8',
  'v8.execute',
  hidden('devtools.timeline'),
  hidden('devtools.timeline.frame'),
  hidden('devtools.timeline.invalidationTracking'),
  hidden('devtools.timeline.stack'),
  hidden('devtools.v8-source-rundown'),
  hidden('devtools.v8-source-rundown-sources'),
  hidden('layout_shift.debug'),
  hidden('lighthouse'),
  hidden('v8.cpu_profiler'),
];
/** The size of Chrome's buffer; events that do not fit are not recorded. */
const BUFFER_KB = 40_000;
const FULL = 0.95;
/** How long a page may take to answer before its trace ends; one that does not is stuck. */
const ANSWER_MS = 1_000;
/** How long Chrome may take to send what it recorded. */
const FLUSH_MS = 100_000;
/** How long the end of a trace that is discarded may take. */
const DISCARD_MS = 1_500;

const BROWSER_ENDED = 'the browser ended';

/** The trace that each browser records: Chrome records one at a time. */
const inBrowser = new WeakMap<object, Trace>();
const browserOf = (tab: Tab): object => tab.page.context().browser();

export class Trace {
  readonly started = Date.now();
  /** When it ended, and why. */
  ended: { at: number; why: string } | undefined;
  /** Why it cannot be saved any more. */
  lost: Failure | undefined;
  readonly #page: Page;
  readonly #cdp: CdpSession;
  readonly #browser: object;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<TraceFile> | undefined;

  private constructor(
    readonly tab: Tab,
    readonly mostMs: number,
    readonly secrets: CallSecrets | undefined,
  ) {
    this.#page = tab.page;
    this.#cdp = tab.main;
    this.#browser = browserOf(tab);
  }

  static async start(tab: Tab, mostMs: number, limits: Limits): Promise<Trace> {
    checkFree(tab);
    const trace = new Trace(tab, mostMs, limits.secrets);
    trace.#listen();
    try {
      await under(limits.signal, trace.#begin());
    } catch (error) {
      trace.#release();
      throw /already been started/i.test(String(error)) ? browserBusy('Another program') : error;
    }
    return trace;
  }

  get ms(): number {
    return (this.ended?.at ?? Date.now()) - this.started;
  }

  get isRunning(): boolean {
    return !this.ended && !this.lost;
  }

  /** Ends the trace, if it has not ended by itself, and gives its file. */
  async file(limits: Limits): Promise<TraceFile> {
    if (this.lost) throw this.lost;
    return under(limits.signal, this.#end('by request'));
  }

  /** Ends the trace and removes its file. */
  async drop(why: string): Promise<void> {
    if (!this.#saving && !this.lost) await this.#discard(why);
    this.lost ??= this.#lostBy(why);
    const file = await this.#saving?.catch(() => undefined); // then there is nothing to remove
    await file?.remove();
  }

  /** Ends it and does not take what was recorded. A page that is stuck is not waited for. */
  async #discard(why: string): Promise<void> {
    this.ended ??= { at: Date.now(), why };
    this.lost = this.#lostBy(why);
    await this.#receive(() => undefined, DISCARD_MS).catch(() => undefined); // the next start tells whether Chrome still records
    this.#release();
  }

  /** The tab need not drop it any more when it closes. */
  settle(): void {
    const { cleanups } = this.tab;
    if (cleanups.includes(this.#onTabClose)) cleanups.splice(cleanups.indexOf(this.#onTabClose), 1);
  }

  /** Subscribes to the events that end a trace, until its file is written. */
  #listen(): void {
    inBrowser.set(this.#browser, this);
    this.#cdp.session.on('close', this.#onClose);
    this.#cdp.session.on('Tracing.bufferUsage', this.#onBufferUsage);
    this.#page.on('crash', this.#onCrash);
    this.tab.cleanups.push(this.#onTabClose);
  }

  #release(): void {
    clearTimeout(this.#timer);
    if (inBrowser.get(this.#browser) === this) inBrowser.delete(this.#browser);
    this.#cdp.session.off('close', this.#onClose);
    this.#cdp.session.off('Tracing.bufferUsage', this.#onBufferUsage);
    this.#page.off('crash', this.#onCrash);
  }

  readonly #onTabClose = () => this.drop('the tab was closed');
  readonly #onCrash = () => this.#lose('the page crashed');
  // When the browser ends, its pages close first: only in the next turn of the event loop is it known which of them ended.
  readonly #onClose = () => void setImmediate(() => this.#lose(this.#whyClosed()));
  readonly #onBufferUsage = ({ percentFull = 0 }) => {
    if (percentFull >= FULL && this.isRunning) this.endByItself('because its buffer was full');
  };

  async #begin(): Promise<void> {
    await this.#cdp.send('Tracing.start', {
      traceConfig: {
        includedCategories: CATEGORIES,
        excludedCategories: ['*'],
        traceBufferSizeInKb: BUFFER_KB,
        recordMode: 'recordUntilFull',
      },
      bufferUsageReportingInterval: 1_000,
      transferMode: 'ReportEvents',
    });
    this.#timer = setTimeout(() => this.endByItself(`by itself after ${this.mostMs} ms`), this.mostMs).unref();
  }

  #lose(why: string): void {
    this.#release();
    // A trace that is being saved fails by itself.
    if (!this.#saving) this.lost ??= this.#lostBy(why);
  }

  #whyClosed(): string {
    return this.#page.context().browser()?.isConnected() === false ? BROWSER_ENDED : 'the page was closed';
  }

  #lostBy(why: string): Failure {
    const code = why === BROWSER_ENDED ? 'browser_gone' : 'page_crashed';
    return new Failure(
      code,
      phrase`The trace of ${tabName(this.tab.id)} was lost with its page: ${why}.`,
      'Start it again.',
    );
  }

  /** Saved at once, so that Chrome frees its buffer. */
  endByItself(why: string): void {
    this.#end(why).catch(() => undefined); // stopTrace gives the error
  }

  #end(why: string): Promise<TraceFile> {
    this.ended ??= { at: Date.now(), why };
    this.#saving ??= this.#save().finally(() => this.#release());
    return this.#saving;
  }

  async #save(): Promise<TraceFile> {
    const path = await writablePath(`trace-${this.started}-${randomUUID().slice(0, 8)}.raw`, [
      this.tab.context.outputDir,
    ]);
    const file = new TraceFile(path, this.started);
    // An idle page sends no events, as a stuck one does: what it does for this question tells them apart.
    await tryFor(unlimited(), ANSWER_MS, bound => this.tab.send(bound, this.#cdp, 'Page.getFrameTree'));
    const mask = this.secrets?.mask;
    try {
      const { dataLossOccurred } = await this.#receive(
        events => file.write(mask?.data(events) ?? events),
        FLUSH_MS,
      ).finally(() => file.end());
      file.cut ||= dataLossOccurred;
    } catch (error) {
      await file.remove(); // part of a trace cannot be read
      throw error;
    }
    return file;
  }

  async #receive(write: (events: object[]) => void, ms: number): Promise<{ dataLossOccurred: boolean }> {
    const { session } = this.#cdp;
    let [end, reject]: [(loss: { dataLossOccurred: boolean }) => void, (reason: Failure) => void] = [
      () => undefined,
      () => undefined,
    ];
    const received = new Promise<{ dataLossOccurred: boolean }>((...settle) => {
      [end, reject] = settle;
    });
    const collect = ({ value }: { value: object[] }) => write(value);
    const gone = () => reject(this.#lostBy(this.#whyClosed()));
    const late = new Failure('timeout', 'Chrome did not hand over the trace.', 'Try a shorter one.');
    const timer = setTimeout(() => reject(late), ms).unref();
    session.on('Tracing.dataCollected', collect);
    session.on('Tracing.tracingComplete', end);
    session.on('close', gone);
    this.#cdp.send('Tracing.end').catch(gone);
    return received.finally(() => {
      clearTimeout(timer);
      session.off('Tracing.dataCollected', collect);
      session.off('Tracing.tracingComplete', end);
      session.off('close', gone);
    });
  }
}

/** Fails when another trace runs in the same browser. One of the same session that has ended is no obstacle. */
export function checkFree(tab: Tab): void {
  const other = inBrowser.get(browserOf(tab));
  if (!other) return;
  if (other.tab.context !== tab.context)
    throw browserBusy(ownerOf(other.tab), Math.max(1, Math.ceil((other.mostMs - other.ms) / 1_000)));
  if (other.isRunning)
    throw new Failure(
      'refused',
      phrase`A trace runs already, in ${tabName(other.tab.id)}.`,
      'Stop it first: action stop, mode trace.',
    );
}

const ownerOf = ({ context }: Tab): string =>
  context.kind.owner === undefined ? 'Another session' : `A session of client ${context.kind.owner}`;

const browserBusy = (who: string, seconds?: number): Failure =>
  new Failure(
    'refused',
    `${who} records a trace in this browser; Chrome records one at a time.`,
    seconds === undefined
      ? 'Try again when it has ended.'
      : `Try again when it has ended: in ${seconds} s at the latest.`,
  );
