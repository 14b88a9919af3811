// What a surface sends into the pipeline, and what comes back.
import type { Options } from '../config/options.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { Progress } from '../engine/limits.ts';
import type { Picture } from '../engine/picture.ts';
import type { Code } from '../errors.ts';
import type { Caller, Server } from '../session/server.ts';
import type { AnyTool } from '../tools/tool.ts';

/** What the calls of one process share. */
export interface CallHost {
  readonly server: Server;
  /** The tools that are offered. */
  readonly tools: readonly AnyTool[];
  /** The dialect whose tools are accepted from native callers too. */
  readonly oldNames?: () => Promise<Dialect | undefined>;
}

export interface Call {
  name: string;
  args: unknown;
  /** The dialect of the caller; native when left out. */
  dialect?: Options['dialect'];
  /** The adapter of that dialect, put there before the call runs. */
  adapter?: Dialect;
  /** The dialect that only its answer is written in: for a step of a batch, whose arguments are native. */
  answerIn?: Dialect;
  caller: Caller;
  signal?: AbortSignal;
  progress?: (step: Progress) => void;
  /** Whoever sends it can put a question to a person, and send it again with the answer. Left out, such calls are refused. */
  asks?: boolean;
  /** Where the command line of the owner runs that sent it: relative paths count from there. */
  workFolder?: string;
  /** A person's command line sent it: notes stand beside the text, and typed arguments are told. */
  commandLine?: true;
  /** The answer to the question that came back when the same call was sent before. */
  approval?: Approval;
}

export interface Approval {
  /** Of the question. */
  id: string;
  /** cancel: nobody answered. */
  answer: 'accept' | 'decline' | 'cancel';
}

/** A question for a person: nothing was done yet. It waits for a few minutes, and one answer. */
export interface Question {
  id: string;
  rule: string;
  question: string;
}

export interface Result {
  ok: boolean;
  tool: string;
  session?: string;
  text: string;
  data?: unknown;
  /** What the session has to tell once, of an answer whose text is its data, and at a command line. */
  notes?: string[];
  failure?: { code: Code; message: string; hint?: string; rule?: string };
  pictures: Picture[];
  ms: number;
  /** At a command line: the arguments hold text that belongs into no record. */
  hasTyped?: boolean;
  /** A rule wants a person to agree first; only of calls that ask. The failure beside it says so too. */
  ask?: Question;
}
