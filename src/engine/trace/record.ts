// Records a trace of a tab, with or without the load of the page, and reads it.
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { checkAllowed } from '../../policy/url-rules.ts';
import { writablePath } from '../files.ts';
import { bounded, type Limits, pause, remaining, savingFolders, under } from '../limits.ts';
import { goto, type Opened, openPage } from '../navigation/navigate.ts';
import type { SavedFile } from '../picture.ts';
import type { Tab, TabContext } from '../tab/tab.ts';
import type { Insight, TraceReport } from './report.ts';
import { checkFree, Trace } from './trace.ts';
import { readTrace, type TraceFormat } from './trace-file.ts';

export interface TraceInput {
  /** Opened when the trace has begun. */
  url?: string | undefined;
  /** Go to an empty page, begin, and load the page again, so that its load is in the trace. */
  reload: boolean;
  /** Record for a while, stop by itself, and report. */
  auto_stop: boolean;
  max_capture_time: number;
  save_path?: string | undefined;
}

/** How long auto_stop records after the page has loaded. */
const AUTO_MS = 5_000;
/** Part of the call's time that is reserved for fetching and reading the trace. */
const RESERVE_MS = 20_000;
const STEP_MS = 250;

export async function startTrace(tab: Tab, input: TraceInput, limits: Limits): Promise<Opened & { traced?: Traced }> {
  tab.checkDialog();
  checkFree(tab);
  const url = input.url ?? (input.reload ? tab.url : undefined);
  const trace =
    input.reload && url !== undefined ? await startOnEmpty(tab, url, input, limits) : await begin(tab, input, limits);
  if (!input.auto_stop) return openPage(tab, url, limits);
  try {
    const { notOpened } = await openInTime(tab, url, limits);
    await recordFor(trace, Math.min(AUTO_MS, input.max_capture_time), limits);
    const traced = await stopTrace(tab, trace, undefined, limits);
    return { traced: notOpened === undefined ? traced : { ...traced, notOpened } };
  } catch (error) {
    // No later call will stop it.
    forget(tracesOf(tab), trace);
    trace.drop('it was not wanted any more').catch(() => undefined); // its file is not used
    throw error;
  }
}

async function begin(tab: Tab, { max_capture_time, save_path }: TraceInput, limits: Limits): Promise<Trace> {
  const traces = tracesOf(tab);
  // An earlier trace that ended by itself; Chrome may still be sending it.
  const { trace: earlier } = traces;
  if (earlier) {
    forget(traces, earlier);
    await under(limits.signal, earlier.drop('another was started'));
  }
  traces.trace = await Trace.start(tab, max_capture_time, limits);
  traces.path = save_path;
  return traces.trace;
}

/** Begins on an empty page. When the trace does not begin, the page is shown again. */
async function startOnEmpty(tab: Tab, url: string, input: TraceInput, limits: Limits): Promise<Trace> {
  checkAllowed(url, tab.options);
  await goto(tab, { url: 'about:blank', waitUntil: 'load' }, limits);
  try {
    return await begin(tab, input, limits);
  } catch (error) {
    await openPage(tab, url, limits);
    throw error;
  }
}

/** Opens the page, but leaves time for the trace when the page never finishes loading. */
async function openInTime(tab: Tab, url: string | undefined, limits: Limits): Promise<Opened> {
  const late = () => new Failure('navigation_failed', `${url} was not there in time.`, 'Try again.');
  const most = Math.min(tab.options.timeoutNavigation, remaining(limits) - RESERVE_MS - AUTO_MS);
  return bounded(limits, Math.max(STEP_MS, most), late, bound => openPage(tab, url, bound));
}

/** Waits for that time, or until the trace has ended. */
async function recordFor(trace: Trace, ms: number, limits: Limits): Promise<void> {
  limits.waiting();
  const end = performance.now() + Math.min(ms, remaining(limits) - RESERVE_MS);
  for (let left = ms; left > 0 && trace.isRunning; left = end - performance.now())
    await pause(limits.signal, Math.min(STEP_MS, left));
}

/** Fetches and reads the trace. When Chrome did not send it in time, it can be stopped again. */
export async function stopTrace(tab: Tab, trace: Trace, path: string | undefined, limits: Limits): Promise<Traced> {
  const traces = tracesOf(tab);
  const wanted = path ?? traces.path;
  const target = wanted === undefined ? undefined : await writablePath(wanted, savingFolders(limits));
  const ended = trace.ended?.why;
  try {
    const file = await trace.file(limits);
    const result = await readTrace(file, formatOf(target), limits);
    // A reader that found no events has written no file.
    const saved = target === undefined || result.events === 0 ? undefined : await file.saveAs(target);
    await file.remove();
    traces.last = defined({ ms: trace.ms, cut: file.cut || undefined, ended, ...result, file: saved });
    return traces.last;
  } finally {
    if (!limits.signal.aborted) forget(traces, trace);
  }
}

const formatOf = (path: string | undefined): TraceFormat =>
  path === undefined ? 'none' : /\.gz$/i.test(path) ? 'gzip' : 'plain';

function forget(traces: SessionTraces, trace: Trace): void {
  if (traces.trace === trace) traces.trace = undefined;
  trace.settle();
}

export interface Traced {
  ms: number;
  events: number;
  /** Some events were dropped. */
  cut?: true;
  /** Why the trace ended by itself. */
  ended?: string;
  reading?: TraceReport;
  /** Why there is no reading. */
  unread?: string;
  file?: SavedFile;
  /** Why the page to be traced did not open. */
  notOpened?: string;
}

export interface SessionTraces {
  trace?: Trace | undefined;
  /** The path for its file, when the call that started it gave one. */
  path?: string | undefined;
  last?: Traced;
}

const sessions = new WeakMap<TabContext, SessionTraces>();

export function tracesOf({ context }: Tab): SessionTraces {
  const known = sessions.get(context) ?? {};
  sessions.set(context, known);
  return known;
}

/** Ends the trace that runs in a session, if one does; it can still be fetched. */
export function endTrace(context: TabContext, why: string): void {
  const { trace } = sessions.get(context) ?? {};
  if (trace?.isRunning) trace.endByItself(why);
}

/** An insight of the last trace. */
export function insightOf(tab: Tab, name: string | undefined): Insight {
  const { last, trace } = tracesOf(tab);
  if (!last && trace)
    throw new Failure('refused', 'The trace still runs: there are no insights yet.', 'Stop it first: action stop.');
  if (!last)
    throw new Failure(
      'refused',
      'No trace was recorded in this session.',
      'Record one first: action start, mode trace.',
    );
  if (!last.reading)
    throw new Failure('refused', `The last trace could not be read: ${last.unread}.`, 'Record a shorter one.');
  const { insights } = last.reading;
  const found = insights.find(insight => insight.name.toLowerCase() === name?.trim().toLowerCase());
  if (found) return found;
  const names = insights.map(insight => insight.name).join(', ');
  throw new Failure(
    'bad_input',
    name === undefined
      ? `Say which insight: ${names}.`
      : `There is no insight ${JSON.stringify(name.slice(0, 100))}. There are: ${names}.`,
  );
}
