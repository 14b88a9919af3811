// Words that several tools say: what an action caused.
import type { Effects } from '../engine/effects.ts';

const quoted = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 199)}…` : text);

/** A data: url can be longer than its page. */
const address = (url: string): string => (url.length > 300 ? `${url.slice(0, 299)}…` : url);

export const pageLine = ({ url, title }: { url: string; title: string }): string =>
  title === '' ? address(url) : `${address(url)} ${quoted(title)}`;

/** What an action caused, after its own words; '' when nothing happened that matters. */
export function caused(effects: Effects): string {
  const parts: string[] = [];
  if (effects.navigated) parts.push(`now at ${pageLine(effects.navigated)}`);
  if (effects.navigating !== undefined) parts.push(`loading ${effects.navigating}, not there yet`);
  if (effects.opened)
    parts.push(
      `opened tab ${effects.opened.tabId}${effects.opened.url && effects.opened.url !== 'about:blank' ? ` (${effects.opened.url})` : ''}`,
    );
  if (effects.dialog)
    parts.push(`${effects.dialog.type} dialog open: ${quoted(effects.dialog.message)}; answer it with the dialog tool`);
  if (effects.download !== undefined) parts.push(`download started: ${effects.download}`);
  if (effects.errors) parts.push(`page error: ${effects.errors.map(quoted).join(', ')}`);
  return parts.length === 0 ? '' : `; ${parts.join('; ')}`;
}

/** One short line: the deed, and what it caused. */
export const did = (deed: string, effects: Effects): string => `${deed}${caused(effects)}.`;
