// Words that several tools say: what an action caused.
import type { Effects } from '../engine/actions/effects.ts';
import type { QueryMatch } from '../engine/elements/query.ts';
import type { NavigationResult } from '../engine/navigation/navigate.ts';
import { asWord, quoted } from '../policy/foreign-text.ts';
import { advice, consequence, joined, type Part, type Phrase, phrase, theTool } from '../text.ts';

const short = (text: string): string => quoted(text, 200);

/** A data: url can be longer than its page. */
const address = (url: string): string => (url.length > 300 ? `${url.slice(0, 299)}…` : url);

export const pageLine = ({ url, title }: { url: string; title: string }): string =>
  title === '' ? address(url) : `${address(url)} ${short(title)}`;

/** What has not come of a page that was opened, and what it waits for. */
export function stillLoading({ unfinished, underWay }: Pick<NavigationResult, 'unfinished' | 'underWay'>): Part {
  if (unfinished === undefined) return '';
  const { urls, count } = underWay ?? { urls: [], count: 0 };
  const more = count > urls.length ? ` and ${count - urls.length} more` : '';
  const open = count === 0 ? '' : `, waiting for ${urls.join(', ')}${more}`;
  return consequence(phrase`; still loading: ${unfinished} has not fired${open}`);
}

/** What an action caused, after its own words; '' when nothing happened that matters. */
export function caused(effects: Effects): Phrase {
  const parts: Part[] = [];
  if (effects.nowIs !== undefined) parts.push(`it is now ${effects.nowIs}`);
  if (effects.navigated) parts.push(`now at ${pageLine(effects.navigated)}`);
  if (effects.navigating !== undefined) parts.push(`loading ${effects.navigating}, not there yet`);
  if (effects.opened)
    parts.push(
      `opened tab ${effects.opened.tabId}${effects.opened.url && effects.opened.url !== 'about:blank' ? ` (${effects.opened.url})` : ''}`,
    );
  if (effects.dialog)
    parts.push(
      phrase`${effects.dialog.type} dialog open: ${short(effects.dialog.message)}${advice(phrase`; answer it with ${theTool('dialog')}`)}`,
    );
  if (effects.download !== undefined) parts.push(`download started: ${asWord(effects.download)}`);
  if (effects.errors) parts.push(`page error: ${effects.errors.map(short).join(', ')}`);
  return joined(parts.map(part => phrase`; ${part}`));
}

/** One short line: the deed, and what it caused; then what has changed on the page. */
export const did = (deed: Part, effects: Effects): Phrase =>
  phrase`${deed}${consequence(caused(effects))}.${consequence(receiptOf(effects))}`;

const receiptOf = ({ receipt = [] }: Effects): Phrase => joined(receipt.map(line => phrase`\n${line}`));

/** An element that was found, and what was asked about it. */
export function matchLine({ ref, role, name, text, attribute, bounds }: QueryMatch): string {
  const more = [
    text === undefined ? '' : `: ${quoted(text)}`,
    attribute === undefined ? '' : ` = ${attribute === null ? '(none)' : quoted(attribute)}`,
    bounds === undefined ? '' : ` [box=${Object.values(bounds).join(',')}]`,
  ];
  return `${ref} ${role} ${quoted(name)}${more.join('')}`;
}
