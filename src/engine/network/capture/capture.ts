// Capture: what a tab sends and gets, or a performance trace of it; starts, stops and says how far it is.
import { Failure } from '../../../errors.ts';
import { phrase, tabName } from '../../../text.ts';
import { writablePath } from '../../files.ts';
import type { Limits } from '../../limits.ts';
import type { Tab } from '../../tab/tab.ts';
import type { Insight } from '../../trace/reading.ts';
import { startTrace, stopTrace, type TraceInput } from '../../trace/record.ts';
import { insightOf, recordingsOf, type Traced } from '../../trace/recordings.ts';
import { type Opened, openPage } from './open-page.ts';
import {
  type Captured,
  startTraffic,
  stopTraffic,
  type TrafficInput,
  type TrafficState,
  trafficState,
} from './traffic.ts';

export const CAPTURE_ACTIONS = ['start', 'stop', 'status', 'insight'] as const;
export const CAPTURE_MODES = ['network', 'trace'] as const;

export interface CaptureInput extends TrafficInput, TraceInput {
  action: (typeof CAPTURE_ACTIONS)[number];
  mode?: (typeof CAPTURE_MODES)[number] | undefined;
  /** The name of one. */
  insight?: string | undefined;
}

export interface CaptureDone {
  started?: { mode: (typeof CAPTURE_MODES)[number]; dropped: number } & Opened;
  network?: TrafficState;
  trace?: { running: boolean; ms: number; tabId: number; ended?: string };
  captured?: Captured;
  traced?: Traced;
  insight?: Insight;
}

export function capture(tab: Tab, input: CaptureInput, limits: Limits): Promise<CaptureDone> {
  return ACTIONS[input.action](tab, input, limits);
}

type Action = (tab: Tab, input: CaptureInput, limits: Limits) => Promise<CaptureDone>;

const ACTIONS: Record<CaptureInput['action'], Action> = {
  async start(tab, input, limits) {
    const { mode = 'network', save_path: path } = input;
    checkMode(input, mode);
    if (path !== undefined) await writablePath(path, [tab.options.outputDir]);
    if (mode === 'trace') {
      const { traced, ...opened } = await startTrace(tab, input, limits);
      return traced ? { traced } : { started: { mode, dropped: 0, ...opened } };
    }
    const { dropped } = startTraffic(tab, input);
    tab.captures.path = path;
    return { started: { mode, dropped, ...(await openPage(tab, input.url, limits)) } };
  },
  async stop(tab, { mode, save_path: path }, limits) {
    const { traffic, path: earlier } = tab.captures;
    if (traffic && mode !== 'trace') return { captured: await stopTraffic(tab, traffic, path ?? earlier, limits) };
    const { trace } = recordingsOf(tab);
    if (trace && mode !== 'network') return { traced: await stopTrace(tab, trace, path, limits) };
    throw nothingRuns(tab, mode);
  },
  async status(tab, { mode }) {
    const { traffic } = tab.captures;
    const { trace, last } = recordingsOf(tab);
    if (mode === 'trace' && !trace && last) return { traced: last };
    const ended = trace?.lost ? 'with its page, and is lost' : trace?.ended?.why;
    return {
      ...(traffic ? { network: trafficState(traffic) } : {}),
      ...(trace
        ? {
            trace: {
              running: trace.isRunning,
              ms: trace.ms,
              tabId: trace.tab.id,
              ...(ended === undefined ? {} : { ended }),
            },
          }
        : {}),
    };
  },
  async insight(tab, { insight }) {
    return { insight: insightOf(tab, insight) };
  },
};

/** What only the other mode can do. */
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
  const elsewhere = mode === 'trace' ? [] : [...tab.context.tabs.values()].filter(({ captures }) => captures.traffic);
  const ids = elsewhere.map(({ id }) => id).join(', ');
  return new Failure(
    'refused',
    mode === 'trace' ? 'No trace runs in this session.' : phrase`No capture was started in ${tabName(tab.id)}.`,
    ids === '' ? 'Start one first.' : `There is one in tab ${ids}: give its tabId.`,
  );
}
