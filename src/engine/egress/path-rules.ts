// Guard: rules that look at the path, held before any request leaves the browser: of pages, frames, popups, workers, redirects.
import type { Protocol } from 'devtools-protocol';
import type { Browser, CDPSession } from 'playwright-core';
import type { UrlRules } from '../../policy/url-rules.ts';

export interface PathRuleOptions {
  boundary: UrlRules;
  /** A request was stopped; the frame that sent it, or the worker. */
  refused(url: string, rule: string, frame: string): void;
  /** The guard stands no more. */
  ended(): void;
}

/**
 * On the browser's own wire, not on that of a page: so Chrome pauses the requests of everything that it shows or runs, from the
 * first one on, and there is no moment in which something new is not watched yet.
 */
export async function enforcePathRules(browser: Browser, options: PathRuleOptions): Promise<void> {
  const { boundary } = options;
  const session = await browser.newBrowserCDPSession();
  session.on('Fetch.requestPaused', event => void judge(session, event, options));
  session.once('close', () => options.ended());
  // Everywhere else the proxy decides, which costs less.
  const patterns = boundary.pathHosts.map(host => ({ urlPattern: `http*${host}*`, requestStage: 'Request' as const }));
  await session.send('Fetch.enable', { patterns });
}

async function judge(
  session: CDPSession,
  { requestId, request, frameId }: Protocol.Fetch.RequestPausedEvent,
  { boundary, refused }: PathRuleOptions,
): Promise<void> {
  const rule = boundary.refusal(request.url);
  if (rule !== undefined) refused(request.url, rule, frameId);
  const verdict =
    rule === undefined
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
  // Chrome refuses only when the request has gone meanwhile.
  await verdict.catch(() => undefined);
}
