// One captured request: its data, how Playwright's events fill it, and the short form that an agent reads.

import type { Page, Request } from 'playwright-core';
import { defined } from '../../../defined.ts';
import { ellipsis } from '../../../ellipsis.ts';
import { redact } from '../../../policy/mask.ts';
import { tryFor, under, unlimited } from '../../limits.ts';
import { isText, textOf } from '../body-text.ts';
import { contentType, type Header, headerList, type RequestRow, type ResourceType } from '../request-row.ts';

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

export function fillStart(entry: CaptureEntry, request: Request, reserve: Reserve): void {
  entry.requestHeaders = headerList(request.headers());
  const posted = request.postDataBuffer();
  if (posted && posted.length <= MOST_BODY && reserve(posted.length)) entry.postData = posted;
  if (request.serviceWorker()) entry.byServiceWorker = true;
}

export async function fillAnswer(entry: CaptureEntry, request: Request): Promise<void> {
  const { startTime, ...moments } = request.timing();
  const error = request.failure()?.errorText;
  const response = request.existingResponse();
  entry.done = true;
  entry.ms = moments.responseEnd > 0 && error === undefined ? moments.responseEnd : Date.now() - entry.started;
  if (startTime > 0) entry.started = startTime;
  entry.moments = moments;
  if (error !== undefined) entry.error = error;
  if (!response) return;
  entry.status = response.status();
  entry.statusText = response.statusText();
  entry.responseHeaders = headerList(response.headers());
  if (response.fromServiceWorker()) entry.from = 'service worker';
  await inTime(async () => {
    const [sent, got, version, server, sizes] = await Promise.all([
      request.headersArray(),
      response.headersArray(),
      response.httpVersion(),
      response.serverAddr(),
      request.sizes(),
    ]);
    entry.requestHeaders = sent;
    entry.responseHeaders = got;
    entry.httpVersion = version;
    if (server) entry.server = server;
    const bytes = sizes.responseHeadersSize + sizes.responseBodySize;
    entry.headerBytes = bytes <= 0 ? 0 : sizes.responseHeadersSize;
    entry.bodyBytes = Math.max(0, sizes.responseBodySize);
    // Headers are counted although they came from the disk: then the sum is nothing.
    if (bytes <= 0 && !entry.from && entry.server) entry.from = 'cache';
  });
}

/** Redirects and answers without content have none; a page that has gone takes its bodies along. */
export async function fillBody(entry: CaptureEntry, request: Request, reserve: Reserve): Promise<void> {
  const response = request.existingResponse();
  const status = response?.status() ?? 0;
  if (!response || request.failure() || (status >= 300 && status < 400) || status === 204) return;
  if (Number(response.headers()['content-length'] ?? 0) > MOST_BODY) {
    entry.noBody = 'too large';
    return;
  }
  const isThere = await inTime(async () => {
    const body = await response.body();
    if (body.length > MOST_BODY || !reserve(body.length)) entry.noBody = 'too large';
    else entry.body = body;
  });
  if (!isThere) entry.noBody = 'not available any more';
}

/** Whether it succeeded in time. */
const inTime = async (run: () => Promise<void>): Promise<boolean> =>
  (await tryFor(unlimited(), DETAILS_MS, bound => under(bound.signal, run()).then(() => true))) ?? false;

/** The page that sends the request: undefined for a service worker, and for the first request of a new tab. */
export function pageOf(request: Request): Page | undefined {
  if (request.serviceWorker()) return undefined;
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}
