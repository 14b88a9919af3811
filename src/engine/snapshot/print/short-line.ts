// The style `short` of a snapshot: what a line of the tree says, in few characters. `@e3 button Greet, disabled`.
import { wordSet } from '../accessibility/role-data.ts';
import type { Line, LineParts } from './line.ts';
import type { PrintNode } from './print-node.ts';

/** Roles whose lines are there for their text. */
const TEXTS = new Set(['text', 'paragraph']);

/** Names, states and text are read apart by `, ` and `: `: what has such signs itself stands in quotes. */
export function shortLine(entry: PrintNode, { role, name, text, details }: LineParts, level: number): Line {
  const { level: rank } = entry.states;
  const isHeading = role === 'heading' && rank !== undefined;
  const word = isHeading ? `h${rank}` : TEXTS.has(role) && text && !name ? '' : role;
  const facts = details.filter(detail => !(isHeading && detail.startsWith('level='))).map(shortDetail);
  const said = [`${word}${name && ` ${bare(name)}`}`, ...facts].join(', ');
  return { before: ' '.repeat(level), after: `${said}${text && `: ${shortUrls(words(text))}`}` };
}

const ROWS = wordSet('listitem row option treeitem menuitem article cell gridcell columnheader definition term');

/** Of rows below each other, the first says what they are. */
export const withoutRole = ({ before, after }: Line, role: string): Line => ({
  before,
  after: ROWS.has(role) ? `-${after.slice(role.length)}` : after,
});

const QUOTED = /"((?:[^"\\]|\\.)*)"/g;

/** `options: "A", "B"` → `options A|B`, `value="x"` → `value=x`. */
const shortDetail = (detail: string): string =>
  shortUrls(
    detail
      .replace(/", "/g, '"|"')
      .replace(/^options: /, 'options ')
      .replace(QUOTED, bare),
  );

/** Without its quotes where nothing in it needs them. */
const bare = (quoted: string): string =>
  /^"[^\s",:|\\[\]…@-][^",:|\\]*"$/.test(quoted) && !/\s"$/.test(quoted) ? unquoted(quoted) : quoted;

/** A text is the rest of its line; one that begins as a line of the tree does keeps its quotes. */
const words = (quoted: string): string => (/^"[\s@+~>-]/.test(quoted) ? quoted : unquoted(quoted));

const unquoted = (quoted: string): string => quoted.slice(1, -1).replaceAll('\\"', '"');

/** A longer one is cut to its host and the last part of its path. */
const LONGEST_URL = 60;
const URLS = /https?:\/\/[^\s"<>]+/g;

const shortUrls = (text: string): string => text.replace(URLS, shortUrl);

export function shortUrl(url: string): string {
  if (url.length <= LONGEST_URL || !/^https?:/.test(url) || !URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  const last = pathname.split('/').findLast(part => part !== '') ?? '';
  return `${host}/…/${last.slice(-LONGEST_URL)}`;
}
