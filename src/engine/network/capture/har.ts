// HAR 1.2 from captured requests: the archive that browsers and network tools open. What logs somebody in is masked in it.
import packageJson from '../../../../package.json' with { type: 'json' };
import { maskHeader, REDACTED, redact } from '../../../policy/mask.ts';
import { isText, textOf } from '../body-text.ts';
import { bytesOf, type Header, type Message, mimeOf, type Row } from './entry.ts';
import type { Recording } from './recording.ts';

export function harOf(recording: Recording, browser: string): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Tabwright', version: packageJson.version },
      browser: { name: 'Chromium', version: browser },
      pages: recording.shown
        .map(({ url, started, ready, loaded }, at) => ({
          startedDateTime: iso(started),
          id: pageId(at),
          title: maskedUrl(url),
          pageTimings: { onContentLoad: since(started, ready), onLoad: since(started, loaded) },
        }))
        .filter((_, at) => recording.rows.some(({ page }) => page === at)),
      entries: recording.rows.map(entryOf),
      comment: 'Cookies, credentials in headers and tokens in addresses are masked; bodies are not.',
    },
  };
}

const pageId = (at: number): string => `page_${at + 1}`;
const iso = (ms: number): string => new Date(ms).toISOString();
const since = (start: number, at: number | undefined): number => (at === undefined ? -1 : Math.max(0, at - start));

function entryOf(row: Row): object {
  const timings = timingsOf(row);
  const { ssl: _, ...spans } = timings;
  return {
    pageref: pageId(row.page),
    startedDateTime: iso(row.started),
    time: Object.values(spans).reduce((sum, span) => sum + Math.max(0, span), 0),
    request: requestOf(row),
    response: responseOf(row),
    cache: {},
    timings,
    ...(row.server
      ? { serverIPAddress: row.server.ipAddress.replace(/^\[|\]$/g, ''), _serverPort: row.server.port }
      : {}),
    _resourceType: row.type,
    ...(row.from === 'cache' ? { _fromCache: 'disk' } : {}),
    ...(row.from === 'service worker' ? { _fetchedViaServiceWorker: true } : {}),
    ...(row.messages ? { _webSocketMessages: row.messages.map(messageOf) } : {}),
  };
}

function requestOf(row: Row): object {
  const url = maskedUrl(row.url);
  const cookies = pairs(row.requestHeaders, 'cookie').map(name => ({ name, value: REDACTED }));
  return {
    method: row.method,
    url,
    httpVersion: versionOf(row),
    cookies,
    headers: row.requestHeaders.map(masked),
    queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [],
    headersSize: -1,
    bodySize: row.postData?.length ?? 0,
    ...(row.postData ? { postData: postedOf(row, row.postData) } : {}),
  };
}

function postedOf(row: Row, data: Buffer): object {
  const mimeType = headerOf(row.requestHeaders, 'content-type') ?? '';
  return isText(mimeType, data) || mimeType.startsWith('multipart/')
    ? { mimeType, text: data.toString('utf8') }
    : { mimeType, text: data.toString('base64'), comment: 'base64' };
}

function responseOf(row: Row): object {
  return {
    status: row.status,
    statusText: row.statusText,
    httpVersion: versionOf(row),
    cookies: pairs(row.responseHeaders, 'set-cookie').map(name => ({ name, value: REDACTED })),
    headers: row.responseHeaders.map(masked),
    content: contentOf(row),
    redirectURL: row.status >= 300 && row.status < 400 ? (headerOf(row.responseHeaders, 'location') ?? '') : '',
    headersSize: row.headerBytes,
    bodySize: row.from === 'cache' ? 0 : row.bodyBytes,
    _transferSize: bytesOf(row),
    ...(row.error === undefined ? {} : { _error: row.error }),
  };
}

function contentOf(row: Row): object {
  const mimeType = mimeOf(row) || 'x-unknown';
  const { body, noBody } = row;
  if (!body)
    return { size: Math.max(0, row.bodyBytes), mimeType, ...(noBody === undefined ? {} : { comment: noBody }) };
  const size = body.length;
  if (isText(mimeOf(row), body)) return { size, mimeType, text: textOf(mimeOf(row), body) };
  return { size, mimeType, text: body.toString('base64'), encoding: 'base64' };
}

/** The spans follow one another: their sum is the time of the entry. */
function timingsOf({
  moments,
  ms,
}: Row): Record<'blocked' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive', number> {
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
const messageOf = ({ type, time, data }: Message): object => ({
  type,
  time: time / 1000,
  opcode: typeof data === 'string' ? 1 : 2,
  data: typeof data === 'string' ? data : data.toString('base64'),
});

/** Brackets would need to be escaped in an address. */
const maskedUrl = (url: string): string => redact(url).replaceAll(REDACTED, 'redacted');
const versionOf = ({ httpVersion }: Row): string => httpVersion || 'unknown';
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
