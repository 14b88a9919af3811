// Navigation: opens urls, goes back and forward, reloads, and says how it ended.
import { STATUS_CODES } from 'node:http';
import type { Request, Response } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { checkAllowed } from '../../policy/url-rules.ts';
import { phrase, tabName, toolName } from '../../text.ts';
import { act, type Effects, titleOf } from '../actions/effects.ts';
import { plainError, refusalOf } from '../egress/window-proxies.ts';
import { type Limits, remaining, within } from '../limits.ts';
import { ensureResponsive } from '../tab/stuck.ts';
import type { Tab } from '../tab/tab.ts';

export const WAITS = ['load', 'domcontentloaded', 'networkidle'] as const;
export type WaitUntil = (typeof WAITS)[number];

export interface NavigationResult extends Effects {
  url: string;
  title: string;
  tabId: number;
  status?: number;
  /** The status in words: OK, Not Found. */
  reason?: string;
  /** Where it ended, when that is not the address that was asked for. */
  redirected?: string;
  /** The document is there, but what was waited for has not come. */
  unfinished?: WaitUntil;
}

/** Left over of the call's time, to tell how far the page has come. */
const RESERVE_MS = 300;
const ERROR_PAGE_MS = 1_000;

export async function goto(
  tab: Tab,
  url: string,
  waitUntil: WaitUntil,
  headers: Record<string, string> | undefined,
  limits: Limits,
): Promise<NavigationResult> {
  checkAllowed(url, tab.options);
  await ensureResponsive(tab, limits);
  const undo = headers ? await withHeaders(tab, headers, limits) : undefined;
  try {
    return await arrive(tab, limits, waitUntil, () => tab.page.goto(url, { waitUntil, timeout: 0 }), url);
  } finally {
    await undo?.();
  }
}

/** Sends the tab there and waits for nothing: the answer tells where it is on its way to. */
export async function startNavigation(tab: Tab, url: string, limits: Limits): Promise<NavigationResult> {
  checkAllowed(url, tab.options);
  await ensureResponsive(tab, limits);
  tab.context.recentEvents.begin();
  const begun = new Promise<void>(resolve => {
    for (const event of ['requested', 'within', 'committed', 'stopped'] as const)
      tab.events.once(event, () => resolve());
  });
  // How it ends, a later call tells.
  const answer = tab.main.send('Page.navigate', { url }).catch(() => undefined);
  await tab.race(limits, Promise.race([begun, answer]));
  return { url, title: '', tabId: tab.id, navigating: url };
}

/** Opens a url in a tab that was made for it; when that fails, the tab is closed again. */
export async function gotoInNewTab(
  tab: Tab,
  url: string,
  waitUntil: WaitUntil,
  headers: Record<string, string> | undefined,
  limits: Limits,
): Promise<NavigationResult> {
  try {
    return await goto(tab, url, waitUntil, headers, limits);
  } catch (error) {
    await tab.context.closeTab(tab, limits).catch(() => undefined); // it is out of the list in any case
    throw error;
  }
}

export async function reload(tab: Tab, waitUntil: WaitUntil, limits: Limits): Promise<NavigationResult> {
  await ensureResponsive(tab, limits);
  return arrive(tab, limits, waitUntil, () => tab.page.reload({ waitUntil, timeout: 0 }), tab.url);
}

/** Goes one step back (-1) or forward (1) in the tab's history. */
export async function historyStep(
  tab: Tab,
  by: -1 | 1,
  waitUntil: WaitUntil,
  limits: Limits,
): Promise<NavigationResult> {
  await ensureResponsive(tab, limits);
  const { currentIndex, entries } = await tab.send(limits, tab.main, 'Page.getNavigationHistory');
  const entry = entries[currentIndex + by];
  if (!entry || (by === -1 && currentIndex === 1 && entry.url === 'about:blank'))
    throw new Failure(
      'navigation_failed',
      phrase`There is no ${by < 0 ? 'earlier' : 'later'} page in the history of ${tabName(tab.id)}.`,
      phrase`Use ${toolName('navigate')} with a url.`,
    );
  return arrive(
    tab,
    limits,
    waitUntil,
    async () => {
      const { effects } = await act(tab, limits, async () => {
        await tab.send(limits, tab.main, 'Page.navigateToHistoryEntry', { entryId: entry.id });
      });
      if (effects.navigated) await tab.page.waitForLoadState(waitUntil, { timeout: 0 });
      return null;
    },
    entry.url,
  );
}

/** Runs the navigation and tells where it ended; a page that never finishes is told as such, not as a failure. */
async function arrive(
  tab: Tab,
  limits: Limits,
  waitUntil: WaitUntil,
  go: () => Promise<Response | null>,
  asked: string,
): Promise<NavigationResult> {
  const before = tab.main.loaders.get(tab.main.root);
  const late = new Failure('timeout', `${short(asked)} was not there in time.`, 'Try again, or give a larger timeout.');
  const bound = within(limits, Math.max(1, remaining(limits) - RESERVE_MS), () => late);
  let heard: (name: string) => void = () => undefined;
  const download = new Promise<string>(resolve => {
    heard = resolve;
  });
  tab.events.once('download', heard);
  const answers = answersOf(tab);
  limits.waiting();
  try {
    const { value: response, effects } = await act(tab, bound, () => tab.race(bound, go()), { wait: false });
    const refusal = response?.status() === 403 ? refusalOf(tab, response.url()) : undefined;
    if (refusal) throw refusal;
    return {
      ...(effects.navigated ? { ...effects.navigated, tabId: tab.id } : await told(tab, limits)),
      ...statusOf(response),
      ...redirection(tab, asked),
      ...only(effects, 'dialog', 'download'),
    };
  } catch (error) {
    const isThere = tab.main.loaders.get(tab.main.root) !== before;
    if (error === late && isThere)
      return {
        ...(await told(tab, limits)),
        ...statusOf(answers.last),
        ...redirection(tab, asked),
        unfinished: waitUntil,
      };
    if (error instanceof Failure) throw error;
    if (/Download is starting/.test(String(error)))
      return { ...(await told(tab, limits)), download: await tab.race(limits, download) };
    await errorPage(tab, limits);
    const last = answers.hop ?? asked;
    throw refusalOf(tab, last) ?? navigationFailure(asked, plainError(tab.page.context(), last, error));
  } finally {
    tab.events.off('download', heard);
    answers.end();
    bound.done();
  }
}

/** What servers answer to navigations of the tab: known long before the page is done. */
function answersOf({ page }: Tab): Answers {
  const isOurs = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame();
  const ask = (request: Request) => {
    if (isOurs(request)) answers.hop = request.url();
  };
  const listen = (response: Response) => {
    if (isOurs(response.request())) answers.last = response;
  };
  const answers: Answers = { end: () => void page.off('response', listen).off('request', ask) };
  page.on('response', listen).on('request', ask);
  return answers;
}

interface Answers {
  last?: Response;
  /** The url that was asked for last, after redirects. */
  hop?: string;
  end(): void;
}

/** HTTP/2 has no words for a status. */
function statusOf(response: Response | null | undefined): Pick<NavigationResult, 'status' | 'reason'> {
  if (!response) return {};
  const status = response.status();
  const reason = response.statusText() || STATUS_CODES[status];
  return { status, ...(reason && { reason }) };
}

function redirection({ url }: Tab, asked: string): Pick<NavigationResult, 'redirected'> {
  const isSame = URL.canParse(asked) && new URL(asked).href === url;
  return isSame || url === asked ? {} : { redirected: url };
}

/** Chrome shows its error page a moment after the failure; until then that would cut off the next navigation. */
async function errorPage(tab: Tab, limits: Limits): Promise<void> {
  if (!tab.pending) return;
  const over = new Failure('timeout', 'over');
  const bound = within(limits, ERROR_PAGE_MS, () => over);
  const shown = new Promise<void>(resolve => {
    tab.events.once('committed', () => resolve());
    tab.events.once('stopped', () => resolve());
  });
  await tab
    .race(bound, shown)
    .catch(error => {
      if (error !== over) throw error;
    })
    .finally(() => bound.done());
}

const only = (effects: Effects, ...keys: (keyof Effects)[]): Effects =>
  Object.fromEntries(Object.entries(effects).filter(([key]) => keys.includes(key as keyof Effects)));

const told = async (tab: Tab, limits: Limits) => ({ url: tab.url, title: await titleOf(tab, limits), tabId: tab.id });

/** Headers for the navigation itself, not for what the page loads after it. */
async function withHeaders(tab: Tab, headers: Record<string, string>, limits: Limits): Promise<() => Promise<void>> {
  const { page } = tab;
  const isAll = () => true;
  await tab.race(
    limits,
    page.route(isAll, route => {
      const request = route.request();
      const isOurs = request.isNavigationRequest() && request.frame() === page.mainFrame();
      return isOurs ? route.fallback({ headers: { ...request.headers(), ...headers } }) : route.fallback();
    }),
  );
  return () => page.unroute(isAll).catch(() => undefined);
}

/** The reasons that Chrome gives, in words. */
const REASONS: Record<string, string> = {
  ERR_CONNECTION_REFUSED: 'nothing answers there (connection refused)',
  ERR_NAME_NOT_RESOLVED: 'the host name is not known',
  ERR_CONNECTION_TIMED_OUT: 'the server does not answer',
  ERR_CONNECTION_RESET: 'the server closed the connection',
  ERR_CONNECTION_CLOSED: 'the server closed the connection',
  ERR_EMPTY_RESPONSE: 'the server sent nothing',
  ERR_INTERNET_DISCONNECTED: 'there is no network',
  ERR_ADDRESS_UNREACHABLE: 'the address cannot be reached',
  ERR_TOO_MANY_REDIRECTS: 'it redirects in a circle',
  ERR_UNSAFE_PORT: 'Chrome refuses this port',
  ERR_INVALID_AUTH_CREDENTIALS: 'user name or password is wrong',
  ERR_PROXY_CONNECTION_FAILED: 'the proxy does not answer',
  ERR_TUNNEL_CONNECTION_FAILED: 'the proxy refuses the connection',
  ERR_BLOCKED_BY_CLIENT: 'the browser blocked it',
  ERR_BLOCKED_BY_RESPONSE: 'the server does not let it be shown here',
  ERR_SSL_PROTOCOL_ERROR: 'the server does not speak TLS properly: try http://',
  ERR_HTTP_RESPONSE_CODE_FAILURE: 'the server answered with an error and no page',
  ERR_ABORTED: 'the navigation was cut off by the page, by another navigation, or by an answer without a page',
};

/** The one place where net::ERR_… is read. */
function navigationFailure(url: string, error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error);
  const code = /net::(ERR_[A-Z0-9_]+)/.exec(text)?.[1];
  const why =
    code === undefined
      ? text.replace(/^\w+\.\w+: /, '').split('\n')[0]
      : (REASONS[code] ?? (code.startsWith('ERR_CERT') ? 'its certificate is not valid' : 'Chrome could not load it'));
  return new Failure(
    'navigation_failed',
    `${short(url)} could not be opened: ${why}${code ? ` (net::${code})` : ''}.`,
    'Check the url.',
    { cause: error },
  );
}

const short = (url: string): string => (url.length > 200 ? `${url.slice(0, 199)}…` : url);

export interface Opened {
  page?: { url: string; title: string };
  /** Why the page did not open. */
  notOpened?: string;
}

/** A page that cannot be opened may be just what is to be looked at: the capture runs on. */
export async function openPage(tab: Tab, url: string | undefined, limits: Limits): Promise<Opened> {
  if (url === undefined) return {};
  try {
    const page = await goto(tab, url, 'load', undefined, limits);
    return { page: { url: page.url, title: page.title } };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'navigation_failed') throw error;
    return { notOpened: error.message };
  }
}
