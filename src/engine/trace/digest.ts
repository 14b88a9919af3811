// Makes a report of the events of a trace, with the engine that DevTools uses. Runs in a process of its own.
import { type Insights, Processor, TraceModel, type Types } from '@paulirish/trace_engine';
import { defined } from '../../defined.ts';
import { insightsOf } from './insights/table.ts';
import {
  busyTimes,
  firstPaint,
  isHeardOf,
  largestPaint,
  longTasks,
  shiftClusters,
  slowestInteraction,
} from './metrics.ts';
import type { TraceReport } from './report.ts';
import { cut, type InsightSet, namesIn, type TraceData, TracedPage } from './traced-page.ts';

const MOST_OTHERS = 5;
const MOST_URL = 500;

export async function digest(events: readonly Types.Events.Event[]): Promise<TraceReport> {
  const model = TraceModel.Model.createWithAllHandlers();
  await model.parse(events);
  const parsed = model.parsedTrace();
  const sets = [...(parsed?.insights?.values() ?? [])];
  const set = lastPage(sets) ?? (parsed && uneventful(parsed.data));
  const page = parsed && set && new TracedPage(parsed.data, set, namesIn(events));
  if (!page || !isHeardOf(page))
    throw new Error('it holds nothing of a page; one that is stuck cannot tell what it does');
  return defined({
    url: cut(page.set.url.href, MOST_URL),
    loaded: page.set.navigation !== undefined,
    others: sets
      .filter(other => other !== page.set && !isBlank(other))
      .slice(0, MOST_OTHERS)
      .map(({ url }) => cut(url.href, MOST_URL)),
    fcp: firstPaint(page),
    lcp: largestPaint(page),
    cls: shiftClusters(page),
    inp: slowestInteraction(page),
    longTasks: longTasks(page),
    busy: busyTimes(page),
    insights: insightsOf(page),
  });
}

const isBlank = ({ url }: InsightSet): boolean => url.href === 'about:blank';

const lastPage = (sets: readonly InsightSet[]): InsightSet | undefined =>
  sets.findLast(set => !isBlank(set)) ?? sets.at(-1);

/** The engine leaves out a few seconds without a load in which all insights pass; that nothing happened is worth telling. */
function uneventful(data: TraceData): InsightSet | undefined {
  const { mainFrameId, mainFrameURL, traceBounds } = data.Meta;
  if (!URL.canParse(mainFrameURL)) return undefined;
  const context: Insights.Types.InsightSetContext = { options: {}, bounds: traceBounds, frameId: mainFrameId };
  const model: Record<string, unknown> = {};
  const modelErrors: Record<string, unknown> = {};
  for (const [name, { generateInsight }] of Object.entries(Processor.TraceProcessor.getInsightRunners()))
    try {
      model[name] = generateInsight(data, context);
    } catch (error) {
      modelErrors[name] = error; // as the engine keeps it
    }
  const id: InsightSet['id'] = 'NO_NAVIGATION';
  const set = { id, url: new URL(mainFrameURL), frameId: mainFrameId, bounds: traceBounds };
  return { ...set, model: model as unknown as InsightSet['model'], modelErrors };
}

type Event = Types.Events.Event;

/** Events about the frames of the traced page only. */
const FRAMES = new Set(['TracingStartedInBrowser', 'FrameCommittedInBrowser', 'ProcessReadyInBrowser']);
/** The names of processes and threads; their labels hold titles of pages, so those are left out. */
const NAMES = new Set(['process_name', 'thread_name']);

interface FrameData {
  frame?: string;
  processId?: number;
  processPseudoId?: string;
  frames?: FrameData[];
}

const framesIn = ({ name, args }: Event): FrameData[] => {
  if (!FRAMES.has(name)) return [];
  const data = (args?.data ?? {}) as FrameData;
  return [data, ...(data.frames ?? [])];
};

/** Chrome lists a frame once more for each earlier page in the back/forward cache, behind the page that is shown. */
function shownFrames(event: Event): Event {
  const { frames, ...data } = (event.args?.data ?? {}) as FrameData;
  if (event.name !== 'TracingStartedInBrowser' || !frames) return event;
  const shown = frames.filter(({ frame }, index) => frames.findIndex(other => other.frame === frame) === index);
  return { ...event, args: { ...event.args, data: { ...data, frames: shown } } } as Event;
}

/** The events of the processes of the traced page. Out-of-process frames are part of it; pages of other sessions never share a process with it. */
export function ownEvents(all: readonly Event[]): Event[] {
  const events = all.map(shownFrames);
  const processes = new Set(events.flatMap(framesIn).flatMap(({ processId }) => processId ?? []));
  return events.filter(
    ({ pid, name }) => processes.has(pid) || NAMES.has(name) || FRAMES.has(name) || name === 'FrameDeletedInBrowser',
  );
}
