// A tool of the bridge: a row that turns arguments into one command line of agent-browser.
import type { z } from 'zod';
import { Failure } from '../../errors.ts';
import { COMMON_INPUT } from '../cli/arguments.ts';
import type { Files } from '../files.ts';
import type { CheckedCommand } from '../passthrough.ts';
import type { BridgeSettings, CliGlobalOptions, CliRunRequest, CliRunResult } from '../types.ts';

export const GROUPS = ['loop', 'navigation', 'elements', 'page', 'sessions', 'advanced'] as const;

export interface Hints {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

/** Reads only. */
export const READS: Hints = { readOnlyHint: true, idempotentHint: true };
/** Changes what is seen, and deletes nothing. */
export const MOVES: Hints = { readOnlyHint: false, destructiveHint: false };
/** May delete something, or anything. */
export const DESTROYS: Hints = { readOnlyHint: false, destructiveHint: true };

/** What a row may use to make its command line. */
interface ArgvContext {
  files: Files;
  allowed: readonly string[];
  /** The version of the program; undefined when it prints none. */
  version(): Promise<string | undefined>;
}

type Input<S extends z.ZodRawShape> = z.output<z.ZodObject<S>>;

export type Runner = (request: CliRunRequest) => Promise<CliRunResult>;

interface Row<S extends z.ZodRawShape> {
  name: `agent_browser_${string}`;
  group: (typeof GROUPS)[number];
  /** Part of the loop of open, look, act, look. */
  core?: true;
  summary: string;
  hints: Hints;
  input: S;
  /** Exactly one of each list must be given. */
  oneOf?: readonly (readonly string[])[];
  /** It needs no turn in the queue of its session: it does not touch the page. */
  free?: true;
  /** The result names a picture, which is shown as well. */
  picture?: true;
}

/** One command line: the command and its words. */
interface OneCommand<S extends z.ZodRawShape> extends Row<S> {
  argv(input: Input<S>, context: ArgvContext): string[] | CheckedCommand | Promise<string[] | CheckedCommand>;
  run?: undefined;
}

/** Several runs that make one result. */
interface SeveralRuns<S extends z.ZodRawShape> extends Row<S> {
  run(input: Input<S>, globals: CliGlobalOptions, runner: Runner, settings: BridgeSettings): Promise<CliRunResult>;
}

export type BridgeTool<S extends z.ZodRawShape = z.ZodRawShape> = OneCommand<S> | SeveralRuns<S>;

export const bridgeTool = <S extends z.ZodRawShape>(row: BridgeTool<S>): BridgeTool<S> => row;

/** A tool for one command: `session_list` is the tool agent_browser_session_list for the command `session list`. */
interface CommandRow<S extends z.ZodRawShape> extends Omit<Row<S>, 'name' | 'group'> {
  name: string;
  /** The words behind the command; the values of the arguments in their order when left out. */
  words?(input: Input<S>, context: ArgvContext): string[] | Promise<string[]>;
}

/** Makes the tools of one group. */
export const toolsOf =
  (group: Row<z.ZodRawShape>['group']) =>
  <S extends z.ZodRawShape>({ name, words, ...row }: CommandRow<S>): BridgeTool<S> => ({
    ...row,
    name: `agent_browser_${name}`,
    group,
    async argv(input, context) {
      const values = () => Object.keys(row.input).flatMap(key => positional(Object(input)[key]));
      return [...name.split('_'), ...(words ? await words(input, context) : values())];
    },
  });

/** An argument as words of a command line; none when it is not given. */
export const positional = (value: string | number | readonly string[] | undefined): string[] =>
  value === undefined ? [] : [value].flat().map(String);

/** Arguments that only fit together in some ways. */
export function demand(fits: boolean, rule: string): void {
  if (!fits) throw new Failure('bad_input', `These arguments do not fit together: ${rule}.`);
}

/** All that a tool takes: its own arguments, and those of every tool. */
export const inputOf = ({ input }: BridgeTool): z.ZodRawShape => ({ ...input, ...others(input, COMMON_INPUT) });

/** The members that are no arguments of the tool itself. */
export const others = <T extends object>(input: z.ZodRawShape, members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(input, name))) as Partial<T>;
