// Insights about how a page comes: its document, what holds up the first paint, and the largest paint.
import { counted, size } from '../../amounts.ts';
import { largestPaint } from '../metrics.ts';
import { ms, type Scene, type TracedRequest } from '../page-words.ts';
import { type Row, unknown, yes } from './row.ts';

const MOST_CHAIN = 15;

export const DocumentLatency: Row<'DocumentLatency'> = {
  ofLoad: true,
  tell({ data }, scene) {
    if (!data) return unknown('the request of the document is not in the trace');
    const { serverResponseTime, redirectDuration, uncompressedResponseBytes, checklist, documentRequest } = data;
    const faults = [
      ...(checklist.serverResponseIsFast.value
        ? []
        : [`the server took ${Math.round(serverResponseTime)} ms to answer`]),
      ...(checklist.noRedirects.value ? [] : [`redirects took ${redirectDuration} ms`]),
      ...(checklist.usesCompression.value ? [] : ['the text is not compressed']),
    ];
    return {
      verdict: faults.join(', ') || `the server answered in ${Math.round(serverResponseTime)} ms`,
      details: [
        `Server answered after: ${Math.round(serverResponseTime)} ms (slow from 600 ms)`,
        `Redirects: ${documentRequest?.args.data.redirects.length ?? 0}, ${redirectDuration} ms`,
        `Compressed, or too small to matter: ${yes(uncompressedResponseBytes === 0)}`,
        ...(documentRequest ? [requestLine(documentRequest, scene)] : []),
      ],
    };
  },
};

export const LCPBreakdown: Row<'LCPBreakdown'> = {
  ofLoad: true,
  tell(model, scene) {
    const lcp = largestPaint(scene);
    if (!lcp) return unknown('nothing large was painted');
    const longest = [...lcp.parts].sort((a, b) => b.ms - a.ms)[0];
    return {
      verdict: longest ? `most is ${longest.name}: ${longest.ms} of ${lcp.ms} ms` : `${lcp.ms} ms`,
      details: [
        `LCP: ${lcp.ms} ms${lcp.element ? `, ${lcp.element}` : ''}`,
        ...lcp.parts.map(part => `${part.name}: ${part.ms} ms (${Math.round((100 * part.ms) / lcp.ms)} %)`),
        model.lcpRequest ? requestLine(model.lcpRequest, scene) : 'It is text: nothing had to be loaded for it.',
      ],
    };
  },
};

export const LCPDiscovery: Row<'LCPDiscovery'> = {
  ofLoad: true,
  tell({ checklist, lcpEvent, lcpRequest, earliestDiscoveryTimeTs }, scene) {
    if (!lcpEvent) return unknown('nothing large was painted');
    if (!checklist || !lcpRequest) return { verdict: 'the largest paint is text: nothing has to be found' };
    const faults = [
      ...(checklist.requestDiscoverable.value ? [] : ['is not found in the HTML itself']),
      ...(checklist.eagerlyLoaded.value ? [] : ['is loaded lazily']),
      ...(checklist.priorityHinted.value ? [] : ['has no fetchpriority=high']),
    ];
    const delay = earliestDiscoveryTimeTs === undefined ? undefined : ms(lcpRequest.ts - earliestDiscoveryTimeTs);
    return {
      verdict: faults.length > 0 ? `its picture ${faults.join(', ')}` : 'its picture is found at once',
      details: [
        `Found in the HTML itself: ${yes(checklist.requestDiscoverable.value)}`,
        `Loaded eagerly: ${yes(checklist.eagerlyLoaded.value)}`,
        `fetchpriority=high: ${yes(checklist.priorityHinted.value)}`,
        ...(delay === undefined ? [] : [`Asked for ${delay} ms after the first byte of the document`]),
        requestLine(lcpRequest, scene),
      ],
    };
  },
};

export const RenderBlocking: Row<'RenderBlocking'> = {
  ofLoad: true,
  tell({ renderBlockingRequests: requests, requestIdToWastedMs: wasted }, scene) {
    if (requests.length === 0) return { verdict: 'nothing held up the first paint' };
    const longest = ms(Math.max(...requests.map(({ dur }) => dur)));
    return {
      verdict: `${counted(requests.length, 'request')} held up the first paint, the longest ${longest} ms`,
      details: requests.map(request => {
        const saved = wasted?.get(request.args.data.requestId);
        return `${requestLine(request, scene)}${saved ? `, would save ${Math.round(saved)} ms` : ''}`;
      }),
    };
  },
};

type Chain = Parameters<Row<'NetworkDependencyTree'>['tell']>[0]['rootNodes'][number];

export const NetworkDependencyTree: Row<'NetworkDependencyTree'> = {
  ofLoad: true,
  tell({ rootNodes, maxTime, fail, preconnectCandidates, preconnectedOrigins }, scene) {
    const lines = rootNodes.flatMap(node => chainLines(node, scene, ''));
    const unused = preconnectedOrigins.filter(origin => origin.unused);
    return {
      verdict: fail
        ? `requests that wait for each other take ${ms(maxTime)} ms`
        : 'no chain of requests that wait for each other',
      details: [
        ...lines.slice(0, MOST_CHAIN),
        ...(lines.length > MOST_CHAIN ? [`… and ${lines.length - MOST_CHAIN} more`] : []),
        ...preconnectCandidates.map(
          ({ origin, wastedMs }) => `Worth a preconnect: ${scene.url(origin)}, saves ${Math.round(wastedMs)} ms`,
        ),
        ...unused.map(({ url }) => `Preconnect that was not used: ${scene.url(url)}`),
      ],
    };
  },
};

function chainLines(
  { request, timeFromInitialRequest, children, isLongest }: Chain,
  scene: Scene,
  indent: string,
): string[] {
  const line = `${indent}${scene.url(request.args.data.url)}: done at ${ms(timeFromInitialRequest)} ms${isLongest ? ' (longest)' : ''}`;
  return [line, ...children.flatMap(child => chainLines(child, scene, `${indent}  `))];
}

/** `/hero.png: 960 kB, Image, High, asked for at 80 ms, took 760 ms (server 720 ms)`. */
export function requestLine(request: TracedRequest, scene: Scene): string {
  const { url, encodedDataLength, resourceType, priority, syntheticData } = request.args.data;
  const server = ms(syntheticData.serverResponseTime ?? 0);
  const took = `took ${ms(request.dur)} ms${server > 0 ? ` (server ${server} ms)` : ''}`;
  return `${scene.url(url)}: ${size(encodedDataLength)}, ${resourceType}, ${priority}, asked for at ${scene.at(request.ts)} ms, ${took}`;
}
