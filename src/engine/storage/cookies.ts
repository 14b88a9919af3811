// The cookies of the browser state that a tab lives in: found by url, domain and name, set and deleted.
import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../cdp/errors.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { REDACTED, shownValue } from '../../policy/mask.ts';
import { calledTool, phrase } from '../../text.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';

export const ACTIONS = ['get', 'get_all', 'set', 'delete', 'clear'] as const;
export const SAME_SITES = ['Strict', 'Lax', 'None'] as const;

export type Cookie = Protocol.Network.Cookie;

export interface CookiesInput {
  action: (typeof ACTIONS)[number];
  url?: string | undefined;
  name?: string | undefined;
  value?: string | undefined;
  domain?: string | undefined;
  path?: string | undefined;
  secure?: boolean | undefined;
  http_only?: boolean | undefined;
  same_site?: (typeof SAME_SITES)[number] | undefined;
  expires?: number | undefined;
  domain_filter?: string | undefined;
}

/** A cookie as a caller sees it. */
export interface CookieRow {
  name: string;
  value: string;
  /** With a dot in front, also for the hosts below it. */
  domain: string;
  path: string;
  secure: boolean;
  http_only: boolean;
  same_site?: string;
  /** Seconds since 1970; none for a cookie that ends with the browser. */
  expires?: number;
  /** The top-level site of a partitioned cookie. */
  partition?: string;
}

export interface CookieList {
  cookies: CookieRow[];
  /** How many there are in all; a list shows the first of them. */
  count: number;
  /** Values that are not shown. */
  hidden: number;
}

const MOST_SHOWN = 300;

/** Names that sites give to the cookie of a login, although they let scripts read it. */
const LOGIN_NAME = /(?:^|[._-])(?:sid|sess|session|auth|jwt)$/i;

export async function cookies(tab: Tab, input: CookiesInput, limits: Limits): Promise<CookieList> {
  switch (input.action) {
    case 'get':
      return shown(await found(tab, { ...input, url: urlFor(tab, input) }, limits));
    case 'get_all':
      return shown(await found(tab, input, limits));
    case 'set':
      return shown([await set(tab, input, limits)]);
    case 'delete':
      return shown(await remove(tab, { ...input, url: urlFor(tab, input) }, limits));
    case 'clear':
      return shown(await remove(tab, input, limits));
  }
}

export async function allCookies(tab: Tab, limits: Limits): Promise<Cookie[]> {
  return (await tab.send(limits, tab.main, 'Network.getAllCookies')).cookies;
}

/** The host of a domain, which a dot in front does not change. */
export const hostOfDomain = (domain: string): string => domain.replace(/^\*?\.+/, '').toLowerCase();

/** Rules decide by the hosts whose cookies they are, whatever url or tab the caller names. */
export function judged(cookies: Cookie[], { judge }: Limits): Cookie[] {
  judge?.check([], [...new Set(cookies.map(({ domain }) => hostOfDomain(domain)))]);
  return cookies;
}

/** Whether the cookie is sent to that host: a cookie of the host, or of a domain above it. */
export const isSentTo = (host: string, { domain }: Pick<Cookie, 'domain'>): boolean =>
  domain.startsWith('.') ? isWithin(host, domain) : host === domain;

/** Whether the host is that domain, or below it. */
function isWithin(host: string, domain: string): boolean {
  const name = hostOfDomain(domain);
  return host === name || host.endsWith(`.${name}`);
}

/** Where a single cookie is looked for: the given url or domain, else the page of the tab. */
function urlFor(tab: Tab, { url, domain, domain_filter }: CookiesInput): string | undefined {
  if (url !== undefined || domain !== undefined || domain_filter !== undefined) return url;
  return /^https?:/.test(tab.url) ? tab.url : undefined;
}

type Wanted = Pick<CookiesInput, 'url' | 'name' | 'domain' | 'domain_filter' | 'path'>;

/** The cookies of the wanted name and domain that would be sent to the url; of all urls without one. */
async function found(tab: Tab, wanted: Wanted, limits: Limits): Promise<Cookie[]> {
  const { url } = wanted;
  if (url !== undefined) siteOf(url);
  const list =
    url === undefined
      ? await allCookies(tab, limits)
      : (await tab.send(limits, tab.main, 'Network.getCookies', { urls: [url] })).cookies;
  return judged(
    list.filter(cookie => fits(cookie, wanted)),
    limits,
  );
}

const fits = (cookie: Cookie, { name, domain, domain_filter, path }: Wanted): boolean =>
  (name === undefined || cookie.name === name) &&
  [domain, domain_filter].every(one => one === undefined || isWithin(cookie.domain.replace(/^\./, ''), one)) &&
  (path === undefined || cookie.path === path);

/** Deletes every cookie of the url's host (whatever its path) that fits, and returns them. */
async function remove(tab: Tab, wanted: Wanted, limits: Limits): Promise<Cookie[]> {
  const host = wanted.url === undefined ? undefined : siteOf(wanted.url).hostname;
  const all = await allCookies(tab, limits);
  const isMeant = (cookie: Cookie) => fits(cookie, wanted) && (host === undefined || isSentTo(host, cookie));
  const deleted = judged(all.filter(isMeant), limits);
  await Promise.all(
    deleted.map(({ name, domain, path, partitionKey }) =>
      tab.send(limits, tab.main, 'Network.deleteCookies', defined({ name, domain, path, partitionKey })),
    ),
  );
  return deleted;
}

async function set(tab: Tab, input: CookiesInput, limits: Limits): Promise<Cookie> {
  const { name = '', value = '', path = '/', expires, secure, http_only: httpOnly, same_site: sameSite } = input;
  if (expires !== undefined && expires * 1_000 <= Date.now())
    throw new Failure(
      'bad_input',
      `expires ${expires} lies in the past: the cookie would be gone at once.`,
      'Give seconds since 1970 that are still to come, leave it out for a cookie of this session, or use delete.',
    );
  const { domain, url } = domainFor(tab, input);
  const params = defined({ name, value, path, domain, url, secure, httpOnly, sameSite, expires });
  await putCookie(tab, name, limits, params);
  const stored = (await allCookies(tab, limits)).find(
    cookie => cookie.name === name && cookie.domain === domain && cookie.path === path && !cookie.partitionKey,
  );
  if (stored?.value !== value) throw notTaken(name);
  return stored;
}

/** A given domain counts for the hosts below it too, as in a Set-Cookie header; without one the cookie is the host's own. */
function domainFor(
  tab: Tab,
  { url = urlFor(tab, { action: 'set' }), domain }: CookiesInput,
): { domain: string; url?: string } {
  if (domain === undefined) {
    if (url === undefined)
      throw new Failure(
        'bad_input',
        phrase`${calledTool('cookies')} set needs a url or a domain: no page is open.`,
        'Give url or domain.',
      );
    return { domain: siteOf(url).hostname, url };
  }
  const name = domain.replace(/^\./, '').toLowerCase();
  if (!URL.canParse(`http://${name}`) || new URL(`http://${name}`).hostname !== name)
    throw new Failure('bad_input', `${JSON.stringify(domain.slice(0, 100))} is no domain.`, 'Such as example.com.');
  const isHost = !name.includes('.') || /^[\d.]+$|^\[/.test(name);
  return { domain: isHost ? name : `.${name}`, ...atDomain(tab, url, name) };
}

/** The url must be of that domain; the page of the tab is ignored when it is of another. */
function atDomain(tab: Tab, url: string | undefined, domain: string): { url?: string } {
  if (url === undefined) return {};
  if (isWithin(siteOf(url).hostname, domain)) return { url };
  if (url === tab.url) return {};
  throw new Failure(
    'bad_input',
    `${siteOf(url).hostname} cannot have a cookie for the domain ${domain}.`,
    'Give a url of that domain, or only the domain.',
  );
}

/** Sets one cookie. Chrome does not give the reason when it refuses one. */
export async function putCookie(
  tab: Tab,
  name: string,
  limits: Limits,
  cookie: Protocol.Network.SetCookieRequest,
): Promise<void> {
  try {
    const { success } = await tab.send(limits, tab.main, 'Network.setCookie', cookie);
    if (!success) throw notTaken(name);
  } catch (error) {
    throw error instanceof CdpError ? notTaken(name, error) : error;
  }
}

const notTaken = (name: string, cause?: CdpError): Failure =>
  new Failure(
    'not_taken',
    `Chrome does not take the cookie ${JSON.stringify(name.slice(0, 100))}.`,
    'A cookie has no control characters or ";", at most 4096 bytes, same_site None only with secure, __Host- and __Secure- only with secure.',
    { cause },
  );

function siteOf(url: string): URL {
  const site = new URL(url);
  if (/^https?:$/.test(site.protocol)) return site;
  throw new Failure('bad_input', `${url.slice(0, 100)} has no cookies.`, 'Give an http or https url.');
}

function shown(list: Cookie[]): CookieList {
  const rows = list.slice(0, MOST_SHOWN).map(rowOf);
  const hidden = rows.filter((row, at) => row.value !== list[at]?.value).length;
  return { cookies: rows, count: list.length, hidden };
}

/** A cookie that scripts may not read is marked secret by its site. */
function rowOf(cookie: Cookie): CookieRow {
  const { name, value, domain, path, secure, httpOnly, sameSite, expires, session, partitionKey } = cookie;
  return defined({
    name,
    value: shownCookie(name, value, httpOnly),
    domain,
    path,
    secure,
    http_only: httpOnly,
    same_site: sameSite,
    expires: session ? undefined : Math.round(expires),
    partition: partitionKey?.topLevelSite,
  });
}

/** The value of a cookie as callers see it: what keeps somebody logged in is masked. */
const shownCookie = (name: string, value: string, httpOnly: boolean): string =>
  value !== '' && (httpOnly || LOGIN_NAME.test(name)) ? REDACTED : shownValue(name, value);

/** Text of a page in which the values of its cookies are masked, as the cookies tool masks them. */
export async function maskCookies(text: string, tab: Tab, limits: Limits): Promise<string> {
  const { cookies } = await tab.send(limits, tab.main, 'Network.getCookies');
  return cookies
    .filter(({ name, value, httpOnly }) => value.length > 3 && shownCookie(name, value, httpOnly) === REDACTED)
    .reduce((masked, { value }) => masked.replaceAll(value, REDACTED), text);
}
