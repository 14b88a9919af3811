// The web vitals of a page with their parts, its long tasks, and what kept its main thread busy.

import type { Handlers, Helpers, Insights, Types } from '@paulirish/trace_engine';
import { defined } from '../../defined.ts';
import type { Interaction, LargestPaint, LongTask, ShiftCluster, TraceReport } from './report.ts';
import { ms, type TracedPage } from './traced-page.ts';

type Models = Insights.Types.InsightModels;
type Cluster = NonNullable<Models['CLSCulprits']>['clusters'][number];
export type Shift = Cluster['events'][number];

const WORST_CLUSTERS = 3;
const MOST_MOVED = 5;

export function firstPaint({ data, set }: TracedPage): number | undefined {
  if (!set.navigation) return undefined;
  const scores = data.PageLoadMetrics.metricScoresByFrameId.get(set.frameId)?.get(set.navigation);
  const paint = scores?.get('FCP' as Handlers.ModelHandlers.PageLoadMetrics.MetricName.FCP);
  return paint && ms(paint.timing);
}

export function largestPaint(page: TracedPage): LargestPaint | undefined {
  const { lcpMs, lcpEvent, lcpRequest, subparts } = page.set.model.LCPBreakdown ?? {};
  if (lcpMs === undefined || !lcpEvent) return undefined;
  const { nodeId, nodeName } = (lcpEvent.args.data ?? {}) as { nodeId?: number; nodeName?: string };
  const parts = [
    ['time to the first byte', subparts?.ttfb],
    ['load delay', subparts?.loadDelay],
    ['loading', subparts?.loadDuration],
    ['render delay', subparts?.renderDelay],
  ] as const;
  return defined({
    ms: Math.round(lcpMs),
    element: page.element(nodeId, nodeName),
    resource: lcpRequest && page.url(lcpRequest.args.data.url),
    parts: parts.flatMap(([name, part]) => (part ? [{ name, ms: ms(part.range) }] : [])),
  });
}

export function shiftClusters(page: TracedPage): { score: number; clusters: ShiftCluster[] } {
  const model = page.set.model.CLSCulprits;
  const clusters = [...(model?.clusters ?? [])]
    .sort((a, b) => b.clusterCumulativeScore - a.clusterCumulativeScore)
    .filter(({ clusterCumulativeScore }) => clusterCumulativeScore > 0);
  return {
    score: score(clusters[0]?.clusterCumulativeScore ?? 0),
    clusters: clusters.slice(0, WORST_CLUSTERS).map(cluster => ({
      score: score(cluster.clusterCumulativeScore),
      at: page.at(cluster.clusterWindow.min),
      shifts: cluster.events.length,
      moved: [...new Set(cluster.events.flatMap(shift => movedBy(shift, page)))].slice(0, MOST_MOVED),
      causes: [...new Set(cluster.events.flatMap(shift => causesOf(shift, page)))],
    })),
  };
}

export const movedBy = (shift: Shift, page: TracedPage): string[] =>
  (shift.args.data?.impacted_nodes ?? []).flatMap(({ node_id, debug_name }) => page.element(node_id, debug_name) ?? []);

export function causesOf(shift: Shift, page: TracedPage): string[] {
  const causes = page.set.model.CLSCulprits?.shifts.get(shift);
  if (!causes) return [];
  const { unsizedImages, webFonts, iframes, nonCompositedAnimations } = causes;
  return [
    ...unsizedImages.map(
      ({ backendNodeId, paintImageEvent }) =>
        `picture without size: ${page.element(backendNodeId) ?? page.url(paintImageEvent.args.data.url ?? 'unknown')}`,
    ),
    ...webFonts.map(({ args }) => `font: ${page.url(args.data.url)}`),
    ...iframes.map(({ url }) => `frame that came in${url ? `: ${page.url(url)}` : ''}`),
    ...nonCompositedAnimations.map(({ animation }) => {
      const { nodeName, displayName } = animation?.args.data.beginEvent.args.data ?? {};
      return `animation${displayName ? ` ${displayName}` : ''}${nodeName ? ` of ${page.element(undefined, nodeName)}` : ''}`;
    }),
  ];
}

export function slowestInteraction(page: TracedPage): Interaction | undefined {
  const slowest = page.set.model.INPBreakdown?.longestInteractionEvent;
  if (!slowest) return undefined;
  const element = page.element(slowest.args.data.beginEvent.args.data?.nodeId);
  const parts = [
    { name: 'input delay', ms: ms(slowest.inputDelay) },
    { name: 'listeners', ms: ms(slowest.mainThreadHandling) },
    { name: 'until shown', ms: ms(slowest.presentationDelay) },
  ];
  return defined({ ms: ms(slowest.dur), type: slowest.type, element, parts });
}

const score = (value: number): number => Math.round(value * 10_000) / 10_000;

type Node = Helpers.TreeHelpers.TraceEntryNode;
type Event = Types.Events.Event;
type Kind = keyof TraceReport['busy'];

const LONG_MS = 50;
const WORST = 3;

/** Names of trace events, by the kind of work. */
const EVENTS: Readonly<Record<Kind, string>> = {
  scripting:
    'EvaluateScript FunctionCall ProfileCall v8.compile v8.run RunMicrotasks TimerFire EventDispatch FireAnimationFrame MajorGC MinorGC',
  layout: 'UpdateLayoutTree Layout',
  painting: 'PrePaint Paint Layerize Commit',
};
const KINDS = new Map(
  (Object.keys(EVENTS) as Kind[]).flatMap(kind => EVENTS[kind].split(' ').map(name => [name, kind] as const)),
);

/** Events that are better described by their own name than by the function they call. */
const WORK: Readonly<Record<string, string>> = {
  ParseHTML: 'parsing HTML',
  UpdateLayoutTree: 'style',
  Layout: 'layout',
  PrePaint: 'painting',
  Paint: 'painting',
  'v8.compile': 'compiling scripts',
  MajorGC: 'garbage collection',
  MinorGC: 'garbage collection',
  EvaluateScript: 'running a script',
};

export function busyTimes(page: TracedPage): TraceReport['busy'] {
  const total = { scripting: 0, layout: 0, painting: 0 };
  for (const { entry, selfTime } of nodesOf(page)) {
    const kind = KINDS.get(entry.name);
    if (kind) total[kind] += selfTime ?? 0;
  }
  return { scripting: ms(total.scripting), layout: ms(total.layout), painting: ms(total.painting) };
}

export function longTasks(page: TracedPage): TraceReport['longTasks'] {
  const tasks = nodesOf(page)
    .filter(({ entry }) => entry.name === 'RunTask' && ms(durationOf(entry)) > LONG_MS)
    .sort((a, b) => durationOf(b.entry) - durationOf(a.entry));
  const lengths = tasks.map(({ entry }) => ms(durationOf(entry)));
  return {
    count: tasks.length,
    longest: lengths[0] ?? 0,
    blocking: lengths.reduce((sum, length) => sum + length - LONG_MS, 0),
    worst: tasks.slice(0, WORST).map(node => longTask(node, page)),
  };
}

/** The main thread of the page has sent events; that of a stuck page sends none. */
export const isHeardOf = (page: TracedPage): boolean => nodesOf(page).length > 0;

const longTask = (node: Node, page: TracedPage): LongTask => ({
  ms: ms(durationOf(node.entry)),
  at: page.at(node.entry.ts),
  where: whereIn(node, page),
});

/** Follows the calls that took more than half of their caller's time; gives the last one that has a name, with its caller. */
function whereIn(task: Node, page: TracedPage): string {
  const steps: string[] = [];
  let node: Node | undefined = task;
  while (node) {
    const step = stepOf(node.entry, page);
    // A function that calls itself is one step.
    if (step !== undefined && step !== steps.at(-1)) steps.push(step);
    const half: number = durationOf(node.entry) / 2;
    node = node.children.find(({ entry }) => durationOf(entry) > half);
  }
  const [last = 'work of the browser itself', caller] = steps.reverse();
  return caller === undefined ? last : `${last}, by ${caller}`;
}

function stepOf(entry: Event, page: TracedPage): string | undefined {
  const { callFrame } = entry as Event & { callFrame?: Parameters<TracedPage['frame']>[0] };
  // A function without a URL belongs to the browser itself.
  if (callFrame) return callFrame.url ? page.frame(callFrame) : undefined;
  const data = (entry.args?.data ?? {}) as { type?: string; url?: string };
  if (entry.name === 'EventDispatch' && data.type) return `a listener of ${data.type}`;
  if (entry.name === 'EvaluateScript' && data.url) return page.url(data.url);
  return WORK[entry.name];
}

const durationOf = (entry: Event): number => ('dur' in entry && typeof entry.dur === 'number' ? entry.dur : 0);

/** The events of the main threads of the page's processes, between the bounds of the page. */
function nodesOf({ data, set }: TracedPage): Node[] {
  const nodes: Node[] = [];
  for (const { isOnMainFrame, threads } of data.Renderer.processes.values())
    for (const { name, tree } of isOnMainFrame ? threads.values() : [])
      if (name === 'CrRendererMain' && tree) collect([...tree.roots], nodes);
  return nodes.filter(({ entry }) => entry.ts >= set.bounds.min && entry.ts <= set.bounds.max);
}

/** Without recursion: calls may be nested thousands deep. */
function collect(stack: Node[], into: Node[]): void {
  for (let node = stack.pop(); node; node = stack.pop()) {
    into.push(node);
    stack.push(...node.children);
  }
}
