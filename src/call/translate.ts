// Translate: what a caller sent → the native tool, its arguments and the session.
import { nearest } from '../config/nearest.ts';
import { Failure } from '../errors.ts';
import type { AnyTool } from '../tools/tool.ts';

/** The tools that a caller may use. */
export type ToolIndex = readonly AnyTool[];

export interface Translated {
  tool: AnyTool;
  args: Record<string, unknown>;
  session: string | undefined;
}

export function translate(table: ToolIndex, name: string, given: unknown): Translated {
  const tool = table.find(row => row.name === name);
  if (!tool) throw unknownTool(namesOf(table), name);
  const { session, ...args } = readObject(name, given);
  if (session !== undefined && typeof session !== 'string')
    throw new Failure('bad_input', `${name}: session must be text.`, 'Leave it out to use your own session.');
  return { tool, args, session };
}

const namesOf = (table: ToolIndex): string[] => table.map(row => row.name);

function readObject(name: string, given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  if (typeof given === 'object' && !Array.isArray(given)) return { ...given };
  throw new Failure('bad_input', `${name}: the arguments must be an object.`, 'Send {"argument": value, …}.');
}

/** Also names with the tool's name inside, such as browser_click. */
export function unknownTool(names: readonly string[], name: string): Failure {
  const asked = name.slice(0, 64);
  const inside = names.filter(known => asked.toLowerCase().includes(known));
  const close = [...new Set([...nearest(asked, names), ...inside])].slice(0, 3);
  return new Failure(
    'unknown_tool',
    `There is no tool ${JSON.stringify(asked)}.`,
    close.length > 0 ? `Did you mean ${close.join(' or ')}?` : `The tools are: ${names.join(', ')}.`,
  );
}
