// Records a trace of a tab: from its start, with or without the load of the page, to what it tells.
import { Failure } from '../../errors.ts';
import { checkAllowed } from '../../policy/url-rules.ts';
import { writablePath } from '../files.ts';
import { type Limits, pause, remaining, under, within } from '../limits.ts';
import { goto, type Opened, openPage } from '../navigation/navigate.ts';
import type { SavedFile } from '../picture.ts';
import type { Tab, TabContext } from '../tab/tab.ts';
import type { Insight, TraceReport } from './report.ts';
import { readTrace, type TraceFormat } from './run-reader.ts';
import { checkFree, Trace } from './trace.ts';

export interface TraceInput {
  /** Opened when the trace has begun. */
  url?: string | undefined;
  /** From an empty page back to the one that is shown, so that its load is in the trace. */
  reload: boolean;
  /** Goes on for a while, ends by itself and tells. */
  auto_stop: boolean;
  max_capture_time: number;
  save_path?: string | undefined;
}

/** How long a trace goes on by itself when the page has loaded. */
const AUTO_MS = 5_000;
/** Left over of a call's time, to fetch and read the trace. */
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
    await goOn(trace, Math.min(AUTO_MS, input.max_capture_time), limits);
    const traced = await stopTrace(tab, trace, undefined, limits);
    return { traced: notOpened === undefined ? traced : { ...traced, notOpened } };
  } catch (error) {
    // Nobody will stop it.
    forget(tracesOf(tab), trace);
    trace.drop('it was not wanted any more').catch(() => undefined); // its file is of no use to anybody
    throw error;
  }
}

async function begin(tab: Tab, { max_capture_time, save_path }: TraceInput, limits: Limits): Promise<Trace> {
  const recordings = tracesOf(tab);
  // It ended by itself, and Chrome may still be handing it over.
  const { trace: earlier } = recordings;
  if (earlier) {
    forget(recordings, earlier);
    await under(limits.signal, earlier.drop('another was started'));
  }
  recordings.trace = await Trace.start(tab, max_capture_time, limits);
  recordings.path = save_path;
  return recordings.trace;
}

/** A page must not be left for a trace that does not begin: then it is shown again. */
async function startOnEmpty(tab: Tab, url: string, input: TraceInput, limits: Limits): Promise<Trace> {
  checkAllowed(url, tab.options);
  await goto(tab, 'about:blank', 'load', undefined, limits);
  try {
    return await begin(tab, input, limits);
  } catch (error) {
    await openPage(tab, url, limits);
    throw error;
  }
}

/** A page that never finishes loading must leave time for its trace. */
async function openInTime(tab: Tab, url: string | undefined, limits: Limits): Promise<Opened> {
  const late = new Failure('navigation_failed', `${url} was not there in time.`, 'Try again.');
  const most = Math.min(tab.options.timeoutNavigation, remaining(limits) - RESERVE_MS - AUTO_MS);
  const bound = within(limits, Math.max(STEP_MS, most), () => late);
  try {
    return await openPage(tab, url, bound);
  } finally {
    bound.done();
  }
}

/** Lets it run for that time, or until it is over. */
async function goOn(trace: Trace, ms: number, limits: Limits): Promise<void> {
  limits.waiting();
  const end = performance.now() + Math.min(ms, remaining(limits) - RESERVE_MS);
  for (let left = ms; left > 0 && trace.isRunning; left = end - performance.now())
    await pause(limits.signal, Math.min(STEP_MS, left));
}

/** Fetches and reads it. One that could not be handed over in time can be asked for again. */
export async function stopTrace(tab: Tab, trace: Trace, path: string | undefined, limits: Limits): Promise<Traced> {
  const recordings = tracesOf(tab);
  const wanted = path ?? recordings.path;
  const real = wanted === undefined ? undefined : await writablePath(wanted, [tab.options.outputDir]);
  const hadEnded = trace.ended;
  try {
    const file = await trace.file(limits);
    const told = await readTrace(file, formOf(real), limits);
    // A reader that found no events has kept none.
    const saved = real === undefined || told.events === 0 ? undefined : await file.saveAs(real);
    await file.remove();
    recordings.last = {
      ms: trace.ms,
      ...(file.cut ? { cut: true } : {}),
      ...(hadEnded ? { ended: hadEnded.why } : {}),
      ...told,
      ...(saved ? { file: saved } : {}),
    };
    return recordings.last;
  } finally {
    if (!limits.signal.aborted) forget(recordings, trace);
  }
}

const formOf = (path: string | undefined): TraceFormat =>
  path === undefined ? 'none' : /\.gz$/i.test(path) ? 'gzip' : 'plain';

function forget(recordings: SessionTraces, trace: Trace): void {
  if (recordings.trace === trace) recordings.trace = undefined;
  trace.settle();
}

export interface Traced {
  ms: number;
  events: number;
  /** Not everything fitted. */
  cut?: true;
  /** Why it ended by itself. */
  ended?: string;
  reading?: TraceReport;
  /** Why there is no reading. */
  unread?: string;
  file?: SavedFile;
  /** Why the page that it was for did not open. */
  notOpened?: string;
}

export interface SessionTraces {
  trace?: Trace | undefined;
  /** Where its file goes, when it was said at the start. */
  path?: string | undefined;
  last?: Traced;
}

const sessions = new WeakMap<TabContext, SessionTraces>();

export function tracesOf({ context }: Tab): SessionTraces {
  const known = sessions.get(context) ?? {};
  sessions.set(context, known);
  return known;
}

/** An insight of the last recording. */
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
