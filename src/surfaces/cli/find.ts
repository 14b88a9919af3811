// The tools that --tools offers, and one of them by its name.
import { unknownTool } from '../../call/translate.ts';
import { Failure } from '../../errors.ts';
import { LISTED } from '../listed.ts';
import { type Listed, offered } from '../listing.ts';

export function offeredTools(wanted: readonly string[]): Listed[] {
  const names = new Set(offeredNames(wanted));
  return LISTED.filter(({ tool }) => names.has(tool.name));
}

export const offeredNames = (wanted: readonly string[]): string[] => offered(LISTED, wanted).map(({ name }) => name);

export function findTool(name: string, wanted: readonly string[]): Listed {
  const names = offeredNames(wanted);
  const found = LISTED.find(({ tool }) => tool.name === name);
  if (!found) throw unknownTool(names, name);
  if (names.includes(name)) return found;
  throw new Failure('unknown_tool', `--tools leaves ${name} out.`, `It is in the group ${found.group}.`);
}
