// Trace: one performance trace of a tab, recorded by Chrome itself: begun, ended, handed over as a file, lost or dropped.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { phrase, tabName } from '../../text.ts';
import { writablePath } from '../files.ts';
import { type Limits, under } from '../limits.ts';
import type { CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { TraceFile } from './trace-file.ts';

const hidden = (category: string): string => `disabled-by-default-${category}`;

/** What the performance panel of DevTools records, without pictures: they make most of a trace and tell an agent nothing. */
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
/** Chrome's buffer; what does not fit is not recorded. */
const BUFFER_KB = 40_000;
const FULL = 0.95;
/** For handing over what was recorded. */
const FLUSH_MS = 100_000;

const BROWSER_ENDED = 'the browser ended';

/** Chrome records one at a time: which one, by browser. */
const inBrowser = new WeakMap<object, Trace>();
const browserOf = (tab: Tab): object => tab.page.context().browser() ?? tab.page.context();

export class Trace {
  readonly started = Date.now();
  /** When it ended, and why. */
  ended: { at: number; why: string } | undefined;
  /** It cannot be had any more. */
  lost: Failure | undefined;
  readonly #page: Page;
  readonly #wire: CdpSession;
  readonly #browser: object;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<TraceFile> | undefined;

  private constructor(
    readonly tab: Tab,
    readonly mostMs: number,
  ) {
    this.#page = tab.page;
    this.#wire = tab.main;
    this.#browser = browserOf(tab);
  }

  static async start(tab: Tab, mostMs: number, limits: Limits): Promise<Trace> {
    checkFree(tab);
    const trace = new Trace(tab, mostMs);
    trace.#listen();
    try {
      await under(limits.signal, trace.#begin());
    } catch (error) {
      trace.#release();
      throw /already been started/i.test(String(error)) ? taken('Another program') : error;
    }
    return trace;
  }

  get ms(): number {
    return (this.ended?.at ?? Date.now()) - this.started;
  }

  get isRunning(): boolean {
    return !this.ended && !this.lost;
  }

  /** Ends it, if it has not ended by itself, and gives its file. */
  async file(limits: Limits): Promise<TraceFile> {
    if (this.lost) throw this.lost;
    return under(limits.signal, this.#end('by request'));
  }

  /** Nothing of it is kept. */
  async drop(why: string): Promise<void> {
    const saving = this.lost ? this.#saving : this.#end(why);
    this.lost ??= this.#lostBy(why);
    const file = await saving?.catch(() => undefined); // then there is nothing to remove
    await file?.remove();
  }

  /** Nobody will ask for it again. */
  settle(): void {
    const { cleanups } = this.tab;
    if (cleanups.includes(this.#clean)) cleanups.splice(cleanups.indexOf(this.#clean), 1);
  }

  /** Until it is handed over. */
  #listen(): void {
    inBrowser.set(this.#browser, this);
    this.#wire.session.on('close', this.#closed);
    this.#wire.session.on('Tracing.bufferUsage', this.#filled);
    this.#page.on('crash', this.#crashed);
    this.tab.cleanups.push(this.#clean);
  }

  #release(): void {
    clearTimeout(this.#timer);
    if (inBrowser.get(this.#browser) === this) inBrowser.delete(this.#browser);
    this.#wire.session.off('close', this.#closed);
    this.#wire.session.off('Tracing.bufferUsage', this.#filled);
    this.#page.off('crash', this.#crashed);
  }

  readonly #clean = () => this.drop('the tab was closed');
  readonly #crashed = () => this.#lose('the page crashed');
  // When the browser ends, its pages close first: only the next turn of the event loop knows which it was.
  readonly #closed = () => void setImmediate(() => this.#lose(this.#whyClosed()));
  readonly #filled = ({ percentFull = 0 }) => {
    if (percentFull >= FULL && this.isRunning) this.#endByItself('because its buffer was full');
  };

  async #begin(): Promise<void> {
    await this.#wire.send('Tracing.start', {
      traceConfig: {
        includedCategories: CATEGORIES,
        excludedCategories: ['*'],
        traceBufferSizeInKb: BUFFER_KB,
        recordMode: 'recordUntilFull',
      },
      bufferUsageReportingInterval: 1_000,
      transferMode: 'ReportEvents',
    });
    this.#timer = setTimeout(() => this.#endByItself(`by itself after ${this.mostMs} ms`), this.mostMs).unref();
  }

  #lose(why: string): void {
    this.#release();
    // What is being handed over tells by itself how it went.
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

  /** Handed over at once: Chrome would keep the buffer. */
  #endByItself(why: string): void {
    this.#end(why).catch(() => undefined); // whoever stops it is told
  }

  #end(why: string): Promise<TraceFile> {
    this.ended ??= { at: Date.now(), why };
    this.#saving ??= this.#save().finally(() => this.#release());
    return this.#saving;
  }

  async #save(): Promise<TraceFile> {
    const path = await writablePath(`trace-${this.started}-${randomUUID().slice(0, 8)}.raw`, [
      this.tab.options.outputDir,
    ]);
    const file = new TraceFile(path, this.started);
    try {
      await this.#receive(file).finally(() => file.end());
    } catch (error) {
      await file.remove(); // half a trace is none
      throw error;
    }
    return file;
  }

  async #receive(file: TraceFile): Promise<void> {
    const { session } = this.#wire;
    const { promise, resolve, reject } = settled();
    const collect = ({ value }: { value: object[] }) => file.write(value);
    const end = ({ dataLossOccurred }: { dataLossOccurred: boolean }) => {
      file.cut ||= dataLossOccurred;
      resolve();
    };
    const gone = () => reject(this.#lostBy(this.#whyClosed()));
    const late = new Failure('timeout', 'Chrome did not hand over the trace.', 'Try a shorter one.');
    const timer = setTimeout(() => reject(late), FLUSH_MS).unref();
    session.on('Tracing.dataCollected', collect);
    session.on('Tracing.tracingComplete', end);
    session.on('close', gone);
    this.#wire.send('Tracing.end').catch(gone);
    await promise.finally(() => {
      clearTimeout(timer);
      session.off('Tracing.dataCollected', collect);
      session.off('Tracing.tracingComplete', end);
      session.off('close', gone);
    });
  }
}

/** Fails when another trace runs in the same browser. One of the session that has ended gives way. */
export function checkFree(tab: Tab): void {
  const other = inBrowser.get(browserOf(tab));
  if (!other) return;
  if (other.tab.context !== tab.context)
    throw taken('Another session', Math.max(1, Math.ceil((other.mostMs - other.ms) / 1_000)));
  if (other.isRunning)
    throw new Failure(
      'refused',
      phrase`A trace runs already, in ${tabName(other.tab.id)}.`,
      'Stop it first: action stop, mode trace.',
    );
}

const taken = (who: string, seconds?: number): Failure =>
  new Failure(
    'refused',
    `${who} records a trace in this browser; Chrome records one at a time.`,
    seconds === undefined
      ? 'Try again when it has ended.'
      : `Try again when it has ended: in ${seconds} s at the latest.`,
  );

function settled(): { promise: Promise<void>; resolve(): void; reject(reason: unknown): void } {
  let resolve: () => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<void>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
