// Fills the row of a captured request with what Playwright tells about it.
import type { Request } from 'playwright-core';
import { Failure } from '../../../errors.ts';
import { pause } from '../../limits.ts';
import { type ResourceType, type Row, TYPES } from './entry.ts';

/** Of one body. */
const MOST_BODY = 10_000_000;
/** Chrome may owe the details of a request whose page has gone. */
const DETAILS_MS = 2_000;

export const typeOf = (type: string): ResourceType => TYPES.find(known => known === type) ?? 'other';

/** Whether so many bytes more may be kept. */
type Room = (bytes: number) => boolean;

export function fillStart(row: Row, request: Request, room: Room): void {
  row.requestHeaders = Object.entries(request.headers()).map(([name, value]) => ({ name, value }));
  const posted = request.postDataBuffer();
  if (posted && posted.length <= MOST_BODY && room(posted.length)) row.postData = posted;
  if (request.serviceWorker()) row.byServiceWorker = true;
}

export async function fillAnswer(row: Row, request: Request): Promise<void> {
  const { startTime, ...moments } = request.timing();
  const error = request.failure()?.errorText;
  const response = request.existingResponse();
  row.done = true;
  row.ms = moments.responseEnd > 0 && error === undefined ? moments.responseEnd : Date.now() - row.started;
  if (startTime > 0) row.started = startTime;
  row.moments = moments;
  if (error !== undefined) row.error = error;
  if (!response) return;
  row.status = response.status();
  row.statusText = response.statusText();
  row.responseHeaders = Object.entries(response.headers()).map(([name, value]) => ({ name, value }));
  if (response.fromServiceWorker()) row.from = 'service worker';
  await shortly(async () => {
    const [sent, got, version, server, sizes] = await Promise.all([
      request.headersArray(),
      response.headersArray(),
      response.httpVersion(),
      response.serverAddr(),
      request.sizes(),
    ]);
    row.requestHeaders = sent;
    row.responseHeaders = got;
    row.httpVersion = version;
    if (server) row.server = server;
    const bytes = sizes.responseHeadersSize + sizes.responseBodySize;
    row.headerBytes = bytes <= 0 ? 0 : sizes.responseHeadersSize;
    row.bodyBytes = Math.max(0, sizes.responseBodySize);
    // Headers are counted although they came from the disk: then the sum is nothing.
    if (bytes <= 0 && !row.from && row.server) row.from = 'cache';
  });
}

/** Redirects and answers without content have none; a page that has gone takes its bodies along. */
export async function fillBody(row: Row, request: Request, room: Room): Promise<void> {
  const response = request.existingResponse();
  const status = response?.status() ?? 0;
  if (!response || request.failure() || (status >= 300 && status < 400) || status === 204) return;
  if (Number(response.headers()['content-length'] ?? 0) > MOST_BODY) {
    row.noBody = 'too large';
    return;
  }
  const isThere = await shortly(async () => {
    const body = await response.body();
    if (body.length > MOST_BODY || !room(body.length)) row.noBody = 'too large';
    else row.body = body;
  });
  if (!isThere) row.noBody = 'not available any more';
}

/** False when it could not be done, or not in time. */
async function shortly(run: () => Promise<void>): Promise<boolean> {
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
