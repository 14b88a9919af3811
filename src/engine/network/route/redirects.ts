// Redirects: Playwright lets a redirected request pass without asking its routes again, so each tab's own wire asks the rules.
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '../../tab/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import type { Plan } from './rules.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;

const planners = new WeakMap<CdpSession, (url: string) => Plan>();
const heard = new WeakSet<CdpSession>();

/** From now on the planner is asked about redirected requests of the tab; without one, requests are left alone. */
export async function watchHops(tab: Tab, planFor: ((url: string) => Plan) | undefined): Promise<void> {
  const wire = tab.main;
  const wasOn = planners.has(wire);
  if (!planFor) {
    planners.delete(wire);
    if (wasOn) await wire.send('Fetch.disable');
    return;
  }
  planners.set(wire, planFor);
  if (!heard.has(wire)) {
    heard.add(wire);
    // Chrome refuses only when the page or the request has gone meanwhile.
    wire.on('Fetch.requestPaused', event => void paused(wire, event).catch(() => undefined));
  }
  if (!wasOn) await wire.send('Fetch.enable', { patterns: [{ urlPattern: '*', requestStage: 'Request' }] });
}

async function paused(wire: CdpSession, event: Paused): Promise<void> {
  const { requestId, request, redirectedRequestId } = event;
  const plan = redirectedRequestId === undefined ? undefined : planners.get(wire)?.(request.url);
  if (!plan || plan.used.length === 0) return wire.send('Fetch.continueRequest', { requestId });
  for (const rule of plan.used) rule.hits++;
  const { last, changes } = plan;
  if (last?.reply)
    return wire.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: last.reply.status,
      responseHeaders: pairs({ ...sharedWith(request), ...last.reply.headers }),
      body: Buffer.from(last.reply.body).toString('base64'),
    });
  if (last) return wire.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  return wire.send('Fetch.continueRequest', {
    requestId,
    ...(changes.url === undefined ? {} : { url: changes.url }),
    ...(changes.method === undefined ? {} : { method: changes.method }),
    ...(changes.headers === undefined ? {} : { headers: pairs({ ...lowered(request.headers), ...changes.headers }) }),
    ...(changes.post_data === undefined ? {} : { postData: Buffer.from(changes.post_data).toString('base64') }),
  });
}

const pairs = (headers: Record<string, string>): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const lowered = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A made-up answer may be read by the site that asks, as those to requests without redirects. */
function sharedWith({ headers }: Protocol.Network.Request): Record<string, string> {
  const origin = headers.Origin ?? headers.origin;
  if (origin === undefined) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
}
