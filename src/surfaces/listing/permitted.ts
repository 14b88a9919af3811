// Which of the listed tools a caller may use. Loaded only for callers who may not do everything.
import { lackingFor } from '../../call/policy-check.ts';
import { toolsOf } from '../../dialects/decode.ts';
import type { DialectDefinition } from '../../dialects/definition.ts';
import type { Permissions } from '../../policy/decide.ts';
import { TOOLS } from '../../tools/index.ts';

/** A tool of a dialect may be used when one of the native tools behind it may: which one it is, its arguments say. */
export function mayUse(may: Permissions, name: string, dialect?: DialectDefinition): boolean {
  const called = dialect?.tools[name];
  const behind = called ? toolsOf(called) : [name];
  return TOOLS.some(tool => behind.includes(tool.name) && lackingFor(may, tool) === undefined);
}
