// What a caller may do at all, whatever it asks for.
import { refusedBy } from '../errors.ts';
import { missingPermission, type Permissions } from '../policy/decide.ts';
import { calledTool, phrase } from '../text.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Call } from './message.ts';

/** The permission that is missing, in words. A batch counts only by its name: its calls are asked about one by one. */
export const lackingFor = (may: Permissions, tool: AnyTool): string | undefined =>
  missingPermission(tool.on === 'calls' ? { ...may, effects: [tool.effect] } : may, tool);

/** A batch that a dialect makes of another tool was not asked for by its name. */
export function permit({ caller: { id, may }, name }: Call, tool: AnyTool): void {
  if (!may || (tool.on === 'calls' && name !== tool.name)) return;
  const missing = lackingFor(may, tool);
  if (missing === undefined) return;
  const rule = `permissions of ${id}`;
  throw refusedBy(
    rule,
    phrase`${calledTool(tool.name)} (effect "${tool.effect}") is refused: rule "${rule}" allows only ${missing}.`,
    'Use what is allowed, or ask whoever runs this server for more.',
  );
}
