// A tool of the bridge: a row that turns arguments into one command line of agent-browser.
import type { z } from 'zod';
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
  /** Of the program; undefined when it does not tell. */
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
  argv(input: Input<S>, around: ArgvContext): string[] | CheckedCommand | Promise<string[] | CheckedCommand>;
  run?: undefined;
}

/** Several runs that make one result. */
interface SeveralRuns<S extends z.ZodRawShape> extends Row<S> {
  run(input: Input<S>, globals: CliGlobalOptions, runner: Runner, settings: BridgeSettings): Promise<CliRunResult>;
}

export type BridgeTool<S extends z.ZodRawShape = z.ZodRawShape> = OneCommand<S> | SeveralRuns<S>;

export const bridgeTool = <S extends z.ZodRawShape>(row: BridgeTool<S>): BridgeTool<S> => row;

/** All that a tool takes: its own arguments, and those of every tool. */
export const inputOf = ({ input }: BridgeTool): z.ZodRawShape => ({ ...input, ...others(input) });

const others = (input: z.ZodRawShape): z.ZodRawShape =>
  Object.fromEntries(Object.entries(COMMON_INPUT).filter(([name]) => !Object.hasOwn(input, name)));
