// Applies the matching rules to one paused request of a page, a frame or a service worker; redirected ones are paused again.
import { STATUS_CODES } from 'node:http';
import type { Protocol } from 'devtools-protocol';
import type { Options } from '../../../config/options.ts';
import { defined } from '../../../defined.ts';
import type { Tab } from '../../tab/tab.ts';
import type { ChildSession } from '../child-session.ts';
import { cookieHeader } from '../request/cookies.ts';
import { type Header, headerList } from '../request-row.ts';
import { lowerCaseNames, type RequestChanges, type RoutePlan } from './rules.ts';

/** Bounds for a request that this process sends in the browser's place. */
const FETCH_MS = 30_000;
const FETCH_BYTES = 50_000_000;

type Paused = Protocol.Fetch.RequestPausedEvent;
type Sender = Pick<ChildSession, 'send'>;

/** Who sends the request: undefined for a service worker, and for the first request of a new tab. */
interface RequestOrigin {
  tab: Tab | undefined;
  options: Options;
}

export async function applyPlan(
  session: Sender,
  paused: Paused,
  { last, changes, used }: RoutePlan,
  origin: RequestOrigin,
): Promise<void> {
  const { requestId, request } = paused;
  const kept = takeKept(session, paused);
  if (used.length === 0 && !kept) return session.send('Fetch.continueRequest', { requestId });
  if (isPreflight(request)) return fulfill(session, paused, 204, preflightHeaders(request), '');
  for (const rule of used) rule.hits++;
  if (last?.reply) return fulfill(session, paused, last.reply.status, headerList(last.reply.headers), last.reply.body);
  if (last) return session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  const { url } = changes;
  if (url !== undefined && new URL(url).protocol !== new URL(request.url).protocol)
    return fetchAcrossSchemes(session, paused, { ...changes, url }, origin);
  const headers = (kept || changes.headers) && { ...kept, ...changes.headers };
  if (headers) keep(session, requestId, headers);
  return session.send('Fetch.continueRequest', { requestId, ...overrides(request, { ...changes, headers }) });
}

/** More redirects than these are not under way at once. */
const MOST_KEPT = 1_000;

/** By session and paused request: the headers that were changed. A redirect sends the request on with them. */
const keptHeaders = new WeakMap<Sender, Map<string, Record<string, string>>>();

function keep(session: Sender, id: string, headers: Record<string, string>): void {
  const kept = keptHeaders.get(session) ?? new Map<string, Record<string, string>>();
  keptHeaders.set(session, kept.set(id, headers));
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

function takeKept(session: Sender, { redirectedRequestId: id = '' }: Paused): Record<string, string> | undefined {
  const headers = keptHeaders.get(session)?.get(id);
  keptHeaders.get(session)?.delete(id);
  return headers;
}

function overrides({ headers }: Protocol.Network.Request, changes: RequestChanges) {
  const { url, method, post_data: postData } = changes;
  return defined({
    url,
    method,
    headers: changes.headers && headerList({ ...lowerCaseNames(headers), ...changes.headers }),
    postData: postData === undefined ? undefined : base64(postData),
  });
}

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

function fulfill(
  session: Sender,
  { requestId, request }: Paused,
  status: number,
  headers: Header[],
  body: string | Buffer,
): Promise<void> {
  const isGiven = headers.some(({ name }) => /^access-control-allow-origin$/i.test(name));
  return session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: status,
    ...defined({ responsePhrase: STATUS_CODES[status] }),
    responseHeaders: [...headers, ...(isGiven ? [] : corsHeaders(request))],
    body: base64(body),
  });
}

const headerOf = ({ headers }: Protocol.Network.Request, name: string): string | undefined =>
  lowerCaseNames(headers)[name];

/** Lets the page read a fulfilled response across origins. */
function corsHeaders(request: Protocol.Network.Request): Header[] {
  const origin = headerOf(request, 'origin');
  if (origin === undefined || new URL(request.url).origin === origin) return [];
  return headerList({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  });
}

/** The browser asks the server whether the page may send a request: a routed one is not for that server to refuse. */
const isPreflight = (request: Protocol.Network.Request): boolean =>
  request.method === 'OPTIONS' && headerOf(request, 'access-control-request-method') !== undefined;

const preflightHeaders = (request: Protocol.Network.Request): Header[] =>
  headerList(
    defined({
      'access-control-allow-methods': headerOf(request, 'access-control-request-method'),
      'access-control-allow-headers': headerOf(request, 'access-control-request-headers'),
    }),
  );

/** The browser cannot continue an https request as http, or the reverse: this process sends it. */
async function fetchAcrossSchemes(
  session: Sender,
  paused: Paused,
  { url: to, method, headers: changed, post_data: postData }: RequestChanges & { url: string },
  { tab, options }: RequestOrigin,
): Promise<void> {
  const { egressFetch } = await import('../../egress/egress-fetch.ts');
  const { requestId, request } = paused;
  const url = new URL(to);
  const cookie = tab ? await cookieHeader(tab, url) : '';
  const { host: _, ...headers } = { ...lowerCaseNames(request.headers), ...changed };
  const body = postData === undefined ? postedOf(request) : Buffer.from(postData);
  const answer = await egressFetch(
    tab?.page.context(),
    options,
    {
      url,
      method: method ?? request.method,
      headers: {
        ...headers,
        ...(cookie !== '' && { cookie }),
        ...(body && { 'content-length': String(body.length) }),
      },
      body,
    },
    { mostBytes: FETCH_BYTES, signal: AbortSignal.timeout(FETCH_MS) },
  ).catch(async error => {
    await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionFailed' });
    throw error;
  });
  // The body is unpacked already.
  const isKept = ({ name }: Header) => !/^(?:content-encoding|content-length|transfer-encoding)$/i.test(name);
  await fulfill(session, paused, answer.status, answer.headers.filter(isKept), answer.body);
}

function postedOf({ postDataEntries = [] }: Protocol.Network.Request): Buffer | undefined {
  const parts = postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64'));
  return parts.length > 0 ? Buffer.concat(parts) : undefined;
}
