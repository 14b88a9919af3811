// Traffic: starts and ends the recording of what a tab sends and gets, and says what was recorded.
import { writeFile } from 'node:fs/promises';
import { Failure } from '../../../errors.ts';
import { phrase, tabName } from '../../../text.ts';
import { flush } from '../../actions/effects.ts';
import { writablePath } from '../../files.ts';
import { type Limits, remaining, under, within } from '../../limits.ts';
import { urlMatcher } from '../../navigation/wait.ts';
import type { SavedFile } from '../../picture.ts';
import type { Tab } from '../../tab/tab.ts';
import { bytesOf, type ResourceType, type ShortEntry, shortRow, TYPES } from './entry.ts';
import { type Manner, Recording } from './recording.ts';

export interface TrafficInput {
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

export interface TrafficState {
  running: boolean;
  /** How long it has run. */
  ms: number;
  requests: number;
  bytes: number;
  /** Why it ended by itself. */
  ended?: string;
}

export interface Captured extends TrafficState {
  byType: Partial<Record<ResourceType, number>>;
  failed: number;
  rows: ShortEntry[];
  slowest: ShortEntry[];
  /** Requests that are in the archive, but not in the rows. */
  left: number;
  /** Requests that were not recorded for want of room. */
  dropped: number;
  file?: SavedFile;
}

/** More rows do not fit an answer. */
const MOST_SHOWN = 300;
const SLOW_MS = 500;
const MOST_SLOW = 3;
/** For what the page has just sent to be heard of. */
const FLUSH_MS = 500;
/** For bodies that are still being read. */
const SETTLE_MS = 10_000;
/** Left of the call's time for the answer. */
const RESERVE_MS = 500;

/** Begins a new recording; gives how many requests of an earlier one, that nobody fetched, were dropped for it. */
export function startTraffic(tab: Tab, input: TrafficInput): { dropped: number } {
  const earlier = tab.captures.traffic;
  if (earlier && !earlier.ended)
    throw new Failure(
      'refused',
      phrase`A capture runs in ${tabName(tab.id)} already, with ${earlier.rows.length} requests so far.`,
      'Stop it first.',
    );
  const recording = new Recording(tab, mannerOf(input));
  tab.captures.traffic = recording;
  return { dropped: earlier?.rows.length ?? 0 };
}

function mannerOf({ filter = {}, include_bodies, max_capture_time, inactivity_time }: TrafficInput): Manner {
  const matches = filter.url_pattern === undefined ? () => true : urlMatcher(filter.url_pattern);
  const methods = filter.methods?.map(method => method.toUpperCase());
  return {
    wants: ({ url, method, type }) =>
      (filter.resource_types?.includes(type) ?? true) && (methods?.includes(method) ?? true) && matches(url),
    bodies: include_bodies,
    mostMs: max_capture_time,
    idleMs: inactivity_time,
  };
}

export function trafficState(recording: Recording): TrafficState {
  const { rows, ended, ms } = recording;
  return {
    running: !ended,
    ms,
    requests: rows.length,
    bytes: rows.reduce((sum, row) => sum + bytesOf(row), 0),
    ...(ended ? { ended: ended.why } : {}),
  };
}

export async function stopTraffic(
  tab: Tab,
  recording: Recording,
  save_path: string | undefined,
  limits: Limits,
): Promise<Captured> {
  const path = save_path === undefined ? undefined : await writablePath(save_path, [tab.options.outputDir]);
  const isByItself = recording.ended !== undefined;
  if (!isByItself) await inTime(limits, FLUSH_MS, tab.dialog ? Promise.resolve() : flush(tab, limits));
  recording.end('by request');
  await inTime(limits, SETTLE_MS, recording.settled());
  const file = path === undefined ? undefined : await saveHar(tab, recording, path, limits);
  tab.captures.traffic = undefined;
  const rows = recording.rows.map(row => shortRow(row, file === undefined));
  const { ended, ...state } = trafficState(recording);
  return {
    ...state,
    ...(isByItself && ended !== undefined ? { ended } : {}),
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
    dropped: recording.dropped,
    ...(file ? { file } : {}),
  };
}

/** Waits, but no longer than so many ms and never past the call's time: what is not there by then stays out. */
async function inTime(limits: Limits, ms: number, work: Promise<void>): Promise<void> {
  const late = new Failure('timeout', 'late');
  const bound = within(limits, Math.max(1, Math.min(ms, remaining(limits) - RESERVE_MS)), () => late);
  await under(bound.signal, work)
    .catch(error => {
      limits.signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
    })
    .finally(() => bound.done());
}

async function saveHar(tab: Tab, recording: Recording, path: string, limits: Limits): Promise<SavedFile> {
  const { harOf } = await import('./har.ts');
  const browser = tab.page.context().browser()?.version() ?? '';
  const text = JSON.stringify(harOf(recording, browser));
  await writeFile(path, text, { signal: limits.signal });
  return { path, bytes: Buffer.byteLength(text) };
}
