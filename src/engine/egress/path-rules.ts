// Guard: rules that look at the path, held before any request leaves the browser: of pages, frames, popups, workers, redirects.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Reports of errors and violations, logins and payments that the browser arranges with a site, downloads that outlive it. */
const FEATURES = '--disable-features=Reporting,NetworkErrorLogging,FedCm,WebPayments,BackgroundFetch';
const IN_PAGES = ['PaymentRequest', 'BackgroundFetch'];

const DISABLE_IN_PAGES = '--disable-blink-features=';

/** The switches, with ours added; of those that turn features of pages off, Chrome heeds only the last. */
export function quietSwitches(given: readonly string[]): string[] {
  const theirs = given.filter(arg => arg.startsWith(DISABLE_IN_PAGES)).map(arg => arg.slice(DISABLE_IN_PAGES.length));
  const rest = given.filter(arg => !arg.startsWith(DISABLE_IN_PAGES));
  return [...rest, FEATURES, `${DISABLE_IN_PAGES}${[...theirs, ...IN_PAGES].join(',')}`];
}

/** "No preloading", as a person would choose it in the settings. */
const NO_PRELOADING = 2;

/** Pages that sites ask to have loaded beforehand: no switch turns that off, only the settings of each profile in the folder. */
export async function stopPreloading(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []); // a folder that is not there yet
  const profiles = new Set(['Default', ...names.filter(name => /^Profile \d+$/.test(name))]);
  for (const name of profiles) await choose(join(folder, name));
}

async function choose(profile: string): Promise<void> {
  await mkdir(profile, { recursive: true, mode: 0o700 });
  const file = join(profile, 'Preferences');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '{}';
  });
  const settings = JSON.parse(text) as { net?: Record<string, unknown> };
  if (settings.net?.network_prediction_options === NO_PRELOADING) return;
  settings.net = { ...settings.net, network_prediction_options: NO_PRELOADING };
  await writeFile(file, JSON.stringify(settings), { mode: 0o600 });
}
