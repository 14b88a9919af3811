// Insights about the files that a page loads: pictures, scripts, caching, third parties.
import { counted, size } from '../../amounts.ts';
import type { TracedPage, TracedRequest } from '../traced-page.ts';
import { type InsightRow, type Model, unknown, yes } from './row.ts';

/** `/hero.png (960 kB)`. */
const fileOf = ({ args: { data } }: TracedRequest, page: TracedPage): string =>
  `${page.url(data.url)} (${size(data.encodedDataLength)})`;

type Optimization = Model<'ImageDelivery'>['optimizableImages'][number]['optimizations'][number];

/** By ImageOptimizationType. */
const ADVICE: Readonly<Record<string, string>> = {
  ADJUST_COMPRESSION: 'compress it more',
  MODERN_FORMAT_OR_COMPRESSION: 'use WebP or AVIF, or compress it more',
  VIDEO_FORMAT: 'use a video instead of a GIF',
};

function adviceFor(optimization: Optimization): string {
  if (!('fileDimensions' in optimization))
    return `${ADVICE[optimization.type] ?? optimization.type} (${size(optimization.byteSavings)})`;
  const { fileDimensions: file, displayDimensions: shown, byteSavings } = optimization;
  return `it is ${file.width}x${file.height}, shown as ${shown.width}x${shown.height} (${size(byteSavings)})`;
}

export const ImageDelivery: InsightRow<'ImageDelivery'> = {
  describe({ optimizableImages: images }, page) {
    if (images.length === 0) return { verdict: 'no picture is larger than it need be' };
    const sum = images.reduce((total, { byteSavings }) => total + byteSavings, 0);
    return {
      verdict: `${counted(images.length, 'picture')} could be smaller by ${size(sum)}`,
      details: [...images]
        .sort((a, b) => b.byteSavings - a.byteSavings)
        .map(({ request, optimizations }) => `${fileOf(request, page)}: ${optimizations.map(adviceFor).join('; ')}`),
    };
  },
};

export const Cache: InsightRow<'Cache'> = {
  describe({ requests }, page) {
    if (requests.length === 0) return { verdict: 'what can be kept is kept long' };
    const lifetime = (ttl: number) => (ttl === 0 ? 'no lifetime' : counted(Math.round(ttl), 'second'));
    return {
      verdict: `${counted(requests.length, 'file')} may be kept for a short time only`,
      details: requests.map(({ request, ttl }) => `${fileOf(request, page)}: ${lifetime(ttl)}`),
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
      verdict: `the document ${httpCharset.value || metaCharset.value ? 'says' : 'does not say'} its encoding`,
      details: [
        `In the header Content-Type: ${yes(httpCharset.value)}`,
        `In a meta element of the first 1024 bytes: ${yes(metaCharset.value)}`,
      ],
    };
  },
};

const cost = (mainThreadMs: number, bytes: number): string =>
  `${Math.round(mainThreadMs)} ms of the main thread, ${size(bytes)}`;

export const ThirdParties: InsightRow<'ThirdParties'> = {
  describe({ entitySummaries, firstPartyEntity }) {
    const others = entitySummaries
      .filter(({ entity }) => entity !== firstPartyEntity)
      .sort((a, b) => b.mainThreadTime - a.mainThreadTime || b.transferSize - a.transferSize);
    if (others.length === 0) return { verdict: 'nothing came from elsewhere' };
    const time = others.reduce((sum, { mainThreadTime }) => sum + mainThreadTime, 0);
    const bytes = others.reduce((sum, { transferSize }) => sum + transferSize, 0);
    return {
      verdict: `${others.length === 1 ? '1 other party' : `${others.length} other parties`}: ${cost(time, bytes)}`,
      details: others.map(other => `${other.entity.name}: ${cost(other.mainThreadTime, other.transferSize)}`),
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

/** Chrome counts selectors only when asked to, because that slows down the page. */
export const SlowCSSSelector: InsightRow<'SlowCSSSelector'> = {
  describe({ totalElapsedMs, totalMatchAttempts, topSelectorElapsedMs: slowest }) {
    if (totalMatchAttempts === 0) return unknown('selectors were not counted');
    return {
      verdict: `selectors took ${Math.round(totalElapsedMs)} ms`,
      details: slowest ? [`Slowest: ${slowest.selector}, ${Math.round(slowest['elapsed (us)'] / 1_000)} ms`] : [],
    };
  },
};
