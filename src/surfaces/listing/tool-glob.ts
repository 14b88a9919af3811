// Names of tools in files that people write: each must mean at least one tool.
import { nearest } from '../../config/nearest.ts';
import { toolsOf } from '../../dialects/decode.ts';
import { definitionOf } from '../../dialects/index.ts';
import { OLD_NAMES } from '../../dialects/registry.ts';
import { nameMatcher } from '../../policy/decide.ts';
import { LISTED } from './listed.ts';

const oldTools = (await definitionOf(OLD_NAMES))?.tools ?? {};

/** What is wrong with a name or a glob of names, and what may be meant; undefined when it means a tool. */
export function strangeTool(glob: string): { what: string; hint: string } | undefined {
  const names = LISTED.map(({ tool }) => tool.name);
  if (names.some(nameMatcher([glob]))) return undefined;
  const old = Object.hasOwn(oldTools, glob) ? oldTools[glob] : undefined;
  const [close] = old ? toolsOf(old) : nearest(glob, names);
  return { what: `no tool is called ${glob}.`, hint: close ? `Did you mean ${close}?` : 'All tools: tabwright tools' };
}
