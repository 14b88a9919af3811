// Capture: what a tab sends and gets, or a performance trace of it; starts, stops and says how far it is.
import { Failure } from '../../errors.ts';
import { writablePath } from '../files.ts';
import type { Limits } from '../limits.ts';
import { goto } from '../navigate.ts';
import type { Tab } from '../tab.ts';
import { Trace, type Traced } from './trace.ts';
import {
  type Captured,
  startTraffic,
  stopTraffic,
  type TrafficInput,
  type TrafficState,
  trafficState,
} from './traffic.ts';

export const CAPTURE_ACTIONS = ['start', 'stop', 'status'] as const;
export const CAPTURE_MODES = ['network', 'trace'] as const;

export interface CaptureInput extends TrafficInput {
  action: (typeof CAPTURE_ACTIONS)[number];
  mode?: (typeof CAPTURE_MODES)[number] | undefined;
  /** Opened when the capture has begun. */
  url?: string | undefined;
  save_path?: string | undefined;
}

export interface CaptureDone {
  started?: { mode: (typeof CAPTURE_MODES)[number]; dropped: number } & Opened;
  network?: TrafficState;
  trace?: { running: boolean; ms: number; ended?: string };
  captured?: Captured;
  traced?: Traced;
}

interface Opened {
  page?: { url: string; title: string };
  /** Why the page did not open. */
  notOpened?: string;
}

export function capture(tab: Tab, input: CaptureInput, limits: Limits): Promise<CaptureDone> {
  return ACTIONS[input.action](tab, input, limits);
}

type Action = (tab: Tab, input: CaptureInput, limits: Limits) => Promise<CaptureDone>;

const ACTIONS: Record<CaptureInput['action'], Action> = {
  async start(tab, input, limits) {
    const { mode = 'network', save_path: path, url } = input;
    if (path !== undefined) await writablePath(path, [tab.options.outputDir]);
    const { dropped } = mode === 'trace' ? await startTrace(tab, input, limits) : startTraffic(tab, input);
    tab.captures.paths[mode] = path;
    return { started: { mode, dropped, ...(url === undefined ? {} : await openPage(tab, url, limits)) } };
  },
  async stop(tab, { mode, save_path: path }, limits) {
    const { traffic, trace, paths } = tab.captures;
    if (traffic && mode !== 'trace')
      return { captured: await stopTraffic(tab, traffic, path ?? paths.network, limits) };
    if (trace && mode !== 'network') return { traced: await stopTrace(tab, trace, path ?? paths.trace, limits) };
    throw nothingRuns(tab, mode);
  },
  async status(tab, { mode }) {
    const { traffic, trace, traced } = tab.captures;
    if (mode === 'trace' && !trace && traced) return { traced };
    return {
      ...(traffic ? { network: trafficState(traffic) } : {}),
      ...(trace
        ? { trace: { running: !trace.ended, ms: trace.ms, ...(trace.ended ? { ended: trace.ended.why } : {}) } }
        : {}),
    };
  },
};

/** A page that cannot be opened may be just what is to be looked at: the capture runs on. */
async function openPage(tab: Tab, url: string, limits: Limits): Promise<Opened> {
  try {
    const page = await goto(tab, url, 'load', undefined, limits);
    return { page: { url: page.url, title: page.title } };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'navigation_failed') throw error;
    return { notOpened: error.message };
  }
}

async function startTrace(tab: Tab, input: CaptureInput, limits: Limits): Promise<{ dropped: number }> {
  const odd = (['filter', 'inactivity_time'] as const).find(key => input[key] !== undefined);
  if (odd) throw new Failure('bad_input', `${odd} is for mode network.`, 'Leave it out for a trace.');
  const earlier = tab.captures.trace;
  if (earlier && !earlier.ended)
    throw new Failure('refused', `A trace runs in tab ${tab.id} already.`, 'Stop it first, with mode trace.');
  tab.checkDialog();
  tab.captures.trace = await Trace.start(tab.main, tab.options.outputDir, input.max_capture_time, limits);
  await earlier?.drop();
  return { dropped: 0 };
}

/** A trace that failed is over too; only one that was not handed over in time can be asked for again. */
async function stopTrace(tab: Tab, trace: Trace, path: string | undefined, limits: Limits): Promise<Traced> {
  try {
    tab.captures.traced = await trace.stop(path, limits);
    return tab.captures.traced;
  } finally {
    if (!limits.signal.aborted) tab.captures.trace = undefined;
  }
}

function nothingRuns(tab: Tab, mode: CaptureInput['mode']): Failure {
  const elsewhere = [...tab.home.tabs.values()].filter(({ captures }) => captures.traffic ?? captures.trace);
  const ids = elsewhere.map(({ id }) => id).join(', ');
  return new Failure(
    'refused',
    `No ${mode === 'trace' ? 'trace' : 'capture'} was started in tab ${tab.id}.`,
    ids === '' ? 'Start one first.' : `There is one in tab ${ids}: give its tabId${mode ? ' and mode' : ''}.`,
  );
}
