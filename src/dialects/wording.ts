// How a dialect writes the names of tools, refs and tabs in native answers.
import type { Session } from '../session/session.ts';
import type { Wording } from '../text.ts';
import { namesIn, stepsOf } from './decode.ts';
import type { DialectDefinition, DialectTool } from './definition.ts';
import type { RunningCall } from './dialect.ts';
import { spelledAs, toolNamed } from './spelling.ts';

/** Who reads the answer. */
export interface Reader {
  /** The native tool that runs, and the name by which it was called. */
  called?: { tool: string; name: string };
  /** Ids of the open tabs, in order. */
  tabs: readonly number[];
  /** The number of the last snapshot. */
  snapshot: number;
}

/** For the caller of that call, in the spelling of its names; `session` is what it was shown. */
export const wordingFor = (
  definition: DialectDefinition,
  { call: { name }, tool }: Pick<RunningCall, 'call' | 'tool'>,
  session: Session | undefined,
): Wording =>
  wordingOf(spelledAs(definition, name), {
    ...(tool && tool.name !== name && { called: { tool: tool.name, name } }),
    tabs: [...(session?.context.tabs.keys() ?? [])],
    snapshot: lastSnapshot(session),
  });

export function wordingOf(dialect: DialectDefinition, { called, tabs, snapshot }: Reader): Wording {
  const { names, nouns = {}, sessionArgument = 'session', strict = false, hasPages } = dialect;
  const prefix = refPrefix(dialect, snapshot);
  const tool = (name: string) => (Object.hasOwn(names, name) ? names[name] : undefined);
  return {
    strict,
    tool,
    called: name => (name === called?.tool ? called.name : tool(name)),
    argument: name => (strict ? argumentFor(name, toolNamed(dialect, called?.name ?? '')) : name),
    ref: number => `${prefix}${number}`,
    tab: id => (hasPages ? pageName(tabs.indexOf(id)) : `tab ${id}`),
    noun: word => (word === 'session' ? sessionArgument : (nouns[word] ?? word)),
  };
}

/** The argument that the tool passes on as that native one. */
function argumentFor(native: string, tool: DialectTool | undefined): string | undefined {
  const steps = tool?.cases.flatMap(stepsOf) ?? [];
  const sources = steps.flatMap(({ args = {}, oneOf = [] }) => [args, ...oneOf.flat()]);
  return sources.flatMap(({ [native]: source }) => (source === undefined ? [] : namesIn(source)))[0];
}

const pageName = (index: number): string => (index < 0 ? 'the page' : `page ${index}`);

/** What stands before the number of a ref in that snapshot. */
export const refPrefix = ({ ref }: DialectDefinition, snapshot: number): string =>
  typeof ref === 'string' ? ref : ref(snapshot);

/** The number of the last snapshot that the session has shown. */
export const lastSnapshot = (session: Session | undefined): number => session?.shown.snapshot?.number ?? 0;
