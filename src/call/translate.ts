// Translate: what a caller sent → the native tool, its arguments and the session.
import { nearest } from '../config/nearest.ts';
import type { Options } from '../config/options.ts';
import { ACCEPTED, DIALECTS } from '../dialects/index.ts';
import { type Naming, toOurs } from '../dialects/translation.ts';
import { Failure } from '../errors.ts';
import type { AnyTool } from '../tools/tool.ts';

/** The tools that a caller may use. */
export type ToolIndex = readonly AnyTool[];

export interface Translated {
  tool: AnyTool;
  args: Record<string, unknown>;
  session: string | undefined;
  /** The window whose tab is meant when no tab is named. */
  window?: number;
  /** How the caller calls what is in `args`, when not as we do. */
  naming?: Naming;
}

export function translate(
  table: ToolIndex,
  name: string,
  given: unknown,
  dialect: Options['dialect'] = 'native',
): Translated {
  const { session, ...args } = readObject(name, given);
  if (session !== undefined && typeof session !== 'string')
    throw new Failure('bad_input', `${name}: session must be text.`, 'Leave it out to use your own session.');
  const tool = table.find(row => row.name === name);
  if (tool) return { tool, args, session };
  const { rows } = DIALECTS[dialect] ?? ACCEPTED;
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!row) throw unknownTool(dialect === 'native' ? namesOf(table) : Object.keys(rows), name);
  const ours = toOurs(name, row, args, Date.now());
  const behind = table.find(one => one.name === ours.tool);
  if (!behind) throw notOffered(name, ours.tool);
  return { tool: behind, session, naming: ours.naming, ...windowApart(behind, ours.args) };
}

/** Most of our tools know only tabs; in the dialects a window stands for its last one. */
function windowApart({ input }: AnyTool, args: Record<string, unknown>): Pick<Translated, 'args' | 'window'> {
  const { windowId, ...rest } = args;
  return 'windowId' in input || typeof windowId !== 'number' ? { args } : { args: rest, window: windowId };
}

const notOffered = (name: string, tool: string): Failure =>
  new Failure('unknown_tool', `${name} needs the tool ${tool}, which is not offered.`, 'Offer it with --tools.');

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
