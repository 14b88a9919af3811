// Normalizes urls before they are compared with patterns, so that no other spelling of the same url evades a rule.

/** Where a connection leads. A WebSocket counts as the http or https connection that it begins as. */
export interface UrlOrigin {
  scheme: 'http' | 'https';
  /** In small letters, without a trailing dot; IPv6 in brackets. */
  host: string;
  port: number;
}

interface UrlForm {
  path: string;
  query: string;
  /** The whole url, without user, password and fragment. */
  href: string;
}

export interface NormalizedUrl extends UrlOrigin {
  /** As browsers write it. */
  plain: UrlForm;
  /** As the most lenient server may read it: escapes, `//`, `\`, `;…` and `..` resolved, in small letters. */
  lenient: UrlForm;
}

const SCHEMES: Readonly<Record<string, UrlOrigin['scheme']>> = {
  'http:': 'http',
  'ws:': 'http',
  'https:': 'https',
  'wss:': 'https',
};

export const DEFAULT_PORTS: Readonly<Record<UrlOrigin['scheme'], number>> = { http: 80, https: 443 };

/** Servers accept no longer url; the limit keeps matching fast. */
const LONGEST = 16_384;

/** Undefined for a url without a host, such as data: or about:. */
export function normalizeUrl(url: string): NormalizedUrl | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const scheme = SCHEMES[protocol];
  if (scheme === undefined || hostname === '') return undefined;
  const origin = { scheme, host: hostOf(hostname), port: port === '' ? DEFAULT_PORTS[scheme] : Number(port) };
  const path = unreserved(pathname);
  return {
    ...origin,
    plain: urlForm(origin, path, search),
    lenient: urlForm(origin, lenientPath(path), search.toLowerCase()),
  };
}

/** Too long to be matched: callers refuse such a url. */
export const isTooLong = ({ plain }: NormalizedUrl): boolean => plain.href.length > LONGEST;

export const hostOf = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');

export const originOf = ({ scheme, host, port }: UrlOrigin): string =>
  `${scheme}://${host}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;

const urlForm = (origin: UrlOrigin, path: string, query: string): UrlForm => ({
  path,
  query,
  href: `${originOf(origin)}${path}${query}`,
});

const decoded = (path: string, isMeant: (char: string) => boolean): string =>
  path.replace(/%([0-9a-f]{2})/gi, (sign, code: string) => {
    const char = String.fromCharCode(Number.parseInt(code, 16));
    return isMeant(char) ? char : sign.toUpperCase();
  });

/** Escapes that never need to be ones: %61 is the same as a. */
const unreserved = (path: string): string => decoded(path, char => /[\w.~-]/.test(char));

/** Escapes of escapes are resolved as often as a chain of servers may do it. */
const ROUNDS = 3;

export function lenientPath(path: string): string {
  let text = path;
  for (let round = 0; round < ROUNDS; round++) text = decoded(text, char => char >= ' ' && char <= '~');
  const resolved: string[] = [];
  const parts = text.toLowerCase().replaceAll('\\', '/').split('/');
  for (const [at, part] of parts.entries()) {
    const name = part.replace(/;.*$/s, '');
    const isLast = at === parts.length - 1;
    if (name === '..') resolved.pop();
    if (name !== '' && name !== '.' && name !== '..') resolved.push(isLast ? name : `${name}/`);
  }
  return `/${resolved.join('')}`;
}
