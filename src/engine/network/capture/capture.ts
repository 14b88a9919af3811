// The capture tool: starts and stops a network capture or a performance trace of a tab, and reports its progress.

import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { urlMatcher } from '../../../policy/url-pattern.ts';
import { phrase, tabName } from '../../../text.ts';
import { flush } from '../../actions/effects.ts';
import { saveFile, writablePath } from '../../files.ts';
import { inTime, type Limits, remaining, savingFolders, under } from '../../limits.ts';
import { type Opened, openPage } from '../../navigation/navigate.ts';
import type { SavedFile } from '../../picture.ts';
import type { Tab } from '../../tab/tab.ts';
import { insightOf, startTrace, stopTrace, type Traced, type TraceInput, tracesOf } from '../../trace/record.ts';
import type { Insight } from '../../trace/report.ts';
import { type RequestRow, type ResourceType, TYPES } from '../request-row.ts';
import { bytesOf, rowOf } from './entry.ts';
import { NetworkCapture, type NetworkCaptureOptions } from './network-capture.ts';

export const CAPTURE_ACTIONS = ['start', 'stop', 'status', 'insight'] as const;
export const CAPTURE_MODES = ['network', 'trace'] as const;

export interface CaptureInput extends NetworkCaptureInput, TraceInput {
  action: (typeof CAPTURE_ACTIONS)[number];
  mode?: (typeof CAPTURE_MODES)[number] | undefined;
  insight?: string | undefined;
}

export interface CaptureResult {
  started?: { mode: (typeof CAPTURE_MODES)[number]; dropped: number } & Opened;
  network?: NetworkCaptureState;
  trace?: { running: boolean; ms: number; tabId: number; ended?: string };
  captured?: Captured;
  traced?: Traced;
  insight?: Insight;
}

export async function capture(tab: Tab, input: CaptureInput, limits: Limits): Promise<CaptureResult> {
  // What was recorded is of these pages, whatever url is given.
  if (input.action !== 'start')
    limits.judge?.check([tab.url, ...(captures.get(tab)?.pages ?? []).map(({ url }) => url)]);
  return ACTIONS[input.action](tab, input, limits);
}

type Action = (tab: Tab, input: CaptureInput, limits: Limits) => Promise<CaptureResult>;

const ACTIONS: Record<CaptureInput['action'], Action> = {
  async start(tab, input, limits) {
    const { mode = 'network', save_path: path } = input;
    checkMode(input, mode);
    if (path !== undefined) await writablePath(path, savingFolders(limits));
    if (mode === 'trace') {
      const { traced, ...opened } = await startTrace(tab, input, limits);
      return traced ? { traced } : { started: { mode, dropped: 0, ...opened } };
    }
    const dropped = startNetwork(tab, input, path);
    // A page that is stuck or shows a dialog is followed later.
    await briefly(limits, READY_MS, captures.get(tab)?.ready() ?? Promise.resolve());
    return { started: { mode, dropped, ...(await openPage(tab, input.url, limits)) } };
  },
  async stop(tab, { mode, save_path: path }, limits) {
    const running = captures.get(tab);
    if (running && mode !== 'trace') return { captured: await stopNetwork(tab, running, path, limits) };
    const { trace } = tracesOf(tab);
    if (trace && mode !== 'network') return { traced: await stopTrace(tab, trace, path, limits) };
    throw nothingRuns(tab, mode);
  },
  async status(tab, { mode }) {
    const running = captures.get(tab);
    const { trace, last } = tracesOf(tab);
    if (mode === 'trace' && !trace && last) return { traced: last };
    const ended = trace?.lost ? 'with its page, and is lost' : trace?.ended?.why;
    return defined({
      network: running && networkState(running),
      trace: trace && { running: trace.isRunning, ms: trace.ms, tabId: trace.tab.id, ...defined({ ended }) },
    });
  },
  async insight(tab, { insight }) {
    return { insight: insightOf(tab, insight) };
  },
};

/** Refuses arguments of the other mode. */
function checkMode(input: CaptureInput, mode: NonNullable<CaptureInput['mode']>): void {
  const others = mode === 'trace' ? (['filter', 'inactivity_time'] as const) : (['reload', 'auto_stop'] as const);
  const odd = others.find(key => input[key] !== undefined && input[key] !== false);
  if (odd)
    throw new Failure(
      'bad_input',
      `${odd} is for mode ${mode === 'trace' ? 'network' : 'trace'}.`,
      'Leave it out, or change the mode.',
    );
}

function nothingRuns(tab: Tab, mode: CaptureInput['mode']): Failure {
  const elsewhere = mode === 'trace' ? [] : [...tab.context.tabs.values()].filter(other => captures.get(other));
  const ids = elsewhere.map(({ id }) => id).join(', ');
  return new Failure(
    'refused',
    mode === 'trace' ? 'No trace runs in this session.' : phrase`No capture was started in ${tabName(tab.id)}.`,
    ids === '' ? 'Start one first.' : `There is one in tab ${ids}: give its tabId.`,
  );
}

interface NetworkCaptureInput {
  include_bodies: boolean;
  filter?: Filter | undefined;
  max_capture_time: number;
  inactivity_time?: number | undefined;
}

interface Filter {
  url_pattern?: string | undefined;
  resource_types?: readonly ResourceType[] | undefined;
  methods?: readonly string[] | undefined;
}

interface NetworkCaptureState {
  running: boolean;
  /** How long it has run. */
  ms: number;
  requests: number;
  bytes: number;
  /** Why it ended by itself. */
  ended?: string;
}

export interface Captured extends NetworkCaptureState {
  byType: Partial<Record<ResourceType, number>>;
  failed: number;
  rows: RequestRow[];
  slowest: RequestRow[];
  /** Requests that are in the HAR file, but not in the rows. */
  left: number;
  /** Requests that did not fit into the capture. */
  dropped: number;
  /** Requests that the filter did not match. */
  filteredOut: number;
  file?: SavedFile;
}

/** More rows do not fit an answer. */
const MOST_SHOWN = 300;
const SLOW_MS = 500;
const MOST_SLOW = 3;
/** For the sessions with the page and what is below it. */
const READY_MS = 1_000;
/** For events of what the page has just sent to arrive. */
const FLUSH_MS = 500;
/** For answers to requests that are under way. */
const ANSWER_MS = 3_000;
/** For bodies that are still being read. */
const SETTLE_MS = 10_000;
/** Left of the call's time for the answer. */
const RESERVE_MS = 500;

/** The network capture of each tab that runs, or has ended and was not fetched yet; undefined once it was fetched. */
export const captures = new WeakMap<Tab, NetworkCapture | undefined>();

/** Gives how many requests of an earlier capture, which nobody fetched, were dropped for the new one. */
function startNetwork(tab: Tab, input: NetworkCaptureInput, path: string | undefined): number {
  const earlier = captures.get(tab);
  if (earlier && !earlier.ended)
    throw new Failure(
      'refused',
      phrase`A capture runs in ${tabName(tab.id)} already, with ${earlier.entries.length} requests so far.`,
      'Stop it first.',
    );
  if (!captures.has(tab)) tab.cleanups.push(async () => captures.get(tab)?.end('with its tab'));
  const tooSlow = ({ message }: Failure) => capture.end(`by itself: ${message}`);
  const capture = new NetworkCapture(tab, captureOptions(input, path, tooSlow));
  captures.set(tab, capture);
  return earlier?.entries.length ?? 0;
}

function captureOptions(
  { filter = {}, include_bodies, max_capture_time, inactivity_time }: NetworkCaptureInput,
  path: string | undefined,
  tooSlow: (failure: Failure) => void,
): NetworkCaptureOptions {
  const matches = filter.url_pattern === undefined ? () => true : urlMatcher(filter.url_pattern, tooSlow);
  const methods = filter.methods?.map(method => method.toUpperCase());
  return {
    path,
    wants: ({ url, method, type }) =>
      (filter.resource_types?.includes(type) ?? true) && (methods?.includes(method) ?? true) && matches(url),
    bodies: include_bodies,
    mostMs: max_capture_time,
    idleMs: inactivity_time,
  };
}

function networkState({ entries, ended, ms }: NetworkCapture): NetworkCaptureState {
  return {
    running: !ended,
    ms,
    requests: entries.length,
    bytes: entries.reduce((sum, entry) => sum + bytesOf(entry), 0),
    ...defined({ ended: ended?.why }),
  };
}

async function stopNetwork(
  tab: Tab,
  capture: NetworkCapture,
  given: string | undefined,
  limits: Limits,
): Promise<Captured> {
  const save_path = given ?? capture.options.path;
  const path = save_path === undefined ? undefined : await writablePath(save_path, savingFolders(limits));
  const isByItself = capture.ended !== undefined;
  if (!isByItself && !tab.dialog) await briefly(limits, FLUSH_MS, flush(tab, limits));
  if (!isByItself) await briefly(limits, ANSWER_MS, capture.answered());
  capture.end('by request');
  await briefly(limits, SETTLE_MS, capture.settled());
  const file = path === undefined ? undefined : await saveHar(tab, capture, path, limits);
  captures.set(tab, undefined);
  const rows = capture.entries.map(entry => rowOf(entry, file === undefined));
  const { ended, ...state } = networkState(capture);
  return {
    ...state,
    ...defined({ ended: isByItself ? ended : undefined }),
    byType: Object.fromEntries(
      TYPES.map(type => [type, rows.filter(row => row.type === type).length]).filter(([, count]) => count !== 0),
    ),
    failed: rows.filter(row => row.error !== undefined || row.status >= 400).length,
    slowest: rows
      .filter(row => row.ms >= SLOW_MS && row.type !== 'websocket')
      .sort((a, b) => b.ms - a.ms)
      .slice(0, MOST_SLOW),
    rows: rows.slice(0, MOST_SHOWN),
    left: Math.max(0, rows.length - MOST_SHOWN),
    dropped: capture.dropped,
    filteredOut: capture.filteredOut,
    ...defined({ file }),
  };
}

/** Waits at most so many ms, and never past the call's time; what is not there by then is left out. */
async function briefly(limits: Limits, ms: number, work: Promise<void>): Promise<void> {
  const time = Math.max(1, Math.min(ms, remaining(limits) - RESERVE_MS));
  await inTime(limits, time, bound => under(bound.signal, work)).catch(error => {
    limits.signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
  });
}

async function saveHar(tab: Tab, capture: NetworkCapture, path: string, limits: Limits): Promise<SavedFile> {
  const { harOf } = await import('./har.ts');
  const browser = tab.page.context().browser().version();
  const har = harOf(capture, browser);
  const text = JSON.stringify(limits.secrets?.mask?.data(har) ?? har);
  await saveFile(path, text, limits.signal);
  return { path, bytes: Buffer.byteLength(text) };
}
