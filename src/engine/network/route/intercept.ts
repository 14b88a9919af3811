// Applies the matching rules to one request of a page or service worker, to a redirected request, or to a WebSocket.
import type { Protocol } from 'devtools-protocol';
import type { Route, WebSocketRoute } from 'playwright-core';
import type { Options } from '../../../config/options.ts';
import { defined } from '../../../defined.ts';
import type { CdpSession } from '../../tab/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import { cookieHeader } from '../request/cookies.ts';
import { headerList } from '../request-row.ts';
import { lowerCaseNames, type RoutePlan } from './rules.ts';

/** Bounds for a request that this process sends in the browser's place. */
const FETCH_MS = 30_000;
const FETCH_BYTES = 50_000_000;

export async function applyPlan(
  route: Route,
  { last, changes, used }: RoutePlan,
  tab: Tab | undefined,
  options: Options,
): Promise<void> {
  for (const rule of used) rule.hits++;
  if (last?.reply) return route.fulfill(last.reply);
  if (last) return route.abort('blockedbyclient');
  const { url, method, post_data: postData } = changes;
  const request = route.request();
  const headers = changes.headers && { ...request.headers(), ...changes.headers };
  const overrides = defined({ url, method, headers, postData });
  if (url === undefined || new URL(url).protocol === new URL(request.url()).protocol) return route.fallback(overrides);
  return fetchAcrossSchemes(route, { ...overrides, url }, tab, options);
}

interface Overrides {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  postData?: string;
}

/** The browser cannot continue an https request as http, or the reverse: this process sends it. */
async function fetchAcrossSchemes(
  route: Route,
  { url: to, method, headers, postData }: Overrides,
  tab: Tab | undefined,
  options: Options,
): Promise<void> {
  const { egressFetch } = await import('../../egress/egress-fetch.ts');
  const request = route.request();
  const url = new URL(to);
  const cookie = tab ? await cookieHeader(tab, url) : '';
  const { host: _, ...sent } = headers ?? request.headers();
  const body = postData === undefined ? request.postDataBuffer() : Buffer.from(postData);
  const answer = await egressFetch(
    tab?.page.context(),
    options,
    {
      url,
      method: method ?? request.method(),
      headers: {
        ...sent,
        ...(cookie !== '' && { cookie }),
        ...(body && { 'content-length': String(body.length) }),
      },
      body: body ?? undefined,
    },
    { mostBytes: FETCH_BYTES, signal: AbortSignal.timeout(FETCH_MS) },
  ).catch(async error => {
    await route.abort('connectionfailed');
    throw error;
  });
  const { status, body: content } = answer;
  // The body is unpacked already.
  const forwarded = answer.headers
    .filter(({ name }) => !/^(?:content-encoding|content-length|transfer-encoding)$/i.test(name))
    .map(({ name, value }) => [name, value]);
  await route.fulfill({ status, headers: Object.fromEntries(forwarded), body: content });
}

/** The close code of a WebSocket whose server cannot be reached. */
const ABNORMAL_CLOSURE = 1006;

export async function applyToSocket(socket: WebSocketRoute, { last }: RoutePlan): Promise<void> {
  if (!last) return void socket.connectToServer();
  last.hits++;
  if (!last.reply) return socket.close({ code: ABNORMAL_CLOSURE });
  // The socket opens, and the body of the response is its first message.
  if (last.reply.body !== '') socket.send(last.reply.body);
}

const planners = new WeakMap<CdpSession, (url: string) => RoutePlan>();
const listening = new WeakSet<CdpSession>();

/**
 * The planner decides about redirected requests of the tab from now on; without one, none is paused. Playwright does not
 * pass these to its routes again: they are caught by Fetch on the tab's own CDP session.
 */
export async function routeRedirects(tab: Tab, planFor: ((url: string) => RoutePlan) | undefined): Promise<void> {
  const cdp = tab.main;
  const wasOn = planners.has(cdp);
  if (!planFor) {
    planners.delete(cdp);
    if (wasOn) await cdp.send('Fetch.disable');
    return;
  }
  planners.set(cdp, planFor);
  if (!listening.has(cdp)) {
    listening.add(cdp);
    // Chrome refuses only when the page or the request has gone meanwhile.
    cdp.on('Fetch.requestPaused', event => void handlePaused(cdp, event).catch(() => undefined));
  }
  if (!wasOn) await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
}

async function handlePaused(cdp: CdpSession, event: Protocol.Fetch.RequestPausedEvent): Promise<void> {
  const { requestId, request, redirectedRequestId } = event;
  const plan = redirectedRequestId === undefined ? undefined : planners.get(cdp)?.(request.url);
  if (!plan || plan.used.length === 0) return cdp.send('Fetch.continueRequest', { requestId });
  for (const rule of plan.used) rule.hits++;
  const { last, changes } = plan;
  if (last?.reply)
    return cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: last.reply.status,
      responseHeaders: headerList({ ...corsHeaders(request), ...last.reply.headers }),
      body: Buffer.from(last.reply.body).toString('base64'),
    });
  if (last) return cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  const { url, method, headers, post_data: postData } = changes;
  return cdp.send('Fetch.continueRequest', {
    requestId,
    ...defined({
      url,
      method,
      headers: headers && headerList({ ...lowerCaseNames(request.headers), ...headers }),
      postData: postData && Buffer.from(postData).toString('base64'),
    }),
  });
}

/** Lets the page read a fulfilled response across origins, as Playwright does for requests without redirects. */
function corsHeaders({ headers }: Protocol.Network.Request): Record<string, string> {
  const origin = headers.Origin ?? headers.origin;
  if (origin === undefined) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
}
