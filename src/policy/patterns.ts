// Patterns of urls: globs such as *.example.com or https://example.com/app/**, and regular expressions that start with ^.
import { defined } from '../defined.ts';
import { Failure } from '../errors.ts';
import { globMatcher } from './glob.ts';
import {
  DEFAULT_PORTS,
  hostOf,
  isTooLong,
  lenientPath,
  type NormalizedUrl,
  normalizeUrl,
  originOf,
  type UrlOrigin,
} from './normalize-url.ts';

/** How much of an origin a pattern matches: every url there, none, or it depends on the path. */
type Reach = 'all' | 'some' | 'none';

export interface Patterns {
  readonly texts: readonly string[];
  /** Hosts that are written out, without a wildcard. */
  readonly hosts: readonly string[];
  /** Hosts, with `*` for any part, of the patterns that look at more than scheme, host and port. */
  readonly pathHosts: readonly string[];
  /** The pattern that matches the url in any spelling that a server may take for the same: for rules that refuse. */
  match(url: string): string | undefined;
  /** The pattern that matches the url in all such spellings: for rules that allow. */
  covers(url: string): string | undefined;
  /** The pattern that matches all urls of that origin; `some` when one of them depends on the path. */
  at(origin: UrlOrigin): { all?: string; some?: string };
  /** Whether one of them can match a url of that host, at any port and path; with surely, where that is not certain it is none. */
  reaches(host: string, surely: boolean): boolean;
  /** The pattern that writes out this very host, without a wildcard, and matches some or all urls of the origin. */
  naming(origin: UrlOrigin, reach?: 'some' | 'all'): string | undefined;
}

interface Pattern {
  text: string;
  /** When it looks at the path: the host, with `*` for any part. */
  pathHost?: string;
  /** The host, if it is written out. */
  host?: string;
  reach(origin: UrlOrigin): Reach;
  reaches(host: string, surely: boolean): boolean;
  /** Asked only when the reach is `some`. */
  plain(url: NormalizedUrl): boolean;
  lenient(url: NormalizedUrl): boolean;
  /** A url without a host, such as data: or about:. */
  hostless(url: string): boolean;
}

/** A text that is no pattern ends in a Failure. */
export function compilePatterns(texts: readonly string[]): Patterns {
  const patterns = texts.map(text => (text.startsWith('^') ? expression(text) : glob(text)));
  const find = (url: string, isMeant: (pattern: Pattern, url: NormalizedUrl) => boolean, long: boolean) => {
    const normalized = normalizeUrl(url);
    if (!normalized) return patterns.find(pattern => pattern.hostless(url));
    return patterns.find(pattern => {
      const reach = pattern.reach(normalized);
      if (reach !== 'some') return reach === 'all';
      return isTooLong(normalized) ? long : isMeant(pattern, normalized);
    });
  };
  return {
    texts,
    hosts: patterns.flatMap(({ host }) => host ?? []),
    pathHosts: patterns.flatMap(({ pathHost }) => pathHost ?? []),
    match: url =>
      find(url, (pattern, normalized) => pattern.plain(normalized) || pattern.lenient(normalized), true)?.text,
    covers: url =>
      find(url, (pattern, normalized) => pattern.plain(normalized) && pattern.lenient(normalized), false)?.text,
    at(origin) {
      const all = patterns.find(pattern => pattern.reach(origin) === 'all');
      const some = patterns.find(pattern => pattern.reach(origin) === 'some');
      return defined({ all: all?.text, some: some?.text });
    },
    reaches: (host, surely) => patterns.some(pattern => pattern.reaches(hostOf(host), surely)),
    naming(origin, wanted = 'some') {
      const isMeant = (reach: Reach) => reach === 'all' || reach === wanted;
      return patterns.find(({ host, reach }) => host === origin.host && isMeant(reach(origin)))?.text;
    },
  };
}

const GLOB = /^(?:(\*|[a-z][a-z0-9+.-]*):\/\/)?(\[[0-9a-f:.]+\]|[^/\\:?#[\]@\s]+)(?::(\d{1,5}|\*))?(\/[^#\s]*)?$/i;

const GLOB_SCHEMES: Readonly<Record<string, UrlOrigin['scheme'] | undefined>> = {
  '*': undefined,
  http: 'http',
  ws: 'http',
  https: 'https',
  wss: 'https',
};

/** `[scheme://]host[:port][/path]`. Without a scheme: any scheme and port; with one: its default port. */
function glob(text: string): Pattern {
  const [, given = '*', host, port, path] = GLOB.exec(text) ?? [];
  if (host === undefined || !Object.hasOwn(GLOB_SCHEMES, given.toLowerCase())) throw malformed(text);
  const scheme = GLOB_SCHEMES[given.toLowerCase()];
  const isHost = hostMatcher(text, host);
  const isPort = portMatcher(port, scheme);
  // As in browsers, /* behind the host means all of it.
  const byPath = path !== undefined && path !== '/*' && path !== '/**';
  const onPath = byPath ? pathMatchers(path) : undefined;
  return {
    text,
    ...defined({
      pathHost: byPath ? (isHost.exact ?? hostOf(host).replace(/^\*+\./, '')) : undefined,
      host: isHost.exact,
    }),
    reach(origin) {
      const isThere =
        (scheme === undefined || scheme === origin.scheme) && isPort(origin.port) && isHost.matches(origin.host);
      return isThere ? (byPath ? 'some' : 'all') : 'none';
    },
    reaches: isHost.matches,
    plain: ({ plain }) => onPath?.plain(plain) ?? true,
    lenient: ({ lenient }) => onPath?.lenient(lenient) ?? true,
    hostless: () => false,
  };
}

/** `*.example.com` is example.com and everything below it; elsewhere `*` stands for a part between dots. */
function hostMatcher(text: string, given: string): { exact?: string; matches(host: string): boolean } {
  if (!given.includes('*')) {
    if (!URL.canParse(`http://${given}/`)) throw malformed(text);
    const exact = hostOf(new URL(`http://${given}/`).hostname);
    return { exact, matches: host => host === exact };
  }
  if (/^\*+$/.test(given)) return { matches: () => true };
  if (!/^[\w.*-]+$/.test(given)) throw malformed(text);
  const parts = (host: string) => host.replaceAll('.', '/');
  const matches = globMatcher(parts(hostOf(given)).replace(/^\*+\//, '**/'));
  return { matches: host => matches(parts(host)) };
}

function portMatcher(given: string | undefined, scheme: UrlOrigin['scheme'] | undefined): (port: number) => boolean {
  if (given === '*' || (given === undefined && scheme === undefined)) return () => true;
  const wanted = given === undefined ? DEFAULT_PORTS[scheme ?? 'https'] : Number(given);
  return port => port === wanted;
}

/** A pattern without `?` holds whatever the query is. */
function pathMatchers(given: string) {
  const withQuery = given.includes('?');
  const { pathname, search } = new URL(given, 'http://host');
  const matcher = (path: string, query: string) => {
    const inside = globMatcher(path + query);
    // /app/** is also the app itself.
    const itself = path.endsWith('/**') && !withQuery ? globMatcher(path.slice(0, -3)) : undefined;
    return (normalized: { path: string; query: string }) => {
      const wanted = withQuery ? normalized.path + normalized.query : normalized.path;
      return inside(wanted) || (itself?.(wanted) ?? false);
    };
  };
  return {
    plain: matcher(pathname, search),
    lenient: matcher(lenientPath(pathname), search.toLowerCase()),
  };
}

/** A regular expression on the whole url. */
function expression(text: string): Pattern {
  const [plain, lenient] = [compiled(text), compiled(text, 'i')];
  const prefix = literalPrefix(text);
  // Without these, what matches the beginning of a url matches every url that begins so.
  const seesTheEnd = /\$|\(\?[=!<]|\\[bB1-9k]/.test(text);
  return {
    text,
    ...(isAboutHosts(text) ? {} : { pathHost: '*' }),
    reach(origin) {
      const hrefs = spellings(`${originOf(origin)}/`);
      if (!seesTheEnd && hrefs.some(href => plain.test(href))) return 'all';
      const canMatch = hrefs.some(href => href.startsWith(prefix) || prefix.startsWith(href));
      return canMatch ? 'some' : 'none';
    },
    reaches(host, surely) {
      if (surely) return ['http', 'https'].some(scheme => plain.test(`${scheme}://${host}/`));
      // As far as the pattern begins with plain text, in which a port may stand behind the host.
      const wanted = /^\w+:\/\/([^/:?#]*)(.?)/.exec(prefix);
      return wanted?.[1] === undefined || (wanted[2] ? host === wanted[1] : host.startsWith(wanted[1]));
    },
    plain: url => spellings(url.plain.href).some(href => plain.test(href)),
    lenient: url => spellings(encodeURI(url.lenient.href)).some(href => lenient.test(href)),
    hostless: url => plain.test(url),
  };
}

/** The same connection, begun by a page or by a WebSocket. */
const spellings = (href: string): [string, string] => [href, href.replace(/^http/, 'ws')];

/** The literal text that every matching url begins with, as far as it is easily seen; in small letters. */
function literalPrefix(text: string): string {
  if (text.includes('|')) return '';
  const [, literal = ''] = /^\^((?:[\w:/~%&=,;!@'" -]|\\[^\w])*)/.exec(text) ?? [];
  const rest = text.slice(1 + literal.length);
  const sure = /^[?*{]/.test(rest) ? literal.replace(/\\?.$/s, '') : literal;
  return sure.replace(/\\(.)/g, '$1').toLowerCase();
}

/** Whether scheme, host and port alone decide: ^https://, ^https?://.*, ^https://example\.com/. */
function isAboutHosts(text: string): boolean {
  const short = text.replace(/^\^(http|ws)s\?/, '^$1').replace(/\.[*+]$/, '');
  const literal = literalPrefix(short);
  const isWhole = short.replace(/^\^/, '').replace(/\\(.)/g, '$1').toLowerCase() === literal;
  return isWhole && /^(?:http|ws)s?:\/\/[^/?#]*\/?$/.test(literal);
}

function compiled(text: string, flags = ''): RegExp {
  try {
    return new RegExp(text, flags);
  } catch (cause) {
    throw malformed(text, cause);
  }
}

function malformed(text: string, cause?: unknown): Failure {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new Failure(
    'bad_input',
    `${JSON.stringify(text.slice(0, 200))} is no pattern of urls${why}.`,
    'Write a host (example.com, *.example.com), a url with * and ** (https://example.com/app/**), or a regular expression that starts with ^.',
    cause === undefined ? {} : { cause },
  );
}
