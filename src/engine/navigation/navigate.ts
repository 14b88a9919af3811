// Navigation: opens urls, goes back and forward, reloads, and reports how it ended.
import { STATUS_CODES } from 'node:http';
import type { Protocol } from 'devtools-protocol';
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { checkAllowed } from '../../policy/url-rules.ts';
import { advice, OR_MORE_TIME, optionName, type Phrase, phrase, tabName, theTool, toolName } from '../../text.ts';
import { act, type Effects, titleOf } from '../actions/effects.ts';
import { plainError, refusalOf } from '../egress/window-proxies.ts';
import { bounded, inTime, type Limits, remaining, seconds, waitTime } from '../limits.ts';
import { pageSession } from '../network/child-session.ts';
import { headerList } from '../network/request-row.ts';
import { lowerCaseNames } from '../network/route/rules.ts';
import { BecameDownload, reload as loadAgain, goto as openUrl } from '../page/navigation.ts';
import { ensureResponsive } from '../tab/stuck.ts';
import type { Tab } from '../tab/tab.ts';

export const WAITS = ['load', 'domcontentloaded', 'networkidle'] as const;
export type WaitUntil = (typeof WAITS)[number];

export interface NavigationResult extends Effects {
  url: string;
  title: string;
  tabId: number;
  status?: number;
  /** The status text: OK, Not Found. */
  reason?: string;
  /** Where it ended, when that is not the address that was asked for. */
  redirected?: string;
  /** The url that was asked for, when the tab has not left its page: it is a download, or the page asks whether it may be left. */
  stayed?: string;
  /** The document is there, but what was waited for has not come. */
  unfinished?: WaitUntil;
  /** What it still loads then: the addresses of the first requests, and how many there are. */
  underWay?: { urls: string[]; count: number };
}

/** Left over of the call's time, to report how far the page has come. */
const RESERVE_MS = 300;
const ERROR_PAGE_MS = 1_000;

/** Where to go, and what to wait for there. */
export interface Destination {
  url: string;
  waitUntil: WaitUntil;
  /** For the request of the document alone. */
  headers?: Record<string, string> | undefined;
}

export async function goto(tab: Tab, destination: Destination, limits: Limits): Promise<NavigationResult> {
  const { url, headers } = destination;
  checkAllowed(url, tab.options);
  await ensureResponsive(tab, limits);
  const undo = headers ? await withHeaders(tab, headers, limits) : undefined;
  try {
    return await arrive(tab, destination, limits, async state => {
      await openUrl(tab.tree, url, state);
      return true;
    });
  } finally {
    await undo?.();
  }
}

/** Sends the tab there and waits for nothing: the answer says where it is heading. */
export async function startNavigation(tab: Tab, url: string, limits: Limits): Promise<NavigationResult> {
  checkAllowed(url, tab.options);
  await ensureResponsive(tab, limits);
  tab.context.recentEvents.begin();
  const begun = tab.nextOf('requested', 'within', 'committed', 'stopped');
  // A later call reports how it ends.
  const answer = tab.main.send('Page.navigate', { url }).catch(() => undefined);
  await tab.race(limits, Promise.race([begun, answer]));
  return { url, title: '', tabId: tab.id, navigating: url };
}

/** Opens a url in a tab that was made for it; when that fails, the tab is closed again. */
export async function gotoInNewTab(tab: Tab, destination: Destination, limits: Limits): Promise<NavigationResult> {
  return goto(tab, destination, limits).catch(async error => {
    await tab.context.closeTab(tab, limits).catch(() => undefined); // it is out of the list in any case
    throw error;
  });
}

export async function reload(tab: Tab, waitUntil: WaitUntil, limits: Limits): Promise<NavigationResult> {
  await ensureResponsive(tab, limits);
  const destination = { url: tab.url, waitUntil };
  return arrive(tab, destination, limits, async state => {
    await loadAgain(tab.tree, state);
    return true;
  });
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
      'no_history',
      phrase`There is no ${by < 0 ? 'earlier' : 'later'} page in the history of ${tabName(tab.id)}.`,
      phrase`Use ${toolName('navigate')} with a url.`,
    );
  limits.judge?.check([entry.url]);
  return arrive(tab, { url: entry.url, waitUntil }, limits, async state => {
    const { effects } = await act(tab, limits, async () => {
      await tab.send(limits, tab.main, 'Page.navigateToHistoryEntry', { entryId: entry.id });
    });
    if (effects.navigated) await loadState(tab, state);
    return false;
  });
}

/** Settles when the document has come so far. */
export async function loadState(tab: Tab, state: WaitUntil): Promise<void> {
  if (!tab.isRestored) await tab.tree.reached(state);
}

interface Stages {
  /** How long the tab may take to reach the state, and what of it is waited. */
  most: number;
  ms: number;
  state: WaitUntil;
  /** How long the load event may take after that, if it is waited for by itself. */
  loadTime?: number;
}

/**
 * A page can be used when its DOM is ready: a call that names no time gets half of its time for that, so that a server which
 * never answers is told early, and then waits for the load event only a little.
 */
function stagesOf(waitUntil: WaitUntil, limits: Limits): Stages {
  const { loadTime = Number.POSITIVE_INFINITY } = limits;
  const most = remaining(limits);
  if (loadTime === Number.POSITIVE_INFINITY || waitUntil === 'networkidle')
    return { most, ms: waitTime(limits, RESERVE_MS), state: waitUntil };
  const half = most / 2;
  return { most: half, ms: half, state: 'domcontentloaded', ...(waitUntil === 'load' && { loadTime }) };
}

async function isLoadedWithin(tab: Tab, ms: number, limits: Limits): Promise<boolean> {
  const load = async (bound: Limits) => {
    await tab.race(bound, loadState(tab, 'load'));
    return true;
  };
  return (await inTime(limits, Math.min(ms, waitTime(limits, RESERVE_MS)), load)) ?? false;
}

const FEW = 3;

function stillLoading({ requests }: Tab, unfinished: WaitUntil): Pick<NavigationResult, 'unfinished' | 'underWay'> {
  const urls = requests.underWay();
  return { unfinished, ...(urls.length > 0 && { underWay: { urls: urls.slice(0, FEW), count: urls.length } }) };
}

/**
 * Runs the navigation and reports where it ended; a page that never finishes is reported as such, not as a failure.
 * @param go says whether the answer of a server belongs to the report
 */
async function arrive(
  tab: Tab,
  { url: asked, waitUntil }: Destination,
  limits: Limits,
  go: (state: WaitUntil) => Promise<boolean>,
): Promise<NavigationResult> {
  const before = tab.main.loaders.get(tab.main.root);
  const { most, ms, state, loadTime } = stagesOf(waitUntil, limits);
  const late = new Failure(
    'timeout',
    `${short(asked)} was not there within ${seconds(most)}.`,
    phrase`Try again${OR_MORE_TIME}.`,
  );
  let downloadBegan: (name: string) => void = () => undefined;
  const download = new Promise<string>(resolve => {
    downloadBegan = resolve;
  });
  tab.events.once('download', downloadBegan);
  const answers = answersOf(tab);
  const heldBack = { isSo: false };
  const onDialog = ({ type }: { type: string }) => {
    heldBack.isSo ||= type === 'beforeunload';
  };
  tab.main.session.on('Page.javascriptDialogOpening', onDialog);
  limits.waiting();
  let isFinished = true;
  const run = async () => {
    const tellsAnswer = await bounded(
      limits,
      ms,
      () => late,
      bound => tab.race(bound, go(state)),
    );
    if (loadTime !== undefined) isFinished = await isLoadedWithin(tab, loadTime, limits);
    return tellsAnswer;
  };
  try {
    const { value: tellsAnswer, effects } = await act(tab, limits, run, { wait: false });
    const response = tellsAnswer ? answers.last : undefined;
    const refusal = response?.status === 403 ? refusalOf(tab, response.url) : undefined;
    if (refusal) throw refusal;
    return {
      ...(effects.navigated ? { ...effects.navigated, tabId: tab.id } : await pageOf(tab, limits)),
      ...statusOf(response),
      ...redirection(tab, asked),
      ...only(effects, 'dialog', 'download'),
      ...(effects.dialog?.type === 'beforeunload' && { stayed: asked }),
      ...(isFinished ? {} : stillLoading(tab, waitUntil)),
    };
  } catch (error) {
    const isThere = tab.main.loaders.get(tab.main.root) !== before;
    if (error === late && isThere) {
      const page = await pageOf(tab, limits);
      return { ...page, ...statusOf(answers.last), ...redirection(tab, asked), ...stillLoading(tab, waitUntil) };
    }
    if (error instanceof Failure) throw error;
    if (error instanceof BecameDownload)
      return { ...(await pageOf(tab, limits)), download: await tab.race(limits, download), stayed: asked };
    await errorPage(tab, limits);
    const last = answers.hop ?? asked;
    const isHeld = heldBack.isSo && /ERR_ABORTED/.test(String(error));
    const cause = isHeld ? new Error(HELD_BACK) : plainError(tab.page.context(), last, error);
    throw refusalOf(tab, last) ?? navigationFailure(tab, asked, cause);
  } finally {
    tab.events.off('download', downloadBegan);
    tab.main.session.off('Page.javascriptDialogOpening', onDialog);
    answers.end();
  }
}

const HELD_BACK = 'the page that is shown did not let itself be left (beforeunload)';

/** What servers answer to navigations of the tab: known long before the page is done. */
function answersOf({ main }: Tab): Answers {
  const isOurs = (event: { requestId: string; loaderId: string; frameId?: string }) =>
    event.requestId === event.loaderId && event.frameId === main.root;
  const unsubscribe = [
    main.on('Network.requestWillBeSent', event => {
      if (isOurs(event)) answers.hop = event.request.url;
    }),
    main.on('Network.responseReceived', event => {
      if (isOurs(event)) answers.last = event.response;
    }),
  ];
  const answers: Answers = {
    end() {
      for (const stop of unsubscribe) stop();
    },
  };
  return answers;
}

interface Answers {
  last?: Protocol.Network.Response;
  /** The url that was asked for last, after redirects. */
  hop?: string;
  end(): void;
}

/** HTTP/2 sends no status text. */
function statusOf(response: Protocol.Network.Response | undefined): Pick<NavigationResult, 'status' | 'reason'> {
  if (!response) return {};
  const { status, statusText } = response;
  const reason = statusText || STATUS_CODES[status];
  return { status, ...(reason && { reason }) };
}

function redirection({ url }: Tab, asked: string): Pick<NavigationResult, 'redirected'> {
  const isSame = URL.canParse(asked) && new URL(asked).href === url;
  return isSame || url === asked ? {} : { redirected: url };
}

/** Chrome shows its error page a moment after the failure; until then that would cut off the next navigation. */
async function errorPage(tab: Tab, limits: Limits): Promise<void> {
  if (!tab.pending) return;
  await inTime(limits, ERROR_PAGE_MS, bound => tab.race(bound, tab.nextOf('committed', 'stopped')));
}

const only = (effects: Effects, ...keys: (keyof Effects)[]): Effects =>
  Object.fromEntries(Object.entries(effects).filter(([key]) => keys.includes(key as keyof Effects)));

const pageOf = async (tab: Tab, limits: Limits) => ({ url: tab.url, title: await titleOf(tab, limits), tabId: tab.id });

/** Headers for the navigation itself, not for what the page loads after it. */
async function withHeaders(tab: Tab, headers: Record<string, string>, limits: Limits): Promise<() => Promise<void>> {
  // A session of its own: Fetch has one set of patterns for each, and that of the routes is another.
  const page = await tab.race(limits, pageSession(tab));
  page.on('Fetch.requestPaused', ({ requestId, request, frameId }) => {
    const isOurs = frameId === tab.main.root;
    const all = isOurs
      ? { headers: headerList({ ...lowerCaseNames(request.headers), ...lowerCaseNames(headers) }) }
      : {};
    page.send('Fetch.continueRequest', { requestId, ...all }).catch(() => undefined); // the navigation was cut off
  });
  page.on('Fetch.authRequired', ({ requestId }) => {
    const authChallengeResponse = { response: 'Default' as const };
    page.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined); // the same
  });
  const patterns = [{ urlPattern: '*', resourceType: 'Document' as const }];
  await tab.race(limits, page.send('Fetch.enable', { patterns, handleAuthRequests: true }));
  return () => page.detach().catch(() => undefined); // it ended with its page
}

/** Chrome's network errors in plain English. */
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

/** The only place that parses net::ERR_… codes. */
function navigationFailure(tab: Tab, url: string, error: unknown): Failure {
  const text = error instanceof Error ? error.message : String(error);
  const code = /net::(ERR_[A-Z0-9_]+)/.exec(text)?.[1];
  const why =
    code === undefined
      ? text.replace(/^\w+\.\w+: /, '').split('\n')[0]
      : (REASONS[code] ?? (code.startsWith('ERR_CERT') ? 'its certificate is not valid' : 'Chrome could not load it'));
  return new Failure(
    'navigation_failed',
    `${short(url)} could not be opened: ${why}${code ? ` (net::${code})` : ''}.`,
    hintFor(tab, code, text),
    { cause: error },
  );
}

function hintFor({ emulation }: Tab, code: string | undefined, text: string): string | Phrase {
  if (text === HELD_BACK)
    return phrase`Save or undo what was entered there, or accept the dialog${advice(phrase` with ${theTool('dialog')}`)}.`;
  if (code?.startsWith('ERR_CERT'))
    return phrase`${advice(phrase`For a site that you trust anyway, start Tabwright with ${optionName('--chrome-arg=--ignore-certificate-errors')}. `)}Try http://.`;
  if (code !== 'ERR_INTERNET_DISCONNECTED') return 'Check the url.';
  const { offline, network } = emulation.settings;
  if (!offline && network !== 'offline') return 'The machine has no network: check its connection.';
  const undo = offline ? '{"offline":false}' : '{"network_throttle":"none"}';
  return phrase`The tab pretends to be offline: end that with ${toolName('emulate')} ${undo}.`;
}

const short = (url: string): string => ellipsis(url, 200);

export interface Opened {
  page?: { url: string; title: string };
  /** Why the page did not open. */
  notOpened?: string;
}

/** A page that cannot be opened may be just what is to be looked at: the capture runs on. */
export async function openPage(tab: Tab, url: string | undefined, limits: Limits): Promise<Opened> {
  if (url === undefined) return {};
  try {
    const page = await goto(tab, { url, waitUntil: 'load' }, limits);
    return { page: { url: page.url, title: page.title } };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'navigation_failed') throw error;
    return { notOpened: error.message };
  }
}
