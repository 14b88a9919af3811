// Insights about the load of a page: its document, the requests that delay the first paint, and the largest paint.
import { counted, size } from '../../amounts.ts';
import { largestPaint } from '../metrics.ts';
import { ms, type TracedPage, type TracedRequest } from '../traced-page.ts';
import { complaints, type InsightRow, type Model, unknown, yes } from './row.ts';

const MOST_CHAIN = 15;

export const DocumentLatency: InsightRow<'DocumentLatency'> = {
  ofLoad: true,
  describe({ data }, page) {
    if (!data) return unknown('the request of the document is not in the trace');
    const { redirectDuration, uncompressedResponseBytes, checklist, documentRequest } = data;
    const serverMs = Math.round(data.serverResponseTime);
    const faults = complaints([
      [checklist.serverResponseIsFast.value, `the server took ${serverMs} ms to answer`],
      [checklist.noRedirects.value, `redirects took ${redirectDuration} ms`],
      [checklist.usesCompression.value, 'the text is not compressed'],
    ]);
    return {
      verdict: faults || `the server answered in ${serverMs} ms`,
      details: [
        `Server answered after: ${serverMs} ms (slow from 600 ms)`,
        `Redirects: ${documentRequest?.args.data.redirects.length ?? 0}, ${redirectDuration} ms`,
        `Compressed, or too small to matter: ${yes(uncompressedResponseBytes === 0)}`,
        documentRequest && requestLine(documentRequest, page),
      ],
    };
  },
};

export const LCPBreakdown: InsightRow<'LCPBreakdown'> = {
  ofLoad: true,
  describe(model, page) {
    const lcp = largestPaint(page);
    if (!lcp) return unknown('nothing large was painted');
    const longest = [...lcp.parts].sort((a, b) => b.ms - a.ms)[0];
    return {
      verdict: longest ? `most is ${longest.name}: ${longest.ms} of ${lcp.ms} ms` : `${lcp.ms} ms`,
      details: [
        `LCP: ${lcp.ms} ms${lcp.element ? `, ${lcp.element}` : ''}`,
        ...lcp.parts.map(part => `${part.name}: ${part.ms} ms (${Math.round((100 * part.ms) / lcp.ms)} %)`),
        model.lcpRequest ? requestLine(model.lcpRequest, page) : 'It is text: nothing had to be loaded for it.',
      ],
    };
  },
};

export const LCPDiscovery: InsightRow<'LCPDiscovery'> = {
  ofLoad: true,
  describe({ checklist, lcpEvent, lcpRequest, earliestDiscoveryTimeTs }, page) {
    if (!lcpEvent) return unknown('nothing large was painted');
    if (!checklist || !lcpRequest) return { verdict: 'the largest paint is text: nothing has to be found' };
    const { requestDiscoverable, eagerlyLoaded, priorityHinted } = checklist;
    const faults = complaints([
      [requestDiscoverable.value, 'is not found in the HTML itself'],
      [eagerlyLoaded.value, 'is loaded lazily'],
      [priorityHinted.value, 'has no fetchpriority=high'],
    ]);
    const delay = earliestDiscoveryTimeTs === undefined ? undefined : ms(lcpRequest.ts - earliestDiscoveryTimeTs);
    return {
      verdict: `its picture ${faults || 'is found at once'}`,
      details: [
        `Found in the HTML itself: ${yes(requestDiscoverable.value)}`,
        `Loaded eagerly: ${yes(eagerlyLoaded.value)}`,
        `fetchpriority=high: ${yes(priorityHinted.value)}`,
        delay === undefined ? undefined : `Asked for ${delay} ms after the first byte of the document`,
        requestLine(lcpRequest, page),
      ],
    };
  },
};

export const RenderBlocking: InsightRow<'RenderBlocking'> = {
  ofLoad: true,
  describe({ renderBlockingRequests: requests, requestIdToWastedMs: wasted }, page) {
    if (requests.length === 0) return { verdict: 'nothing held up the first paint' };
    const longest = ms(Math.max(...requests.map(({ dur }) => dur)));
    return {
      verdict: `${counted(requests.length, 'request')} held up the first paint, the longest ${longest} ms`,
      details: requests.map(request => {
        const saved = wasted?.get(request.args.data.requestId);
        return `${requestLine(request, page)}${saved ? `, would save ${Math.round(saved)} ms` : ''}`;
      }),
    };
  },
};

type Chain = Model<'NetworkDependencyTree'>['rootNodes'][number];

export const NetworkDependencyTree: InsightRow<'NetworkDependencyTree'> = {
  ofLoad: true,
  describe({ rootNodes, maxTime, fail, preconnectCandidates, preconnectedOrigins }, page) {
    const lines = rootNodes.flatMap(node => chainLines(node, page, ''));
    const unused = preconnectedOrigins.filter(origin => origin.unused);
    return {
      verdict: fail
        ? `requests that wait for each other take ${ms(maxTime)} ms`
        : 'no chain of requests that wait for each other',
      details: [
        ...lines.slice(0, MOST_CHAIN),
        lines.length > MOST_CHAIN ? `… and ${lines.length - MOST_CHAIN} more` : undefined,
        ...preconnectCandidates.map(
          ({ origin, wastedMs }) => `Worth a preconnect: ${page.url(origin)}, saves ${Math.round(wastedMs)} ms`,
        ),
        ...unused.map(({ url }) => `Preconnect that was not used: ${page.url(url)}`),
      ],
    };
  },
};

function chainLines(
  { request, timeFromInitialRequest, children, isLongest }: Chain,
  page: TracedPage,
  indent: string,
): string[] {
  const line = `${indent}${page.url(request.args.data.url)}: done at ${ms(timeFromInitialRequest)} ms${isLongest ? ' (longest)' : ''}`;
  return [line, ...children.flatMap(child => chainLines(child, page, `${indent}  `))];
}

/** `/hero.png: 960 kB, Image, High, asked for at 80 ms, took 760 ms (server 720 ms)`. */
function requestLine(request: TracedRequest, page: TracedPage): string {
  const { url, encodedDataLength, resourceType, priority, syntheticData } = request.args.data;
  const server = ms(syntheticData.serverResponseTime ?? 0);
  const took = `took ${ms(request.dur)} ms${server > 0 ? ` (server ${server} ms)` : ''}`;
  return `${page.url(url)}: ${size(encodedDataLength)}, ${resourceType}, ${priority}, asked for at ${page.at(request.ts)} ms, ${took}`;
}
