// Decode: what a caller sent → the native tool, its arguments and the session.
import type { DecodedCall, Dialect } from '../dialects/dialect.ts';
import { Failure } from '../errors.ts';
import type { AnyTool } from '../tools/tool.ts';
import { unknownTool } from '../tools/unknown-tool.ts';
import type { Call, CallHost } from './message.ts';

export interface Decoded extends DecodedCall {
  /** Who read the call: the caller's own dialect, or that of the old names; undefined of a native call. */
  decoder?: Dialect;
}

export async function decode({ server, tools, oldNames }: CallHost, call: Call): Promise<Decoded> {
  const { name, caller, adapter } = call;
  const given = readObject(name, call.args);
  if (adapter?.strict) {
    const decoded = adapter.decode({ name, args: given, caller, server, tools });
    if (!decoded) throw unknownTool(adapter.toolNames, name);
    return { ...decoded, decoder: adapter };
  }
  const { session, ...args } = given;
  if (session !== undefined && typeof session !== 'string')
    throw new Failure('bad_input', `${name}: session must be text.`, 'Leave it out to use your own session.');
  const tool = tools.find(row => row.name === name && !row.unlisted);
  if (tool) {
    // Some tools are about a session, not in one.
    const about = 'session' in tool.input && session !== undefined ? { session } : {};
    return { tool, args: { ...args, ...about }, session };
  }
  const decoder = adapter ?? (await oldNames?.());
  const decoded = decoder?.decode({ name, args, caller, server, tools });
  if (!decoder || !decoded) throw unknownTool(adapter?.toolNames ?? listedNames(tools), name);
  return { ...decoded, session, decoder };
}

const listedNames = (tools: readonly AnyTool[]): string[] =>
  tools.filter(({ unlisted }) => !unlisted).map(({ name }) => name);

function readObject(name: string, given: unknown): Record<string, unknown> {
  if (given === undefined || given === null) return {};
  if (typeof given === 'object' && !Array.isArray(given)) return { ...given };
  throw new Failure('bad_input', `${name}: the arguments must be an object.`, 'Send {"argument": value, …}.');
}
