// One captured request: its data, how Playwright's events fill it, and the short form that an agent reads.

import type { Page, Request } from 'playwright-core';
import { Failure } from '../../../errors.ts';
import { redact } from '../../../policy/mask.ts';
import { pause } from '../../limits.ts';
import { isText, textOf } from '../body-text.ts';

/** The types that a filter names; Chrome's others count as "other". */
export const TYPES = [
  'document',
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'xhr',
  'fetch',
  'websocket',
  'other',
] as const;
export type ResourceType = (typeof TYPES)[number];

export interface Header {
  name: string;
  value: string;
}

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

export interface ShortEntry {
  /** Chrome's name for it, in the log of a tab. */
  id?: string;
  method: string;
  url: string;
  status: number;
  type: ResourceType;
  bytes: number;
  ms: number;
  error?: string;
  from?: CaptureEntry['from'];
  pending?: true;
  byServiceWorker?: true;
  messages?: number;
  /** Its begin, or why there is none. */
  body?: string;
  noBody?: string;
}

const LONGEST_URL = 300;
const LONGEST_BODY = 500;

export const mimeOf = (entry: CaptureEntry): string =>
  entry.responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';

export const bytesOf = ({ headerBytes, bodyBytes }: CaptureEntry): number =>
  Math.max(0, headerBytes) + Math.max(0, bodyBytes);

/** Secrets in the address and in the begin of the body are masked. */
export function shortEntry(entry: CaptureEntry, withBody: boolean): ShortEntry {
  const { method, status, type, ms, error, from, done, messages, byServiceWorker } = entry;
  return {
    method,
    url: cut(redact(entry.url.slice(0, 10 * LONGEST_URL)), LONGEST_URL),
    status,
    type,
    bytes: bytesOf(entry),
    ms: Math.round(ms),
    ...(error === undefined ? {} : { error }),
    ...(from ? { from } : {}),
    ...(done ? {} : { pending: true }),
    ...(byServiceWorker ? { byServiceWorker } : {}),
    ...(messages ? { messages: messages.length } : {}),
    ...(withBody && entry.noBody !== undefined ? { noBody: entry.noBody } : {}),
    ...(withBody && entry.body && entry.body.length > 0 && isText(mimeOf(entry), entry.body)
      ? { body: cut(redact(textOf(mimeOf(entry), entry.body.subarray(0, 4 * LONGEST_BODY))), LONGEST_BODY) }
      : {}),
  };
}

export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

/** Of one body. */
const MOST_BODY = 10_000_000;
/** Chrome may never give the details of a request whose page has gone. */
const DETAILS_MS = 2_000;

export const typeOf = (type: string): ResourceType => TYPES.find(known => known === type) ?? 'other';

/** Whether so many bytes more fit into the capture. */
type Reserve = (bytes: number) => boolean;

export function fillStart(entry: CaptureEntry, request: Request, reserve: Reserve): void {
  entry.requestHeaders = Object.entries(request.headers()).map(([name, value]) => ({ name, value }));
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
  entry.responseHeaders = Object.entries(response.headers()).map(([name, value]) => ({ name, value }));
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
async function inTime(run: () => Promise<void>): Promise<boolean> {
  const stop = new AbortController();
  const late = pause(stop.signal, DETAILS_MS).then(() => {
    throw new Failure('timeout', 'late');
  });
  try {
    await Promise.race([run(), late]);
    return true;
  } catch {
    return false;
  } finally {
    stop.abort();
  }
}

/** The page that sends the request: undefined for a service worker, and for the first request of a new tab. */
export function pageOf(request: Request): Page | undefined {
  if (request.serviceWorker()) return undefined;
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}
