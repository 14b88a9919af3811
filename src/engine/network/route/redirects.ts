// Applies routes to redirected requests, which Playwright does not pass to its routes again: by Fetch on each tab's own CDP session.
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '../../tab/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import { lowerCaseNames, type RoutePlan } from './rules.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;

const planners = new WeakMap<CdpSession, (url: string) => RoutePlan>();
const listening = new WeakSet<CdpSession>();

/** The planner decides about redirected requests of the tab from now on; without one, none is paused. */
export async function routeRedirects(tab: Tab, planFor: ((url: string) => RoutePlan) | undefined): Promise<void> {
  const wire = tab.main;
  const wasOn = planners.has(wire);
  if (!planFor) {
    planners.delete(wire);
    if (wasOn) await wire.send('Fetch.disable');
    return;
  }
  planners.set(wire, planFor);
  if (!listening.has(wire)) {
    listening.add(wire);
    // Chrome refuses only when the page or the request has gone meanwhile.
    wire.on('Fetch.requestPaused', event => void handlePaused(wire, event).catch(() => undefined));
  }
  if (!wasOn) await wire.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
}

async function handlePaused(wire: CdpSession, event: Paused): Promise<void> {
  const { requestId, request, redirectedRequestId } = event;
  const plan = redirectedRequestId === undefined ? undefined : planners.get(wire)?.(request.url);
  if (!plan || plan.used.length === 0) return wire.send('Fetch.continueRequest', { requestId });
  for (const rule of plan.used) rule.hits++;
  const { last, changes } = plan;
  if (last?.reply)
    return wire.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: last.reply.status,
      responseHeaders: pairs({ ...corsHeaders(request), ...last.reply.headers }),
      body: Buffer.from(last.reply.body).toString('base64'),
    });
  if (last) return wire.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  return wire.send('Fetch.continueRequest', {
    requestId,
    ...(changes.url === undefined ? {} : { url: changes.url }),
    ...(changes.method === undefined ? {} : { method: changes.method }),
    ...(changes.headers === undefined
      ? {}
      : { headers: pairs({ ...lowerCaseNames(request.headers), ...changes.headers }) }),
    ...(changes.post_data === undefined ? {} : { postData: Buffer.from(changes.post_data).toString('base64') }),
  });
}

const pairs = (headers: Record<string, string>): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** Lets the page read a fulfilled response across origins, as Playwright does for requests without redirects. */
function corsHeaders({ headers }: Protocol.Network.Request): Record<string, string> {
  const origin = headers.Origin ?? headers.origin;
  if (origin === undefined) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
}
