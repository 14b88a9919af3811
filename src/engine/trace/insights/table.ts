// All insights about one page of a trace, those that apply first.
import type { Insights } from '@paulirish/trace_engine';
import { size } from '../../amounts.ts';
import type { Insight, InsightState } from '../report.ts';
import { cut, type TracedPage } from '../traced-page.ts';
import * as files from './files.ts';
import * as load from './load.ts';
import * as page from './page.ts';
import { type InsightFinding, type InsightName, type InsightRow, type Model, unknown } from './row.ts';

const MOST_DETAILS = 20;
const MOST_LINE = 400;

const ROWS: { [N in InsightName]: InsightRow<N> } = {
  LCPBreakdown: load.LCPBreakdown,
  LCPDiscovery: load.LCPDiscovery,
  RenderBlocking: load.RenderBlocking,
  DocumentLatency: load.DocumentLatency,
  NetworkDependencyTree: load.NetworkDependencyTree,
  CLSCulprits: page.CLSCulprits,
  INPBreakdown: page.INPBreakdown,
  ImageDelivery: files.ImageDelivery,
  FontDisplay: page.FontDisplay,
  ForcedReflow: page.ForcedReflow,
  DOMSize: page.DOMSize,
  ThirdParties: files.ThirdParties,
  LegacyJavaScript: files.LegacyJavaScript,
  DuplicatedJavaScript: files.DuplicatedJavaScript,
  SlowCSSSelector: files.SlowCSSSelector,
  Cache: files.Cache,
  ModernHTTP: files.ModernHTTP,
  Viewport: page.Viewport,
  CharacterSet: files.CharacterSet,
};

const ORDER: readonly InsightState[] = ['applies', 'fine', 'unknown'];

export function insightsOf(page: TracedPage): Insight[] {
  const names = Object.keys(ROWS) as InsightName[];
  const all = names.map(name => ({ insight: insightOf(name, page), weight: weightOf(page.set.model[name]) }));
  return all
    .sort((a, b) => ORDER.indexOf(a.insight.state) - ORDER.indexOf(b.insight.state) || b.weight - a.weight)
    .map(({ insight }) => insight);
}

function insightOf<N extends InsightName>(name: N, page: TracedPage): Insight {
  const model = page.set.model[name] as Model<N> | undefined;
  const finding = findingOf(name, model, page);
  const details = (finding.details ?? []).filter(line => line !== undefined);
  const more = details.length - MOST_DETAILS;
  return {
    name,
    state: finding.unknown ? 'unknown' : model?.state === 'pass' ? 'fine' : 'applies',
    verdict: cut(finding.verdict, MOST_LINE),
    savings: finding.unknown ? [] : savingsOf(model),
    details: [
      ...details.slice(0, MOST_DETAILS).map(line => cut(line, MOST_LINE)),
      ...(more > 0 ? [`… and ${more} more`] : []),
    ],
    docs: model?.docs ?? '',
  };
}

function findingOf<N extends InsightName>(name: N, model: Model<N> | undefined, page: TracedPage): InsightFinding {
  const row: InsightRow<N> = ROWS[name];
  if (!model) {
    const error = page.set.modelErrors[name];
    return unknown(`the trace could not be read for it${error ? `: ${error.message}` : ''}`);
  }
  if (row.ofLoad && !page.set.navigation) return unknown('no load of a page is in the trace');
  return row.describe(model, page);
}

type AnyModel = Pick<Insights.Types.InsightModel, 'metricSavings' | 'wastedBytes'>;

/** `LCP 300 ms`, `95 kB`. */
function savingsOf(model: AnyModel | undefined): string[] {
  const saved = Object.entries(model?.metricSavings ?? {}).filter(([, value]) => Number.isFinite(value));
  const said = saved.flatMap(([name, value]) => {
    const rounded = name === 'CLS' ? Math.round(value * 1_000) / 1_000 : Math.round(value);
    return rounded > 0 ? [`${name} ${rounded}${name === 'CLS' ? '' : ' ms'}`] : [];
  });
  const bytes = Math.round(model?.wastedBytes ?? 0);
  return bytes > 0 ? [...said, size(bytes)] : said;
}

/** The largest saving; insights with more come first. */
const weightOf = (model: AnyModel | undefined): number =>
  Math.max(0, ...Object.values(model?.metricSavings ?? {}).filter(Number.isFinite));
