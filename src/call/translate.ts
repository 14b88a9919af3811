// Translate: what a caller sent → the native tool, its arguments and the session.
import { nearest } from '../config/nearest.ts';
import type { Options } from '../config/options.ts';
import type { Dialect, Row } from '../dialects/dialect.ts';
import { ACCEPTED, DIALECTS } from '../dialects/index.ts';
import { NOTHING_SHOWN, type ShownNow } from '../dialects/shown.ts';
import { rowOf } from '../dialects/spelling.ts';
import { type Naming, namesIn, stepsOf, toOurs } from '../dialects/translation.ts';
import { Failure } from '../errors.ts';
import { profileSession } from '../session/names.ts';
import type { AnyTool } from '../tools/tool.ts';
import { validateTheirs } from './validate.ts';

/** The tools that a caller may use. */
export type ToolIndex = readonly AnyTool[];

export interface Translated {
  tool: AnyTool;
  args: Record<string, unknown>;
  session: string | undefined;
  /** Only a session that is there is meant. */
  mustExist?: true;
  /** The window whose tab is meant when no tab is named. */
  window?: number;
  /** How the caller calls what is in `args`, when not as we do. */
  naming?: Naming;
  /** What a strict dialect says of the tool, and how it answers. */
  row?: Row;
}

export function translate(
  table: ToolIndex,
  name: string,
  given: unknown,
  dialect: Options['dialect'] = 'native',
  shown: ShownNow = NOTHING_SHOWN,
): Translated {
  const own = DIALECTS[dialect];
  if (own?.strict) return strictly(table, own, name, readObject(name, given), shown);
  const { session, ...args } = readObject(name, given);
  if (session !== undefined && typeof session !== 'string')
    throw new Failure('bad_input', `${name}: session must be text.`, 'Leave it out to use your own session.');
  const tool = table.find(row => row.name === name && !row.unlisted);
  if (tool) {
    // Some tools are about a session, not in one.
    const about = 'session' in tool.input && session !== undefined ? { session } : {};
    return { tool, args: { ...args, ...about }, session };
  }
  const { rows } = own ?? ACCEPTED;
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!row) throw unknownTool(dialect === 'native' ? namesOf(table) : Object.keys(rows), name);
  const ours = toOurs(name, row, args, Date.now());
  const behind = table.find(one => one.name === ours.tool);
  if (!behind) throw notOffered(name, ours.tool);
  return { tool: behind, session, naming: ours.naming, ...windowApart(behind, ours.args) };
}

/** A call of a dialect that takes only its own tools and arguments. */
function strictly(
  table: ToolIndex,
  dialect: Dialect,
  name: string,
  given: Record<string, unknown>,
  shown: ShownNow,
): Translated {
  const row = rowOf(dialect, name);
  if (!row) throw unknownTool(listedIn(dialect), name);
  const args = spelledOut(row, given);
  validateTheirs(name, row, args);
  const { tool, args: ours, naming } = toOurs(name, row, args, Date.now(), shown);
  const behind = table.find(one => one.name === tool);
  if (!behind) throw notOffered(name, tool);
  const session = sessionIn(dialect, row, args);
  const mustExist = session !== undefined && row.opens !== true;
  return {
    tool: behind,
    args: ours,
    session,
    ...(mustExist && { mustExist }),
    naming,
    row,
  };
}

const listedIn = ({ rows }: Dialect): string[] => Object.keys(rows).filter(name => !rows[name]?.unlisted);

/** Arguments under the names that are listed. */
const spelledOut = ({ aliases = {} }: Row, given: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [Object.hasOwn(aliases, name) ? aliases[name] : name, value]),
  );

/** Unless the session is what the tool is about. */
function sessionIn(
  { session = 'session', profiles }: Dialect,
  { cases }: Row,
  args: Record<string, unknown>,
): string | undefined {
  const sources = cases.flatMap(stepsOf).flatMap(({ args: from = {} }) => Object.values(from));
  const given = sources.flatMap(namesIn).includes(session) ? undefined : args[session];
  if (typeof given !== 'string') return undefined;
  return profiles ? profileSession(given) : given;
}

/** Most of our tools know only tabs; in the dialects a window stands for its last one. */
function windowApart({ input }: AnyTool, args: Record<string, unknown>): Pick<Translated, 'args' | 'window'> {
  const { windowId, ...rest } = args;
  return 'windowId' in input || typeof windowId !== 'number' ? { args } : { args: rest, window: windowId };
}

const notOffered = (name: string, tool: string): Failure =>
  new Failure('unknown_tool', `${name} needs the tool ${tool}, which is not offered.`, 'Offer it with --tools.');

const namesOf = (table: ToolIndex): string[] => table.filter(row => !row.unlisted).map(row => row.name);

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
