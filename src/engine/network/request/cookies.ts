// The cookies of the browser for an exchange that this process makes: those it sends, and those its answer sets.
import type { Protocol } from 'devtools-protocol';
import { CdpError, isTargetGone } from '../../../cdp/errors.ts';
import { isSentTo } from '../../storage/cookies.ts';
import type { Tab } from '../../tab/tab.ts';

type NewCookie = Protocol.Network.CookieParam;

export async function cookieHeader({ main }: Tab, url: URL): Promise<string> {
  // In the order in which Chrome sends them, which those of Network.getCookies do not have.
  const { cookies } = await main.send('Network.getAllCookies');
  const sent = cookies.filter(cookie => isSent(cookie, url));
  return sent.map(({ name, value }) => (name === '' ? value : `${name}=${value}`)).join('; ');
}

const isSent = (cookie: Protocol.Network.Cookie, url: URL): boolean =>
  isSentTo(url.hostname, cookie) &&
  `${url.pathname}/`.startsWith(cookie.path.replace(/\/?$/, '/')) &&
  (!cookie.secure || isTrusted(url));

/** Stores the cookies of a response in the browser; gives the names of those that the browser took. */
export async function storeCookies(tab: Tab, lines: readonly string[], url: URL): Promise<string[]> {
  const names: string[] = [];
  for (const line of lines) {
    const cookie = readSetCookie(line, url);
    if (cookie && (await taken(tab, cookie))) names.push(cookie.name);
  }
  return [...new Set(names)];
}

/** Chrome refuses cookies that break its own rules, such as __Host- with a domain. A browser ignores those too. */
const taken = ({ main }: Tab, cookie: NewCookie): Promise<boolean> =>
  main.send('Network.setCookie', cookie).then(
    ({ success }) => success,
    error => {
      if (error instanceof CdpError && !isTargetGone(error)) return false;
      throw error;
    },
  );

/** A Set-Cookie line as RFC 6265 reads it; undefined when that server may not set such a cookie. */
export function readSetCookie(line: string, url: URL, now = Date.now()): NewCookie | undefined {
  const [pair = '', ...parts] = line.split(';');
  const [name, value] = halves(pair, '');
  if (name === '' && value === '') return undefined;
  const attributes = new Map(parts.map(part => halves(part, part)).map(([key, text]) => [key.toLowerCase(), text]));
  const domain = domainOf(attributes.get('domain'), url.hostname);
  const secure = attributes.has('secure');
  if (domain === undefined || (secure && !isTrusted(url))) return undefined;
  const path = attributes.get('path') ?? '';
  return {
    name,
    value,
    domain,
    path: path.startsWith('/') ? path : folderOf(url.pathname),
    expires: expiry(attributes.get('max-age'), attributes.get('expires'), now),
    httpOnly: attributes.has('httponly'),
    secure,
    sameSite: SAME_SITE[attributes.get('samesite')?.toLowerCase() ?? ''] ?? 'Lax',
  };
}

const SAME_SITE: Readonly<Record<string, Protocol.Network.CookieSameSite>> = {
  strict: 'Strict',
  lax: 'Lax',
  none: 'None',
};

/** The text before and after the first "="; without one, all of it is the value and the other is its name. */
function halves(text: string, otherwise: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [otherwise.trim(), text.trim()] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** With a dot in front for a cookie of all hosts below; undefined when the server does not belong to that domain. */
function domainOf(domain: string | undefined, host: string): string | undefined {
  const wanted = domain?.replace(/^\./, '').toLowerCase() ?? '';
  if (wanted === '' || (wanted === host && !wanted.includes('.'))) return host;
  const isAddress = /^\[|^[\d.]+$/.test(host);
  if (isAddress) return wanted === host ? host : undefined;
  // A whole top-level domain is nobody's.
  return wanted.includes('.') && `.${host}`.endsWith(`.${wanted}`) ? `.${wanted}` : undefined;
}

const isTrusted = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

const folderOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

/** Seconds since 1970; -1 for the end of the browser; a time long ago deletes the cookie. */
function expiry(maxAge: string | undefined, expires: string | undefined, now: number): number {
  const age = maxAge === undefined ? Number.NaN : Number.parseInt(maxAge, 10);
  if (!Number.isNaN(age)) return age <= 0 ? 1 : Math.round(now / 1000) + age;
  const at = Date.parse(expires ?? '');
  return Number.isNaN(at) ? -1 : Math.max(1, Math.round(at / 1000));
}
