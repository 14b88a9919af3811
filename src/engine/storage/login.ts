// A login, saved and loaded: the cookies and the stored items of some origins. Values never leave the file.
import { Failure } from '../../errors.ts';
import { capital, phrase, tabName } from '../../text.ts';
import { bounded, foldersIn, type Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { allCookies, type Cookie, isSentTo, judged, putCookie } from './cookies.ts';
import { type HiddenPage, READ_LOCAL, setItemsScript, visitOrigins } from './hidden-page.ts';
import { checkName, type OriginState, readState, writeState } from './saved-logins.ts';
import { itemsOf, type StorageItems } from './web-storage.ts';

export interface AuthInput {
  name: string;
  origins?: string[] | undefined;
  include_local_storage: boolean;
  include_session_storage: boolean;
}

/** What was saved or loaded, in numbers. */
export interface LoginResult {
  name: string;
  origins: string[];
  cookies: number;
  local: number;
  session: number;
  /** An older login of that name was replaced. */
  replaced?: boolean;
  /** Items of session storage that are in the file and were not asked for. */
  leftOut?: number;
  /** Cookies that had ended, or that Chrome did not take. */
  expired?: number;
  refused?: string[];
  /** The tab shows one of the origins: its page has not seen the login yet. */
  reload?: boolean;
}

export async function saveLogin(tab: Tab, input: AuthInput, limits: Limits): Promise<LoginResult> {
  checkName(input.name);
  const origins = [...new Set(input.origins?.map(originOf) ?? [ownOrigin(tab)])];
  const hosts = origins.map(origin => new URL(origin).hostname);
  const cookies = (await allCookies(tab, limits)).filter(cookie => hosts.some(host => isSentTo(host, cookie)));
  const local = input.include_local_storage ? await readLocal(tab, origins, limits) : [];
  const here = originIn(tab);
  const session =
    input.include_session_storage && origins.includes(here)
      ? await inTab(tab, limits, bound => itemsOf(tab, 'session', bound))
      : [];
  const states = origins.map(
    (origin, at): OriginState => ({ origin, local: local[at] ?? [], session: origin === here ? session : [] }),
  );
  const login = { name: input.name, origins, cookies: cookies.length, ...countsOf(states) };
  if (login.cookies + login.local + login.session === 0) throw nothing(origins);
  const state = { version: 1, saved: new Date().toISOString(), cookies, origins: states } as const;
  return { ...login, replaced: await writeState(foldersIn(limits).logins, input.name, state) };
}

export async function loadLogin(tab: Tab, input: AuthInput, limits: Limits): Promise<LoginResult> {
  const state = await readState(foldersIn(limits).logins, input.name);
  const wanted = input.origins?.map(originOf);
  const states = state.origins.filter(({ origin }) => wanted?.includes(origin) ?? true);
  if (states.length === 0)
    throw new Failure(
      'not_found',
      `The saved login ${JSON.stringify(input.name)} does not hold ${wanted?.join(', ')}.`,
      `It holds ${state.origins.map(({ origin }) => origin).join(', ')}.`,
    );
  const hosts = states.map(({ origin }) => new URL(originOf(origin)).hostname);
  limits.judge?.check(states.map(({ origin }) => origin));
  const cookies = state.cookies.filter(cookie => hosts.some(host => isSentTo(host, cookie)));
  const set = await setCookies(tab, judged(cookies, limits), limits);
  const loaded = states.map(row => ({
    ...row,
    local: input.include_local_storage ? row.local : [],
    session: input.include_session_storage ? row.session : [],
  }));
  await writeLocal(tab, loaded, limits);
  for (const { origin, session } of loaded) if (session.length > 0) await writeSession(tab, origin, session, limits);
  const leftOut = countsOf(states).session - countsOf(loaded).session;
  return {
    name: input.name,
    origins: states.map(({ origin }) => origin),
    ...set,
    ...countsOf(loaded),
    ...(leftOut > 0 ? { leftOut } : {}),
    reload: states.some(({ origin }) => origin === originIn(tab)),
  };
}

const countsOf = (states: OriginState[]): { local: number; session: number } => ({
  local: states.reduce((sum, { local }) => sum + local.length, 0),
  session: states.reduce((sum, { session }) => sum + session.length, 0),
});

function ownOrigin(tab: Tab): string {
  if (/^https?:/.test(tab.url)) return originIn(tab);
  throw new Failure(
    'bad_input',
    phrase`${capital(tabName(tab.id))} shows ${tab.url.slice(0, 100)}, which is no site to be logged in to.`,
    'Open the site, or give its origins.',
  );
}

/** Any url of a site names its origin. */
function originOf(url: string): string {
  const { protocol, origin } = new URL(url);
  if (/^https?:$/.test(protocol)) return origin;
  throw new Failure(
    'bad_input',
    `${url.slice(0, 100)} is no origin of a site.`,
    'Give origins such as https://example.com.',
  );
}

const originIn = ({ url }: { url: string }): string => (URL.canParse(url) ? new URL(url).origin : '');

const nothing = (origins: string[]): Failure =>
  new Failure(
    'not_found',
    `Nothing was saved: ${origins.join(', ')} has no cookies and no stored items in this session.`,
    'Log in first; a login may also belong to another origin (give origins).',
  );

/** Visits origins in the browser state of the tab, and throws when one cannot be reached. */
async function visitAll<T, R extends { origin: string }>(
  tab: Tab,
  rows: R[],
  limits: Limits,
  use: (page: HiddenPage, row: R) => Promise<T>,
): Promise<T[]> {
  const results = await visitOrigins(tab.page.context(), rows, limits, use);
  return results.map(result => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

const readLocal = (tab: Tab, origins: string[], limits: Limits): Promise<StorageItems[]> =>
  visitAll(
    tab,
    origins.map(origin => ({ origin })),
    limits,
    page => page.evaluate<StorageItems>(READ_LOCAL),
  );

async function writeLocal(tab: Tab, states: OriginState[], limits: Limits): Promise<void> {
  const rows = states.filter(({ local }) => local.length > 0);
  if (rows.length > 0)
    await visitAll(tab, rows, limits, (page, { local }) => page.evaluate(setItemsScript('localStorage', local)));
}

/** Only session storage needs the page itself: one that does not answer must not hold up the call. */
async function inTab<T>(tab: Tab, limits: Limits, run: (bound: Limits) => Promise<T>): Promise<T> {
  tab.checkDialog();
  const late = new Failure(
    'page_unresponsive',
    phrase`The page in ${tabName(tab.id)} does not answer; its session storage cannot be reached.`,
    'Reload it, or leave out include_session_storage.',
  );
  return bounded(
    limits,
    tab.options.timeoutAction,
    () => late,
    async bound => {
      await tab.readable(bound);
      return run(bound);
    },
  );
}

/** By tab and origin: cancels the session storage that waits for the tab to reach the origin; a later load repending it. */
const waiting = new WeakMap<Tab, Map<string, () => void>>();

/** Session storage belongs to one tab: it is set when the tab comes to the origin, before the page's own scripts run. */
export async function writeSession(tab: Tab, origin: string, items: StorageItems, limits: Limits): Promise<void> {
  const source = `if (location.origin === ${JSON.stringify(origin)} && window === top) { ${setItemsScript('sessionStorage', items)} }`;
  const { page, main } = tab;
  if (originIn(tab) === origin) {
    await inTab(tab, limits, bound => tab.send(bound, main, 'Runtime.evaluate', { expression: source }));
    return;
  }
  const pending = waiting.get(tab) ?? new Map<string, () => void>();
  waiting.set(tab, pending);
  pending.get(origin)?.();
  const { identifier } = await tab.send(limits, main, 'Page.addScriptToEvaluateOnNewDocument', { source });
  const end = () => {
    tab.events.off('committed', arrived);
    pending.delete(origin);
    // Only once: what the page changes later stays changed. A page that has gone took the script along.
    main.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).catch(() => undefined);
  };
  const arrived = (url: string) => {
    if (tab.page !== page || originIn({ url }) === origin) end();
  };
  pending.set(origin, end);
  tab.events.on('committed', arrived);
}

export type SetCookiesResult = Pick<LoginResult, 'cookies' | 'expired' | 'refused'>;

export async function setCookies(tab: Tab, cookies: Cookie[], limits: Limits): Promise<SetCookiesResult> {
  const now = Date.now() / 1_000;
  const living = cookies.filter(({ session, expires }) => session || expires > now);
  const results = await Promise.allSettled(living.map(cookie => putCookie(tab, cookie.name, limits, paramsOf(cookie))));
  for (const result of results) if (result.status === 'rejected' && !isNotTaken(result.reason)) throw result.reason;
  const refused = living.filter((_, at) => results[at]?.status === 'rejected').map(({ name }) => name);
  const expired = cookies.length - living.length;
  return {
    cookies: living.length - refused.length,
    ...(expired > 0 ? { expired } : {}),
    ...(refused.length > 0 ? { refused } : {}),
  };
}

const isNotTaken = (error: unknown): boolean => error instanceof Failure && error.code === 'not_taken';

/** A cookie as Chrome returns it, in the form in which Chrome takes it. */
function paramsOf({ size: _size, session, expires, ...cookie }: Cookie) {
  return { ...cookie, ...(session ? {} : { expires }) };
}
