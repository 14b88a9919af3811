// Names of tools in files that people write: each must mean at least one tool.
import { nearest } from '../../config/nearest.ts';
import { CHROME } from '../../dialects/chrome/chrome.ts';
import { toolsOf } from '../../dialects/decode.ts';
import { nameMatcher } from '../../policy/decide.ts';
import { LISTED } from './listed.ts';

/** What is wrong with a name or a glob of names, and what may be meant; undefined when it means a tool. */
export function strangeTool(glob: string): { what: string; hint: string } | undefined {
  const names = LISTED.map(({ tool }) => tool.name);
  if (names.some(nameMatcher([glob]))) return undefined;
  const row = Object.hasOwn(CHROME.rows, glob) ? CHROME.rows[glob] : undefined;
  const [close] = row ? toolsOf(row) : nearest(glob, names);
  return { what: `no tool is called ${glob}.`, hint: close ? `Did you mean ${close}?` : 'All tools: tabwright tools' };
}
