// HAR 1.2 from captured requests: the archive that browsers and network tools open. What logs somebody in is masked in it.
import packageJson from '../../../../package.json' with { type: 'json' };
import { maskHeader, REDACTED, redact } from '../../../policy/mask.ts';
import { isText, textOf } from '../body-text.ts';
import { bytesOf, type CaptureEntry, type Header, mimeOf, type SocketMessage } from './entry.ts';
import type { NetworkCapture } from './network-capture.ts';

export function harOf(capture: NetworkCapture, browser: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Tabwright', version: packageJson.version },
      browser: { name: 'Chromium', version: browser },
      pages: capture.pages
        .map(({ url, started, ready, loaded }, at) => ({
          startedDateTime: iso(started),
          id: pageId(at),
          title: maskedUrl(url),
          pageTimings: { onContentLoad: since(started, ready), onLoad: since(started, loaded) },
        }))
        .filter((_, at) => capture.entries.some(({ page }) => page === at)),
      entries: capture.entries.map(entryOf),
      comment: 'Cookies, credentials in headers and tokens in addresses are masked; bodies are not.',
    },
  };
}

const pageId = (at: number): string => `page_${at + 1}`;
const iso = (ms: number): string => new Date(ms).toISOString();
const since = (start: number, at: number | undefined): number => (at === undefined ? -1 : Math.max(0, at - start));

function entryOf(entry: CaptureEntry): object {
  const timings = timingsOf(entry);
  const { ssl: _, ...spans } = timings;
  return {
    pageref: pageId(entry.page),
    startedDateTime: iso(entry.started),
    time: Object.values(spans).reduce((sum, span) => sum + Math.max(0, span), 0),
    request: requestOf(entry),
    response: responseOf(entry),
    cache: {},
    timings,
    ...(entry.server
      ? { serverIPAddress: entry.server.ipAddress.replace(/^\[|\]$/g, ''), _serverPort: entry.server.port }
      : {}),
    _resourceType: entry.type,
    ...(entry.from === 'cache' ? { _fromCache: 'disk' } : {}),
    ...(entry.from === 'service worker' ? { _fetchedViaServiceWorker: true } : {}),
    ...(entry.messages ? { _webSocketMessages: entry.messages.map(messageOf) } : {}),
  };
}

function requestOf(entry: CaptureEntry): object {
  const url = maskedUrl(entry.url);
  const cookies = pairs(entry.requestHeaders, 'cookie').map(name => ({ name, value: REDACTED }));
  return {
    method: entry.method,
    url,
    httpVersion: versionOf(entry),
    cookies,
    headers: entry.requestHeaders.map(masked),
    queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [],
    headersSize: -1,
    bodySize: entry.postData?.length ?? 0,
    ...(entry.postData ? { postData: postedOf(entry, entry.postData) } : {}),
  };
}

function postedOf(entry: CaptureEntry, data: Buffer): object {
  const mimeType = headerOf(entry.requestHeaders, 'content-type') ?? '';
  return isText(mimeType, data) || mimeType.startsWith('multipart/')
    ? { mimeType, text: data.toString('utf8') }
    : { mimeType, text: data.toString('base64'), comment: 'base64' };
}

function responseOf(entry: CaptureEntry): object {
  return {
    status: entry.status,
    statusText: entry.statusText,
    httpVersion: versionOf(entry),
    cookies: pairs(entry.responseHeaders, 'set-cookie').map(name => ({ name, value: REDACTED })),
    headers: entry.responseHeaders.map(masked),
    content: contentOf(entry),
    redirectURL: entry.status >= 300 && entry.status < 400 ? (headerOf(entry.responseHeaders, 'location') ?? '') : '',
    headersSize: entry.headerBytes,
    bodySize: entry.from === 'cache' ? 0 : entry.bodyBytes,
    _transferSize: bytesOf(entry),
    ...(entry.error === undefined ? {} : { _error: entry.error }),
  };
}

function contentOf(entry: CaptureEntry): object {
  const mimeType = mimeOf(entry) || 'x-unknown';
  const { body, noBody } = entry;
  if (!body)
    return { size: Math.max(0, entry.bodyBytes), mimeType, ...(noBody === undefined ? {} : { comment: noBody }) };
  const size = body.length;
  if (isText(mimeOf(entry), body)) return { size, mimeType, text: textOf(mimeOf(entry), body) };
  return { size, mimeType, text: body.toString('base64'), encoding: 'base64' };
}

/** The spans follow one another: their sum is the time of the entry. */
function timingsOf({
  moments,
  ms,
}: CaptureEntry): Record<'blocked' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive', number> {
  if (!moments || moments.responseStart < 0)
    return { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: Math.max(0, ms), receive: 0 };
  const { domainLookupStart, domainLookupEnd, connectStart, connectEnd, secureConnectionStart } = moments;
  const sent = Math.max(0, moments.requestStart);
  const begun = [domainLookupStart, connectStart, sent].find(at => at >= 0) ?? 0;
  return {
    blocked: begun,
    dns: span(domainLookupStart, domainLookupEnd),
    connect: span(connectStart, connectEnd),
    ssl: span(secureConnectionStart, connectEnd),
    send: 0,
    wait: Math.max(0, moments.responseStart - sent),
    receive: Math.max(0, moments.responseEnd - moments.responseStart),
  };
}

const span = (from: number, to: number): number => (from < 0 || to < from ? -1 : to - from);

/** Text as it is, bytes in base64: what Chrome's own archives do. */
const messageOf = ({ type, time, data }: SocketMessage): object => ({
  type,
  time: time / 1000,
  opcode: typeof data === 'string' ? 1 : 2,
  data: typeof data === 'string' ? data : data.toString('base64'),
});

/** Brackets would need to be escaped in an address. */
const maskedUrl = (url: string): string => redact(url).replaceAll(REDACTED, 'redacted');
const versionOf = ({ httpVersion }: CaptureEntry): string => httpVersion || 'unknown';
const masked = ({ name, value }: Header): Header => ({ name, value: maskHeader(name, value) });
const headerOf = (headers: readonly Header[], wanted: string): string | undefined =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value;

/** The names of the cookies in all headers of that name. */
const pairs = (headers: readonly Header[], wanted: string): string[] =>
  headers
    .filter(({ name }) => name.toLowerCase() === wanted)
    .flatMap(({ value }) =>
      wanted === 'cookie' ? value.split(';') : value.split('\n').map(line => line.split(';')[0]),
    )
    .map(pair => pair?.split('=')[0]?.trim() ?? '')
    .filter(name => name !== '');
