// Insights about what a page loads: pictures, scripts, caching, other parties.
import { counted, size } from '../../amounts.ts';
import { type InsightRow, unknown, yes } from './row.ts';

type Image = Parameters<InsightRow<'ImageDelivery'>['describe']>[0]['optimizableImages'][number];

/** By ImageOptimizationType. */
const CURES: Readonly<Record<string, string>> = {
  ADJUST_COMPRESSION: 'compress it more',
  MODERN_FORMAT_OR_COMPRESSION: 'use WebP or AVIF, or compress it more',
  VIDEO_FORMAT: 'use a video instead of a GIF',
};

const cureOf = (cure: Image['optimizations'][number]): string => {
  const said =
    'fileDimensions' in cure
      ? `it is ${cure.fileDimensions.width}x${cure.fileDimensions.height}, shown as ${cure.displayDimensions.width}x${cure.displayDimensions.height}`
      : (CURES[cure.type] ?? cure.type);
  return `${said} (${size(cure.byteSavings)})`;
};

export const ImageDelivery: InsightRow<'ImageDelivery'> = {
  describe({ optimizableImages: images }, page) {
    if (images.length === 0) return { verdict: 'no picture is larger than it need be' };
    const sum = images.reduce((total, { byteSavings }) => total + byteSavings, 0);
    return {
      verdict: `${counted(images.length, 'picture')} could be smaller by ${size(sum)}`,
      details: [...images]
        .sort((a, b) => b.byteSavings - a.byteSavings)
        .map(
          ({ request, optimizations }) =>
            `${page.url(request.args.data.url)} (${size(request.args.data.encodedDataLength)}): ${optimizations.map(cureOf).join('; ')}`,
        ),
    };
  },
};

export const Cache: InsightRow<'Cache'> = {
  describe({ requests }, page) {
    if (requests.length === 0) return { verdict: 'what can be kept is kept long' };
    return {
      verdict: `${counted(requests.length, 'file')} may be kept for a short time only`,
      details: requests.map(
        ({ request, ttl }) =>
          `${page.url(request.args.data.url)} (${size(request.args.data.encodedDataLength)}): ${ttl === 0 ? 'no lifetime' : counted(Math.round(ttl), 'second')}`,
      ),
    };
  },
};

export const ModernHTTP: InsightRow<'ModernHTTP'> = {
  describe({ http1Requests: requests }, page) {
    if (requests.length === 0) return { verdict: 'HTTP/1.1 cost nothing here' };
    return {
      verdict: `${counted(requests.length, 'request')} over HTTP/1.1`,
      details: requests.map(({ args }) => `${page.url(args.data.url)} (${args.data.protocol})`),
    };
  },
};

export const CharacterSet: InsightRow<'CharacterSet'> = {
  ofLoad: true,
  describe({ data }) {
    if (!data) return unknown('the request of the document is not in the trace');
    const { httpCharset, metaCharset } = data.checklist;
    return {
      verdict:
        httpCharset.value || metaCharset.value
          ? 'the document says its encoding'
          : 'the document does not say its encoding',
      details: [
        `In the header Content-Type: ${yes(httpCharset.value)}`,
        `In a meta element of the first 1024 bytes: ${yes(metaCharset.value)}`,
      ],
    };
  },
};

export const ThirdParties: InsightRow<'ThirdParties'> = {
  describe({ entitySummaries, firstPartyEntity }) {
    const others = entitySummaries
      .filter(({ entity }) => entity !== firstPartyEntity)
      .sort((a, b) => b.mainThreadTime - a.mainThreadTime || b.transferSize - a.transferSize);
    const [time, bytes] = others.reduce(
      ([ms, sum], { mainThreadTime, transferSize }) => [ms + mainThreadTime, sum + transferSize] as const,
      [0, 0] as readonly [number, number],
    );
    if (others.length === 0) return { verdict: 'nothing came from elsewhere' };
    return {
      verdict: `${others.length === 1 ? '1 other party' : `${others.length} other parties`}: ${Math.round(time)} ms of the main thread, ${size(bytes)}`,
      details: others.map(
        ({ entity, mainThreadTime, transferSize }) =>
          `${entity.name}: ${Math.round(mainThreadTime)} ms of the main thread, ${size(transferSize)}`,
      ),
    };
  },
};

export const LegacyJavaScript: InsightRow<'LegacyJavaScript'> = {
  describe({ legacyJavaScriptResults: results }, page) {
    if (results.size === 0) return { verdict: 'no code for old browsers was found' };
    return {
      verdict: `code for old browsers in ${counted(results.size, 'script')}`,
      details: [...results].map(
        ([script, { matches, estimatedByteSavings }]) =>
          `${page.url(script.url ?? 'inline script')}: ${size(estimatedByteSavings)}, ${matches.map(({ name }) => name).join(', ')}`,
      ),
    };
  },
};

/** Two bundles can be compared by their source maps only, and a trace has none. */
export const DuplicatedJavaScript: InsightRow<'DuplicatedJavaScript'> = {
  describe({ scriptsWithDuplication: scripts }, page) {
    if (scripts.length === 0) return unknown('it needs source maps, which a trace does not hold');
    return {
      verdict: `the same modules in ${counted(scripts.length, 'script')}`,
      details: scripts.map(({ url }) => page.url(url ?? 'inline script')),
    };
  },
};

/** Chrome counts selectors only when asked to, because it slows down the page. */
export const SlowCSSSelector: InsightRow<'SlowCSSSelector'> = {
  describe({ totalElapsedMs, totalMatchAttempts, topSelectorElapsedMs: worst }) {
    if (totalMatchAttempts === 0) return unknown('selectors were not counted');
    return {
      verdict: `selectors took ${Math.round(totalElapsedMs)} ms`,
      details: worst ? [`Slowest: ${worst.selector}, ${Math.round(worst['elapsed (us)'] / 1_000)} ms`] : [],
    };
  },
};
