// The three vital numbers of a page, with what they are made of.
import type { Handlers, Insights } from '@paulirish/trace_engine';
import { ms, type Scene } from './page-words.ts';
import type { Interaction, LargestPaint, ShiftCluster } from './reading.ts';

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
