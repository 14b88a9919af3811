// Which urls may be opened: a table of schemes with reasons, and the reading of what a person types.
import { Failure } from '../errors.ts';

/** Why a scheme is refused, or true. A scheme that is not here is refused as unknown. */
export const SCHEMES: Readonly<Record<string, true | string>> = {
  http: true,
  https: true,
  data: true,
  blob: true,
  about: true,
  file: 'it reads files of this machine',
  filesystem: 'it reads files of this machine',
  javascript: 'it runs a script in the page; the tool evaluate does that',
  'view-source': 'it shows the source instead of the page',
  chrome: 'it opens pages of the browser itself',
  'chrome-untrusted': 'it opens pages of the browser itself',
  'chrome-search': 'it opens pages of the browser itself',
  'chrome-extension': 'it opens pages of an extension',
  'chrome-error': 'it opens pages of the browser itself',
  devtools: 'it opens the developer tools',
  edge: 'it opens pages of the browser itself',
  brave: 'it opens pages of the browser itself',
  ftp: 'the browser does not load it',
  ws: 'it is no page',
  wss: 'it is no page',
  mailto: 'it starts another program',
  tel: 'it starts another program',
};

/** Chrome takes no longer one. */
const LONGEST = 2_097_152;

/** No name in the DNS is longer. */
const LONGEST_HOST = 253;

/** What a person types → an absolute url that may be opened; a Failure that names the rule otherwise. */
export function checkUrl(typed: string): string {
  const url = withScheme(clean(typed));
  if (!URL.canParse(url)) throw malformed(typed, 'it cannot be read as a url');
  if (new URL(url).hostname.length > LONGEST_HOST) throw malformed(typed, 'its host name is too long');
  const refusal = refusalOf(url);
  if (refusal !== undefined)
    throw new Failure('refused', `URL not allowed: ${short(url)}: ${refusal}.`, 'Open an http or https url.', {
      rule: refusal,
    });
  // "http:/host" and "https:\\host" are read by every browser, but better written out.
  return /^https?:(?!\/\/[^/\\])/i.test(url) ? new URL(url).href : url;
}

/** The rule that refuses an absolute url, with its reason; undefined when it may be opened. */
export function refusalOf(url: string): string | undefined {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  const rule = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : 'it is not a scheme that may be opened';
  if (typeof rule === 'string') return `rule "no ${scheme}:" (${rule})`;
  if (scheme === 'about' && !/^about:blank(?:[?#]|$)/i.test(url))
    return 'rule "no about: but about:blank" (it opens pages of the browser itself)';
  return undefined;
}

/** Whether a page at that url shows a file of this machine. */
export const showsFile = (url: string): boolean => /^(?:view-source:)?(?:file|filesystem):/i.test(url);

/** Without what every url parser drops: tabs and line breaks anywhere, blanks and control characters around. */
function clean(typed: string): string {
  if (typed.length > LONGEST) throw malformed(typed, `it has more than ${LONGEST} characters`);
  const url = typed.replace(/[\t\r\n]/g, '').replace(/^[\0-\x20]+|[\0-\x20]+$/g, '');
  if (url === '') throw malformed(typed, 'it is empty');
  if (/^[a-z]:[\\/]/i.test(url) || /^(?:\\|\/(?!\/)|\.\.?\/|~\/)/.test(url))
    throw malformed(typed, 'it is a path, and a path needs a host before it');
  return url;
}

function withScheme(url: string): string {
  if (url.startsWith('//')) return `https:${url}`;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && (Object.hasOwn(SCHEMES, scheme) || !isHostAndPort(url))) return url;
  return `${isLocal(url) ? 'http' : 'https'}://${url}`;
}

const isHostAndPort = (url: string): boolean => /^[a-z0-9._-]+:\d{1,5}(?:[/?#]|$)/i.test(url);

/** A host that hardly has a certificate: an address, a single word, a name of this machine or network. */
function isLocal(url: string): boolean {
  const authority = url.split(/[/?#]/, 1)[0] ?? '';
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase();
  return /^\[.*\]$|^\d+(?:\.\d+){3}$|^[^.]+$|\.(?:localhost|local)$/.test(host);
}

const malformed = (typed: string, why: string): Failure =>
  new Failure(
    'bad_input',
    `${quote(typed)} is no url: ${why}.`,
    'Give a whole url such as https://example.com/page, or a host such as example.com.',
  );

const short = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

const quote = (text: string): string => JSON.stringify(short(text));
