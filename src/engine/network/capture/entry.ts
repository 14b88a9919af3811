// One captured request: its data, how Chrome's events fill it, and the short form that an agent reads.

import type { Protocol } from 'devtools-protocol';
import { defined } from '../../../defined.ts';
import { ellipsis } from '../../../ellipsis.ts';
import { redact } from '../../../policy/mask.ts';
import { tryFor, under, unlimited } from '../../limits.ts';
import { isText, textOf } from '../body-text.ts';
import type { ChildSession } from '../child-session.ts';
import { contentType, type Header, headerValues, type RequestRow, type ResourceType } from '../request-row.ts';

/** ms after `started`; -1 for what did not happen. */
interface RequestTimings {
  domainLookupStart: number;
  domainLookupEnd: number;
  connectStart: number;
  secureConnectionStart: number;
  connectEnd: number;
  requestStart: number;
  responseStart: number;
  responseEnd: number;
}

export interface SocketMessage {
  type: 'send' | 'receive';
  /** ms since 1970. */
  time: number;
  data: string | Buffer;
}

export interface CaptureEntry {
  url: string;
  method: string;
  type: ResourceType;
  /** Which page of the capture it belongs to. */
  page: number;
  /** ms since 1970. */
  started: number;
  requestHeaders: Header[];
  postData?: Buffer;
  status: number;
  statusText: string;
  responseHeaders: Header[];
  httpVersion: string;
  server?: { ipAddress: string; port: number };
  /** Bytes over the network: headers and body of the answer; -1 when not known. */
  headerBytes: number;
  bodyBytes: number;
  moments?: RequestTimings;
  /** From the first byte sent to the last received. */
  ms: number;
  from?: 'cache' | 'service worker';
  /** A service worker sent it. */
  byServiceWorker?: true;
  error?: string;
  /** It has finished or failed. */
  done: boolean;
  body?: Buffer;
  /** Why there is no body although it was asked for. */
  noBody?: string;
  messages?: SocketMessage[];
}

const LONGEST_URL = 300;
const LONGEST_BODY = 500;

export const mimeOf = ({ responseHeaders }: CaptureEntry): string => contentType(responseHeaders);

export const bytesOf = ({ headerBytes, bodyBytes }: CaptureEntry): number =>
  Math.max(0, headerBytes) + Math.max(0, bodyBytes);

/** Secrets in the address and in the first part of the body are masked. */
export function rowOf(entry: CaptureEntry, withBody: boolean): RequestRow {
  const { method, status, type, ms, error, from, done, messages, byServiceWorker, body, noBody } = entry;
  const mime = mimeOf(entry);
  return {
    method,
    url: ellipsis(redact(entry.url.slice(0, 10 * LONGEST_URL)), LONGEST_URL),
    status,
    type,
    bytes: bytesOf(entry),
    ms: Math.round(ms),
    ...defined({ error, from, pending: done ? undefined : true, byServiceWorker, messages: messages?.length }),
    ...(withBody && noBody !== undefined && { noBody }),
    ...(withBody && body && body.length > 0 && isText(mime, body)
      ? { body: ellipsis(redact(textOf(mime, body.subarray(0, 4 * LONGEST_BODY))), LONGEST_BODY) }
      : {}),
  };
}

/** Of one body. */
const MOST_BODY = 10_000_000;
/** Chrome may never give the details of a request whose page has gone. */
const DETAILS_MS = 2_000;

/** Whether so many bytes more fit into the capture. */
type Reserve = (bytes: number) => boolean;

/** One step of a request: a redirect makes another one with the same id. */
export interface Hop {
  readonly entry: CaptureEntry;
  readonly request: Protocol.Network.RequestWillBeSentEvent;
  /** The session that told of it last: it has the body. */
  session: Pick<ChildSession, 'send'>;
  /** Chrome had it in memory: then nothing comes over the network. */
  inMemory?: boolean;
  response?: Protocol.Network.Response;
  /** The headers as they were on the wire, which come with events of their own, in any order. */
  sent?: Protocol.Network.Headers;
  got?: Protocol.Network.ResponseReceivedExtraInfoEvent;
  /** Settles when both are there. */
  whole: Promise<void>;
}

export async function fillStart(
  entry: CaptureEntry,
  { requestId, request }: Protocol.Network.RequestWillBeSentEvent,
  session: Hop['session'],
  reserve: Reserve,
): Promise<void> {
  entry.requestHeaders = headersOf(request.headers);
  const put = (posted: Buffer) => {
    if (posted.length > 0 && posted.length <= MOST_BODY && reserve(posted.length)) entry.postData = posted;
  };
  const { hasPostData, postDataEntries: parts } = request;
  if (parts) put(Buffer.concat(parts.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'))));
  else if (hasPostData)
    await inTime(async () => {
      const { postData, base64Encoded } = await session.send('Network.getRequestPostData', { requestId });
      put(Buffer.from(postData, base64Encoded ? 'base64' : 'utf8'));
    });
}

/** @param end when it ended, by the browser's clock in seconds, and how many bytes came or why it failed */
export async function fillAnswer(hop: Hop, end: { at: number; bytes?: number; error?: string }): Promise<void> {
  const { entry, request, response } = hop;
  const took = Math.max(0, Math.round((end.at - request.timestamp) * 1_000_000) / 1_000);
  entry.done = true;
  entry.ms = took;
  if (end.error !== undefined) entry.error = end.error;
  if (!response) return;
  entry.status = response.status;
  entry.statusText = response.statusText;
  entry.responseHeaders = headersOf(response.headers);
  entry.httpVersion = HTTP_VERSIONS[response.protocol ?? ''] ?? response.protocol ?? '';
  const { remoteIPAddress: ipAddress, remotePort: port } = response;
  if (ipAddress && port !== undefined) entry.server = { ipAddress, port };
  if (response.fromServiceWorker) entry.from = 'service worker';
  else if (hop.inMemory || response.fromDiskCache) entry.from = 'cache';
  setMoments(hop, took);
  await inTime(() => hop.whole);
  const { sent, got } = hop;
  if (sent) entry.requestHeaders = headersOf(sent);
  if (got) entry.responseHeaders = headersOf(got.headers);
  const { bytes = 0 } = end;
  entry.headerBytes = Math.min(bytes, got?.headersText?.length ?? 0);
  entry.bodyBytes = bytes - entry.headerBytes;
}

const HTTP_VERSIONS: Readonly<Record<string, string>> = { 'http/1.1': 'HTTP/1.1', h2: 'HTTP/2.0', h3: 'HTTP/3.0' };

function setMoments({ entry, request, response, inMemory }: Hop, responseEnd: number): void {
  const timing = inMemory ? undefined : response?.timing;
  if (timing) entry.started = (timing.requestTime - request.timestamp + request.wallTime) * 1_000;
  entry.moments = {
    domainLookupStart: timing?.dnsStart ?? -1,
    domainLookupEnd: timing?.dnsEnd ?? -1,
    connectStart: timing?.connectStart ?? -1,
    secureConnectionStart: timing?.sslStart ?? -1,
    connectEnd: timing?.connectEnd ?? -1,
    requestStart: timing?.sendStart ?? -1,
    responseStart: timing?.receiveHeadersEnd ?? -1,
    responseEnd,
  };
}

/** Redirects and answers without content have none; a page that has gone takes its bodies along. */
export async function fillBody({ entry, session, request, response }: Hop, reserve: Reserve): Promise<void> {
  const { status = 0, headers = {} } = response ?? {};
  if (!response || (status >= 300 && status < 400) || status === 204) return;
  const length = Number(headerValues(headersOf(headers), 'content-length')[0] ?? 0);
  if (length > MOST_BODY) {
    entry.noBody = 'too large';
    return;
  }
  const isThere = await inTime(async () => {
    const { body: text, base64Encoded } = await session.send('Network.getResponseBody', request);
    const body = Buffer.from(text, base64Encoded ? 'base64' : 'utf8');
    if (body.length > MOST_BODY || !reserve(body.length)) entry.noBody = 'too large';
    else entry.body = body;
  });
  if (!isThere) entry.noBody = 'not available any more';
}

/** Whether it succeeded in time. */
const inTime = async (run: () => Promise<void>): Promise<boolean> =>
  (await tryFor(unlimited(), DETAILS_MS, bound => under(bound.signal, run()).then(() => true))) ?? false;

/** Headers of the same name come with line breaks between their values. */
const headersOf = (headers: Protocol.Network.Headers): Header[] =>
  Object.entries(headers).flatMap(([name, values]) =>
    String(values)
      .split('\n')
      .map(value => ({ name, value })),
  );
