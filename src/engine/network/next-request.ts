// The next request of a tab whose url matches, or the next answer to one.
import type { Protocol } from 'devtools-protocol';
import type { Limits } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { type ChildSession, followRequests } from './child-session.ts';

/** Bodies are not asked for. */
const NO_BODIES = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };

interface NextRequest {
  method: string;
  url: string;
  status: number;
}

/** Of the page, and of frames and workers in other processes and threads; not of its service worker. */
export async function nextRequest(
  tab: Tab,
  moment: 'sent' | 'answered',
  matches: (url: string) => boolean,
  limits: Limits,
): Promise<NextRequest> {
  let found: (request: NextRequest) => void = () => undefined;
  let failed: (error: unknown) => void = () => undefined;
  const next = new Promise<NextRequest>((resolve, reject) => {
    found = resolve;
    failed = reject;
  });
  const methods = new Map<string, string>();
  const check = (at: 'sent' | 'answered', request: NextRequest) => {
    try {
      if (at === moment && !/^data:/i.test(request.url) && matches(request.url)) found(request);
    } catch (error) {
      failed(error); // the pattern takes too long
    }
  };
  const answered = (id: string, { url, status }: Protocol.Network.Response) =>
    check('answered', { method: methods.get(id) ?? tab.requests.methodOf(id), url, status });
  const listen = (session: Pick<CdpSession, 'on'> | ChildSession) => {
    const onSent = ({ requestId, request, redirectResponse }: Protocol.Network.RequestWillBeSentEvent) => {
      if (redirectResponse) answered(requestId, redirectResponse);
      methods.set(requestId, request.method);
      check('sent', { ...request, status: 0 });
    };
    return [
      session.on('Network.requestWillBeSent', onSent),
      session.on('Network.responseReceived', ({ requestId, response }) => answered(requestId, response)),
    ];
  };
  const unsubscribe = listen(tab.main);
  const below = followRequests(tab, NO_BODIES, session => session.info.type !== 'service_worker' && listen(session));
  below.ready.catch(() => undefined); // the page has gone, which ends the wait
  try {
    return await tab.race(limits, next);
  } finally {
    for (const stop of unsubscribe) stop();
    below.close().catch(() => undefined); // the same
  }
}
