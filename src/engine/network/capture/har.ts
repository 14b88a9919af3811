// HAR 1.2 from captured requests: the archive that browsers and network tools open. What logs somebody in is masked in it.
import packageJson from '../../../../package.json' with { type: 'json' };
import { defined } from '../../../defined.ts';
import { REDACTED, redact } from '../../../policy/mask.ts';
import { isText, textOf } from '../body-text.ts';
import { contentType, type Header, headerValues, maskHeaders } from '../request-row.ts';
import { bytesOf, type CaptureEntry, mimeOf, type SocketMessage } from './entry.ts';
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
  const { server, from, messages } = entry;
  const timings = timingsOf(entry);
  const { ssl: _, ...spans } = timings;
  return defined({
    pageref: pageId(entry.page),
    startedDateTime: iso(entry.started),
    time: Object.values(spans).reduce((sum, span) => sum + Math.max(0, span), 0),
    request: requestOf(entry),
    response: responseOf(entry),
    cache: {},
    timings,
    serverIPAddress: server?.ipAddress.replace(/^\[|\]$/g, ''),
    _serverPort: server?.port,
    _resourceType: entry.type,
    _fromCache: from === 'cache' ? 'disk' : undefined,
    _fetchedViaServiceWorker: from === 'service worker' || undefined,
    _webSocketMessages: messages?.map(messageOf),
  });
}

function requestOf(entry: CaptureEntry): object {
  const url = maskedUrl(entry.url);
  const { requestHeaders, postData } = entry;
  return {
    method: entry.method,
    url,
    httpVersion: versionOf(entry),
    cookies: maskedCookies(headerValues(requestHeaders, 'cookie').flatMap(value => value.split(';'))),
    headers: maskHeaders(requestHeaders),
    queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [],
    headersSize: -1,
    bodySize: postData?.length ?? 0,
    ...(postData && { postData: postedOf(requestHeaders, postData) }),
  };
}

function postedOf(headers: Header[], data: Buffer): object {
  const mimeType = contentType(headers);
  return isText(mimeType, data) || mimeType.startsWith('multipart/')
    ? { mimeType, text: data.toString('utf8') }
    : { mimeType, text: data.toString('base64'), comment: 'base64' };
}

function responseOf(entry: CaptureEntry): object {
  const { responseHeaders } = entry;
  // Chrome joins the headers of several cookies with line breaks.
  const cookieLines = headerValues(responseHeaders, 'set-cookie').flatMap(value => value.split('\n'));
  const [location = ''] = entry.status >= 300 && entry.status < 400 ? headerValues(responseHeaders, 'location') : [];
  return {
    status: entry.status,
    statusText: entry.statusText,
    httpVersion: versionOf(entry),
    cookies: maskedCookies(cookieLines),
    headers: maskHeaders(responseHeaders),
    content: contentOf(entry),
    redirectURL: location,
    headersSize: entry.headerBytes,
    bodySize: entry.from === 'cache' ? 0 : entry.bodyBytes,
    _transferSize: bytesOf(entry),
    ...defined({ _error: entry.error }),
  };
}

function contentOf(entry: CaptureEntry): object {
  const mimeType = mimeOf(entry) || 'x-unknown';
  const { body, noBody } = entry;
  if (!body) return { size: Math.max(0, entry.bodyBytes), mimeType, ...defined({ comment: noBody }) };
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

/** Only the names of cookies are shown, of `name=value` or `name=value; attributes`. */
const maskedCookies = (cookies: string[]): Header[] =>
  cookies
    .map(cookie => cookie.split(';')[0]?.split('=')[0]?.trim() ?? '')
    .filter(name => name !== '')
    .map(name => ({ name, value: REDACTED }));
