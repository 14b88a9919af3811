// Insights about a page that has loaded: shifts, interactions, its size, and layout that scripts force.
import { counted } from '../../amounts.ts';
import { causesOf, movedBy, shiftClusters, slowestInteraction } from '../metrics.ts';
import { ms, type TracedPage } from '../traced-page.ts';
import { type InsightRow, unknown } from './row.ts';

export const CLSCulprits: InsightRow<'CLSCulprits'> = {
  describe({ clusters }, page) {
    const { score, clusters: worst } = shiftClusters(page);
    if (worst.length === 0) return { verdict: 'nothing shifted' };
    const [{ shifts = 0, causes = [] } = {}] = worst;
    return {
      verdict: `${score} by ${counted(shifts, 'shift')}; ${causes[0] ?? 'the cause is not known'}`,
      details: clusters.flatMap(({ events }) => events).map(shift => shiftLine(shift, page)),
    };
  },
};

function shiftLine(shift: Parameters<typeof movedBy>[0], page: TracedPage): string {
  const [moved, causes] = [movedBy(shift, page), causesOf(shift, page)];
  const score = (shift.args.data?.weighted_score_delta ?? 0).toFixed(4);
  return `${score} at ${page.at(shift.ts)} ms: ${moved.join(', ') || 'elements without a name'} moved${causes.length > 0 ? `; ${causes.join(', ')}` : ''}`;
}

export const INPBreakdown: InsightRow<'INPBreakdown'> = {
  describe(_, page) {
    const slowest = slowestInteraction(page);
    if (!slowest) return unknown('there was no interaction');
    const longest = [...slowest.parts].sort((a, b) => b.ms - a.ms)[0];
    return {
      verdict: `${slowest.type}${slowest.element ? ` on ${slowest.element}` : ''} took ${slowest.ms} ms, most of it ${longest?.name}`,
      details: slowest.parts.map(part => `${part.name}: ${part.ms} ms`),
    };
  },
};

export const DOMSize: InsightRow<'DOMSize'> = {
  describe({ maxDOMStats, largeUpdates }, page) {
    const { totalElements, maxChildren, maxDepth } = maxDOMStats?.args.data ?? {};
    const count =
      totalElements === undefined ? 'the number of elements is not known' : counted(totalElements, 'element');
    return {
      verdict: largeUpdates.length > 0 ? `${count}, and ${counted(largeUpdates.length, 'large update')}` : count,
      details: [
        maxDepth && `Deepest: ${maxDepth.depth} levels, ${page.element(undefined, maxDepth.nodeName)}`,
        maxChildren && `Most children: ${maxChildren.numChildren}, ${page.element(undefined, maxChildren.nodeName)}`,
        ...largeUpdates.map(
          ({ event, size, duration }) =>
            `${event.name === 'Layout' ? 'Layout' : 'Style'} of ${size} elements at ${page.at(event.ts)} ms: ${Math.round(duration)} ms`,
        ),
      ],
    };
  },
};

export const ForcedReflow: InsightRow<'ForcedReflow'> = {
  describe({ aggregatedBottomUpData: callers, topLevelFunctionCallData: top }, page) {
    if (callers.length === 0) return { verdict: 'no script forced a layout' };
    const total = callers.reduce((sum, { totalTime }) => sum + totalTime, 0);
    const worst = [...callers].sort((a, b) => b.totalTime - a.totalTime);
    return {
      verdict: `scripts forced layouts that took ${ms(total)} ms`,
      details: [
        top && `Mostly under ${page.frame(top.topLevelFunctionCall)}: ${ms(top.totalReflowTime)} ms`,
        ...worst.map(
          ({ bottomUpData, totalTime }) =>
            `${bottomUpData ? page.frame(bottomUpData) : 'caller not known'}: ${ms(totalTime)} ms`,
        ),
      ],
    };
  },
};

export const FontDisplay: InsightRow<'FontDisplay'> = {
  describe({ fonts }, page) {
    if (fonts.length === 0) return { verdict: 'no text waited for a font' };
    const longest = Math.round(fonts[0]?.wastedTime ?? 0);
    return {
      verdict: `text waited for ${counted(fonts.length, 'font')}, up to ${longest} ms`,
      details: fonts.map(
        ({ name, display, request, wastedTime }) =>
          `${name ?? 'font'} (font-display: ${display}): ${Math.round(wastedTime)} ms, ${page.url(request.args.data.url)}`,
      ),
    };
  },
};

export const Viewport: InsightRow<'Viewport'> = {
  describe({ mobileOptimized, viewportEvent, longPointerInteractions = [] }) {
    if (mobileOptimized === null) return unknown('the page drew nothing meanwhile');
    const content = viewportEvent?.args.data.content;
    return {
      verdict: mobileOptimized ? 'taps need not wait' : 'no viewport for mobiles: taps may wait up to 300 ms',
      details: [
        content === undefined ? 'No viewport in the HTML' : `viewport: ${content}`,
        mobileOptimized ? undefined : `${counted(longPointerInteractions.length, 'tap')} waited for more than 50 ms`,
      ],
    };
  },
};
