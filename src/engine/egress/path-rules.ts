// Rules that look at the path, enforced before a request leaves the browser: of pages, frames, popups, workers, redirects.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UrlRules } from '../../policy/url-rules.ts';
import type { ConnectedBrowser } from '../page/connected-browser.ts';

interface PathRuleEvents {
  /** A request was stopped; the frame that sent it, or the worker. */
  refused(url: string, rule: string, frame: string): void;
  /** Paths are judged no more. */
  ended(): void;
}

/**
 * Stops the requests whose url the judge names a rule for; those that match no pattern are not asked about. On the CDP session of the
 * browser, not on that of a page: so Chrome pauses the requests of everything that it shows or runs, from the first one on, and there
 * is no moment in which something new is not watched yet.
 */
export async function judgeRequests(
  browser: ConnectedBrowser,
  patterns: readonly string[],
  judge: (url: string) => string | undefined,
  events?: PathRuleEvents,
): Promise<void> {
  const session = await browser.openBrowserSession();
  session.on('Fetch.requestPaused', async ({ requestId, request, frameId }) => {
    const rule = judge(request.url);
    if (rule !== undefined) events?.refused(request.url, rule, frameId);
    const judged =
      rule === undefined
        ? session.send('Fetch.continueRequest', { requestId })
        : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // Chrome refuses only when the request has gone meanwhile.
    await judged.catch(() => undefined);
  });
  if (events) session.on('close', () => events.ended());
  await session.send('Fetch.enable', {
    patterns: patterns.map(urlPattern => ({ urlPattern, requestStage: 'Request' as const })),
  });
}

/** Everywhere else the proxy decides, which costs less. */
export const enforcePathRules = (browser: ConnectedBrowser, rules: UrlRules, events: PathRuleEvents): Promise<void> =>
  judgeRequests(
    browser,
    rules.pathHosts.map(host => `http*${host}*`),
    url => rules.refusal(url),
    events,
  );

/** Reports of errors and violations, logins and payments that the browser arranges with a site, downloads that outlive it. */
const FEATURES = '--disable-features=Reporting,NetworkErrorLogging,FedCm,WebPayments,BackgroundFetch';
const IN_PAGES = ['PaymentRequest', 'BackgroundFetch'];

const DISABLE_IN_PAGES = '--disable-blink-features=';

/** The switches with ours added. Of several --disable-blink-features Chrome obeys only the last, so they become one. */
export function quietSwitches(given: readonly string[]): string[] {
  const theirs = given.filter(arg => arg.startsWith(DISABLE_IN_PAGES)).map(arg => arg.slice(DISABLE_IN_PAGES.length));
  const rest = given.filter(arg => !arg.startsWith(DISABLE_IN_PAGES));
  return [...rest, FEATURES, `${DISABLE_IN_PAGES}${[...theirs, ...IN_PAGES].join(',')}`];
}

/** "No preloading", as a person would choose it in the settings. */
const NO_PRELOADING = 2;

/** No switch turns off the loading of pages that sites ask for beforehand, only the settings of each profile in the folder. */
export async function stopPreloading(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []); // a folder that is not there yet
  const profiles = new Set(['Default', ...names.filter(name => /^Profile \d+$/.test(name))]);
  for (const name of profiles) await setNoPreloading(join(folder, name));
}

async function setNoPreloading(profile: string): Promise<void> {
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
