// The three vital numbers of a page, with what they are made of.
import type { Handlers, Helpers, Insights, Types } from '@paulirish/trace_engine';
import { ms, type Scene } from './page-words.ts';
import type { Interaction, LargestPaint, LongTask, Reading, ShiftCluster } from './reading.ts';

type Models = Insights.Types.InsightModels;
type Cluster = NonNullable<Models['CLSCulprits']>['clusters'][number];
export type Shift = Cluster['events'][number];

const WORST_CLUSTERS = 3;
const MOST_MOVED = 5;

export function firstPaint({ data, set }: Scene): number | undefined {
  if (!set.navigation) return undefined;
  const scores = data.PageLoadMetrics.metricScoresByFrameId.get(set.frameId)?.get(set.navigation);
  const paint = scores?.get('FCP' as Handlers.ModelHandlers.PageLoadMetrics.MetricName.FCP);
  return paint && ms(paint.timing);
}

export function largestPaint(scene: Scene): LargestPaint | undefined {
  const { lcpMs, lcpEvent, lcpRequest, subparts } = scene.set.model.LCPBreakdown ?? {};
  if (lcpMs === undefined || !lcpEvent) return undefined;
  const { nodeId, nodeName } = (lcpEvent.args.data ?? {}) as { nodeId?: number; nodeName?: string };
  const element = scene.element(nodeId, nodeName);
  const parts = [
    ['time to the first byte', subparts?.ttfb],
    ['load delay', subparts?.loadDelay],
    ['loading', subparts?.loadDuration],
    ['render delay', subparts?.renderDelay],
  ] as const;
  return {
    ms: Math.round(lcpMs),
    ...(element === undefined ? {} : { element }),
    ...(lcpRequest ? { resource: scene.url(lcpRequest.args.data.url) } : {}),
    parts: parts.flatMap(([name, part]) => (part ? [{ name, ms: ms(part.range) }] : [])),
  };
}

export function shiftClusters(scene: Scene): { score: number; clusters: ShiftCluster[] } {
  const model = scene.set.model.CLSCulprits;
  const clusters = [...(model?.clusters ?? [])]
    .sort((a, b) => b.clusterCumulativeScore - a.clusterCumulativeScore)
    .filter(({ clusterCumulativeScore }) => clusterCumulativeScore > 0);
  return {
    score: score(clusters[0]?.clusterCumulativeScore ?? 0),
    clusters: clusters.slice(0, WORST_CLUSTERS).map(cluster => ({
      score: score(cluster.clusterCumulativeScore),
      at: scene.at(cluster.clusterWindow.min),
      shifts: cluster.events.length,
      moved: [...new Set(cluster.events.flatMap(shift => movedBy(shift, scene)))].slice(0, MOST_MOVED),
      causes: [...new Set(cluster.events.flatMap(shift => causesOf(shift, scene)))],
    })),
  };
}

export const movedBy = (shift: Shift, scene: Scene): string[] =>
  (shift.args.data?.impacted_nodes ?? []).flatMap(
    ({ node_id, debug_name }) => scene.element(node_id, debug_name) ?? [],
  );

export function causesOf(shift: Shift, scene: Scene): string[] {
  const causes = scene.set.model.CLSCulprits?.shifts.get(shift);
  if (!causes) return [];
  const { unsizedImages, webFonts, iframes, nonCompositedAnimations } = causes;
  return [
    ...unsizedImages.map(
      ({ backendNodeId, paintImageEvent }) =>
        `picture without size: ${scene.element(backendNodeId) ?? scene.url(paintImageEvent.args.data.url ?? 'unknown')}`,
    ),
    ...webFonts.map(({ args }) => `font: ${scene.url(args.data.url)}`),
    ...iframes.map(({ url }) => `frame that came in${url ? `: ${scene.url(url)}` : ''}`),
    ...nonCompositedAnimations.map(({ animation }) => {
      const { nodeName, displayName } = animation?.args.data.beginEvent.args.data ?? {};
      return `animation${displayName ? ` ${displayName}` : ''}${nodeName ? ` of ${scene.element(undefined, nodeName)}` : ''}`;
    }),
  ];
}

export function slowestInteraction(scene: Scene): Interaction | undefined {
  const slowest = scene.set.model.INPBreakdown?.longestInteractionEvent;
  if (!slowest) return undefined;
  const element = scene.element(slowest.args.data.beginEvent.args.data?.nodeId);
  return {
    ms: ms(slowest.dur),
    type: slowest.type,
    ...(element === undefined ? {} : { element }),
    parts: [
      { name: 'input delay', ms: ms(slowest.inputDelay) },
      { name: 'listeners', ms: ms(slowest.mainThreadHandling) },
      { name: 'until shown', ms: ms(slowest.presentationDelay) },
    ],
  };
}

const score = (value: number): number => Math.round(value * 10_000) / 10_000;

type Node = Helpers.TreeHelpers.TraceEntryNode;
type Event = Types.Events.Event;
type Kind = keyof Reading['busy'];

const LONG_MS = 50;
const WORST = 3;

const KINDS: Readonly<Record<string, Kind>> = {
  EvaluateScript: 'scripting',
  FunctionCall: 'scripting',
  ProfileCall: 'scripting',
  'v8.compile': 'scripting',
  'v8.run': 'scripting',
  RunMicrotasks: 'scripting',
  TimerFire: 'scripting',
  EventDispatch: 'scripting',
  FireAnimationFrame: 'scripting',
  MajorGC: 'scripting',
  MinorGC: 'scripting',
  UpdateLayoutTree: 'layout',
  Layout: 'layout',
  PrePaint: 'painting',
  Paint: 'painting',
  Layerize: 'painting',
  Commit: 'painting',
};

/** Work that tells more by its name than by what it calls. */
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

export function busyTimes(scene: Scene): Reading['busy'] {
  const total = { scripting: 0, layout: 0, painting: 0 };
  for (const { entry, selfTime } of nodesOf(scene)) {
    const kind = KINDS[entry.name];
    if (kind) total[kind] += selfTime ?? 0;
  }
  return { scripting: ms(total.scripting), layout: ms(total.layout), painting: ms(total.painting) };
}

export function longTasks(scene: Scene): Reading['longTasks'] {
  const tasks = nodesOf(scene)
    .filter(({ entry }) => entry.name === 'RunTask' && ms(durationOf(entry)) > LONG_MS)
    .sort((a, b) => durationOf(b.entry) - durationOf(a.entry));
  const lengths = tasks.map(({ entry }) => ms(durationOf(entry)));
  return {
    count: tasks.length,
    longest: lengths[0] ?? 0,
    blocking: lengths.reduce((sum, length) => sum + length - LONG_MS, 0),
    worst: tasks.slice(0, WORST).map(node => longTask(node, scene)),
  };
}

const longTask = (node: Node, scene: Scene): LongTask => ({
  ms: ms(durationOf(node.entry)),
  at: scene.at(node.entry.ts),
  where: whereIn(node, scene),
});

/** Follows the work that took most of its caller's time, and tells the last step that has a name. */
function whereIn(task: Node, scene: Scene): string {
  const steps: string[] = [];
  let node: Node | undefined = task;
  while (node) {
    const step = stepOf(node.entry, scene);
    // A function that calls itself is one step.
    if (step !== undefined && step !== steps.at(-1)) steps.push(step);
    const half: number = durationOf(node.entry) / 2;
    node = node.children.find(({ entry }) => durationOf(entry) > half);
  }
  const [last = 'work of the browser itself', caller] = steps.reverse();
  return caller === undefined ? last : `${last}, by ${caller}`;
}

function stepOf(entry: Event, scene: Scene): string | undefined {
  const { callFrame } = entry as Event & { callFrame?: Parameters<Scene['frame']>[0] };
  // What has no address is the browser's own.
  if (callFrame) return callFrame.url ? scene.frame(callFrame) : undefined;
  const data = (entry.args?.data ?? {}) as { type?: string; url?: string };
  if (entry.name === 'EventDispatch' && data.type) return `a listener of ${data.type}`;
  if (entry.name === 'EvaluateScript' && data.url) return scene.url(data.url);
  return WORK[entry.name];
}

const durationOf = (entry: Event): number => ('dur' in entry && typeof entry.dur === 'number' ? entry.dur : 0);

/** Of the main threads of the page's own processes, while it was the page. */
function nodesOf({ data, set }: Scene): Node[] {
  const nodes: Node[] = [];
  for (const { isOnMainFrame, threads } of data.Renderer.processes.values())
    for (const { name, tree } of isOnMainFrame ? threads.values() : [])
      if (name === 'CrRendererMain' && tree) collect([...tree.roots], nodes);
  return nodes.filter(({ entry }) => entry.ts >= set.bounds.min && entry.ts <= set.bounds.max);
}

/** Without recursion: calls may be nested thousands deep. */
function collect(open: Node[], into: Node[]): void {
  for (let node = open.pop(); node; node = open.pop()) {
    into.push(node);
    open.push(...node.children);
  }
}
