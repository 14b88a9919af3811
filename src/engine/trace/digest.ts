// Makes a Reading of the events of a trace, with the engine that DevTools uses. Runs in a process of its own.
import { TraceModel, type Types } from '@paulirish/trace_engine';
import { insightsOf } from './insights/table.ts';
import { busyTimes, firstPaint, largestPaint, longTasks, shiftClusters, slowestInteraction } from './metrics.ts';
import type { TraceReport } from './report.ts';
import { cut, type InsightSet, namesIn, TracedPage } from './traced-page.ts';

const MOST_OTHERS = 5;
const MOST_URL = 500;

export async function digest(events: readonly Types.Events.Event[]): Promise<TraceReport> {
  const model = TraceModel.Model.createWithAllHandlers();
  await model.parse(events);
  const parsed = model.parsedTrace();
  const sets = [...(parsed?.insights?.values() ?? [])];
  const set = lastPage(sets);
  if (!parsed || !set) throw new Error('it holds nothing of a page; one that is stuck cannot tell what it does');
  const page = new TracedPage(parsed.data, set, namesIn(events));
  const [fcp, lcp, inp] = [firstPaint(page), largestPaint(page), slowestInteraction(page)];
  return {
    url: cut(set.url.href, MOST_URL),
    loaded: set.navigation !== undefined,
    others: sets
      .filter(other => other !== set && !isBlank(other))
      .slice(0, MOST_OTHERS)
      .map(({ url }) => cut(url.href, MOST_URL)),
    ...(fcp === undefined ? {} : { fcp }),
    ...(lcp ? { lcp } : {}),
    cls: shiftClusters(page),
    ...(inp ? { inp } : {}),
    longTasks: longTasks(page),
    busy: busyTimes(page),
    insights: insightsOf(page),
  };
}

const isBlank = ({ url }: InsightSet): boolean => url.href === 'about:blank';

const lastPage = (sets: readonly InsightSet[]): InsightSet | undefined =>
  sets.findLast(set => !isBlank(set)) ?? sets.at(-1);

type Event = Types.Events.Event;

/** What Chrome tells about the frames of the traced page, and only of that. */
const FRAMES = new Set(['TracingStartedInBrowser', 'FrameCommittedInBrowser', 'ProcessReadyInBrowser']);
/** Names, without the titles of pages that labels have. */
const NAMES = new Set(['process_name', 'thread_name']);

interface FrameData {
  processId?: number;
  processPseudoId?: string;
  frames?: FrameData[];
}

const framesIn = ({ name, args }: Event): FrameData[] => {
  if (!FRAMES.has(name)) return [];
  const data = (args?.data ?? {}) as FrameData;
  return [data, ...(data.frames ?? [])];
};

/** Frames of other sites have processes of their own; those of other sessions never share one with this page. */
export function ownEvents(events: readonly Event[]): Event[] {
  const processes = new Set(events.flatMap(framesIn).flatMap(({ processId }) => processId ?? []));
  return events.filter(
    ({ pid, name }) => processes.has(pid) || NAMES.has(name) || FRAMES.has(name) || name === 'FrameDeletedInBrowser',
  );
}
