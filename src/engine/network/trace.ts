// Trace: a performance trace of a tab, recorded by Chrome itself and saved as a file that DevTools opens.
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { Failure } from '../../errors.ts';
import { writablePath } from '../files.ts';
import { type Limits, under } from '../limits.ts';
import type { SavedFile } from '../values.ts';
import type { Wire } from '../wire.ts';
import { Summary, type TraceEvent, type TraceFacts } from './trace-summary.ts';

/** What the performance panel of DevTools records, without pictures. */
const CATEGORIES = [
  'blink.console',
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'disabled-by-default-devtools.timeline.invalidationTracking',
  'disabled-by-default-devtools.timeline.stack',
  'disabled-by-default-lighthouse',
  'disabled-by-default-v8.compile',
  'disabled-by-default-v8.cpu_profiler',
  'latencyInfo',
  'loading',
  'navigation',
  'toplevel',
  'v8',
  'v8.execute',
];
/** Chrome's buffer; what does not fit is not recorded. */
const BUFFER_KB = 100_000;
const MOST_FILE_BYTES = 300_000_000;
/** For handing over what was recorded. */
const FLUSH_MS = 60_000;

export interface Traced {
  file: SavedFile;
  ms: number;
  events: number;
  /** Not everything fitted. */
  cut?: true;
  /** Why it ended by itself. */
  ended?: string;
  facts: TraceFacts;
}

export class Trace {
  readonly started = Date.now();
  ended: { at: number; why: string } | undefined;
  readonly #wire: Wire;
  readonly #folder: string;
  readonly #summary: Summary;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<Traced> | undefined;

  private constructor(wire: Wire, folder: string) {
    this.#wire = wire;
    this.#folder = folder;
    this.#summary = new Summary(wire.root);
  }

  static async start(wire: Wire, folder: string, mostMs: number, limits: Limits): Promise<Trace> {
    const traceConfig = {
      includedCategories: CATEGORIES,
      excludedCategories: ['*'],
      traceBufferSizeInKb: BUFFER_KB,
      recordMode: 'recordUntilFull' as const,
    };
    const trace = new Trace(wire, folder);
    await under(limits.signal, wire.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' })).catch(
      error => {
        if (!/already been started/i.test(String(error))) throw error;
        throw new Failure(
          'refused',
          'A trace runs already, in another tab or another program; Chrome records one at a time.',
          'Stop it first.',
        );
      },
    );
    trace.#timer = setTimeout(() => trace.#endByItself(mostMs), mostMs).unref();
    return trace;
  }

  get ms(): number {
    return (this.ended?.at ?? Date.now()) - this.started;
  }

  /** Ends it, if it has not ended by itself, and gives the file under that name. */
  async stop(save_path: string | undefined, limits: Limits): Promise<Traced> {
    const path = save_path === undefined ? undefined : await writablePath(save_path, [this.#folder]);
    const isAlone = this.ended === undefined;
    const traced = await under(limits.signal, this.#end('by request'));
    if (path !== undefined) await rename(traced.file.path, path);
    const { ended: _, ...told } = traced;
    return { ...(isAlone ? told : traced), file: { ...traced.file, path: path ?? traced.file.path } };
  }

  /** The tab has gone: nothing is kept. */
  async drop(): Promise<void> {
    clearTimeout(this.#timer);
    const traced = await this.#saving?.catch(() => undefined);
    if (traced) await rm(traced.file.path, { force: true });
  }

  /** Saved at once: Chrome would keep the buffer. */
  #endByItself(ms: number): void {
    this.#end(`by itself after ${ms} ms`).catch(() => undefined); // whoever stops it is told
  }

  #end(why: string): Promise<Traced> {
    clearTimeout(this.#timer);
    this.ended ??= { at: Date.now(), why };
    this.#saving ??= this.#save(this.ended.why);
    return this.#saving;
  }

  async #save(why: string): Promise<Traced> {
    const { ms } = this;
    const path = await writablePath(`traces/trace-${this.started}.json`, [this.#folder]);
    const file = new TraceFile(createWriteStream(path), this.started, events => this.#summary.add(events));
    const bytes = await this.#receive(file)
      .finally(() => file.end())
      .then(() => file.bytes)
      .catch(async error => {
        await rm(path, { force: true }); // half a trace is none
        throw error;
      });
    return {
      file: { path, bytes },
      ms,
      events: file.count,
      ...(file.cut ? { cut: true } : {}),
      ended: why,
      facts: this.#summary.facts(),
    };
  }

  async #receive(file: TraceFile): Promise<void> {
    const { session } = this.#wire;
    let resolve: () => void = () => undefined;
    let reject: (reason: unknown) => void = () => undefined;
    const complete = new Promise<void>((...settle) => {
      [resolve, reject] = settle;
    });
    const collect = ({ value }: { value: object[] }) => file.write(value as TraceEvent[]);
    const end = ({ dataLossOccurred }: { dataLossOccurred: boolean }) => {
      file.cut ||= dataLossOccurred;
      resolve();
    };
    const gone = () => reject(lost());
    const late = new Failure('timeout', 'Chrome did not hand over the trace.', 'Try a shorter one.');
    const timer = setTimeout(() => reject(late), FLUSH_MS).unref();
    session.on('Tracing.dataCollected', collect);
    session.on('Tracing.tracingComplete', end);
    session.on('close', gone);
    this.#wire.send('Tracing.end').catch(error => reject(lost(error)));
    await complete.finally(() => {
      clearTimeout(timer);
      session.off('Tracing.dataCollected', collect);
      session.off('Tracing.tracingComplete', end);
      session.off('close', gone);
    });
  }
}

const lost = (cause?: unknown): Failure =>
  new Failure('page_crashed', 'The trace was lost with its page.', 'Start it again.', { cause });

/** Writes events as they come, up to a size. */
class TraceFile {
  count = 0;
  cut = false;
  bytes = 0;

  readonly #written: Promise<void>;

  constructor(
    readonly stream: WriteStream,
    readonly started: number,
    readonly seen: (events: TraceEvent[]) => void,
  ) {
    this.#written = finished(stream);
    this.#written.catch(() => undefined); // whoever ends it is told
    this.#put('{"traceEvents":[\n');
  }

  write(events: TraceEvent[]): void {
    this.seen(events);
    for (const event of events) {
      if (this.bytes > MOST_FILE_BYTES) {
        this.cut = true;
        return;
      }
      this.#put(`${this.count++ === 0 ? '' : ',\n'}${JSON.stringify(event)}`);
    }
  }

  async end(): Promise<void> {
    this.#put(`],\n"metadata":{"source":"Tabwright","startTime":"${new Date(this.started).toISOString()}"}}\n`);
    this.stream.end();
    await this.#written;
  }

  #put(text: string): void {
    this.bytes += Buffer.byteLength(text);
    this.stream.write(text);
  }
}
