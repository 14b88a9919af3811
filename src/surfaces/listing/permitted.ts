// Which of the listed tools a caller may use. Loaded only for callers who may not do everything.
import { lackingFor } from '../../call/permit.ts';
import type { Options } from '../../config/options.ts';
import { DIALECTS } from '../../dialects/index.ts';
import { toolsOf } from '../../dialects/translation.ts';
import type { Permissions } from '../../policy/decide.ts';
import { TOOLS } from '../../tools/index.ts';

/** A tool of a dialect may be used when one of ours behind it may: which one it is, its arguments say. */
export function mayUse(may: Permissions, name: string, dialect: Options['dialect'] = 'native'): boolean {
  const row = DIALECTS[dialect]?.rows[name];
  const behind = row ? toolsOf(row) : [name];
  return TOOLS.some(tool => behind.includes(tool.name) && lackingFor(may, tool) === undefined);
}
