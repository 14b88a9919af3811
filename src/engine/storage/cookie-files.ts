// Cookies as a file that other programs read: JSON, or the cookies.txt of Netscape that curl and wget know.
import { Failure } from '../../errors.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { allCookies, type Cookie, judged } from './cookies.ts';
import { setCookies } from './login.ts';

export const COOKIE_FORMATS = ['json', 'netscape'] as const;
export type CookieFormat = (typeof COOKIE_FORMATS)[number];

export interface CookieTransfer {
  count: number;
  /** The text of the file, secrets included: that is what it is for. */
  exported?: string;
  /** Names of those that Chrome did not take, and how many had expired. */
  refused?: string[];
  expired?: number;
}

/** Cookies that live inside another site only have no place in such a file. */
export async function exportCookies(tab: Tab, format: CookieFormat, limits: Limits): Promise<CookieTransfer> {
  const all = (await allCookies(tab, limits)).filter(({ partitionKey }) => partitionKey === undefined);
  return { count: all.length, exported: WRITE[format](judged(all, limits)) };
}

export async function importCookies(
  tab: Tab,
  format: CookieFormat,
  text: string,
  limits: Limits,
): Promise<CookieTransfer> {
  const { cookies, ...more } = await setCookies(tab, judged(READ[format](text), limits), limits);
  return { count: cookies, ...more };
}

/** The first line by which programs know the format. */
const HEAD = '# Netscape HTTP Cookie File';
/** How curl marks a cookie that scripts may not read. */
const HTTP_ONLY = '#HttpOnly_';

const WRITE: Record<CookieFormat, (cookies: Cookie[]) => string> = {
  json: cookies => JSON.stringify(cookies.map(jsonOf)),
  netscape: cookies => [HEAD, ...cookies.map(lineOf), ''].join('\n'),
};

/** JSON leaves out what is undefined. */
const jsonOf = ({ name, value, domain, path, secure, httpOnly, sameSite, expires, session }: Cookie) => ({
  ...{ name, value, domain, path, secure, http_only: httpOnly, same_site: sameSite },
  expires: session ? undefined : expires,
});

function lineOf({ name, value, domain, path, secure, httpOnly, expires, session }: Cookie): string {
  const flag = (on: boolean) => (on ? 'TRUE' : 'FALSE');
  const end = session ? 0 : Math.round(expires);
  return [
    `${httpOnly ? HTTP_ONLY : ''}${domain}`,
    flag(domain.startsWith('.')),
    path,
    flag(secure),
    end,
    name,
    value,
  ].join('\t');
}

const READ: Record<CookieFormat, (text: string) => Cookie[]> = {
  json: text => parsed(text).map((row, at) => cookieOf(Object(row), `Cookie ${at + 1}`)),
  netscape: text =>
    text.split(/\r?\n/).flatMap((line, at) => {
      if (line.trim() === '' || (line.startsWith('#') && !line.startsWith(HTTP_ONLY))) return [];
      const [host = '', , path, secure, expires, name, value] = line.split('\t');
      const httpOnly = host.startsWith(HTTP_ONLY);
      const domain = httpOnly ? host.slice(HTTP_ONLY.length) : host;
      const row = { domain, path, secure: secure?.toUpperCase() === 'TRUE', expires: Number(expires), name, value };
      return [cookieOf({ ...row, httpOnly }, `Line ${at + 1}`)];
    }),
};

function parsed(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch (cause) {
    throw malformed('The cookies are not valid JSON.', cause);
  }
  throw malformed('The cookies must be a list.');
}

const malformed = (message: string, cause?: unknown): Failure =>
  new Failure('bad_input', message, 'Give what export gave, with the same format.', { cause });

/** Names as we write them, and as browsers and other programs do. */
function cookieOf(row: Record<string, unknown>, said: string): Cookie {
  const { name, value = '', domain, path = '/', secure, expires } = row;
  if (typeof name !== 'string' || typeof value !== 'string' || typeof domain !== 'string' || typeof path !== 'string')
    throw malformed(`${said} has no name, value or domain that is text.`);
  const end = typeof expires === 'number' && expires > 0 ? expires : -1;
  const sameSite = row.same_site ?? row.sameSite;
  return {
    name,
    value,
    domain,
    path,
    secure: secure === true,
    httpOnly: (row.http_only ?? row.httpOnly) === true,
    ...(isSameSite(sameSite) && { sameSite }),
    expires: end,
    session: end < 0,
    size: 0,
  } as Cookie;
}

const isSameSite = (value: unknown): value is NonNullable<Cookie['sameSite']> =>
  ['Strict', 'Lax', 'None'].includes(String(value));
