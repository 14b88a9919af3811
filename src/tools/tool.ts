// The type of one row of the tool table.
import type { z } from 'zod';
import type { Limits } from '../engine/limits.ts';
import type { Picture } from '../engine/picture.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { Failure } from '../errors.ts';
import type { Caller, Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { Phrase } from '../text.ts';

/** Further calls, each as if the caller had sent it: checked, decided, queued and recorded on its own. */
export interface InnerCalls {
  /** How to send the call. Rejects when it could not be right, or may not run, whatever the page does. */
  prepare(name: string, args: Readonly<Record<string, unknown>>): Promise<() => Promise<Called>>;
}

/** What came of such a call. */
export interface Called {
  ok: boolean;
  text: string;
  data?: unknown;
  failure?: Pick<Failure, 'code' | 'message' | 'hint' | 'rule'>;
  pictures: readonly Picture[];
}

/** What run() is given. */
interface Places {
  tab: Tab;
  session: Session;
  server: Server;
  calls: InnerCalls;
}
export type On = keyof Places;

/** What bounds run(), and who called: a tool on the server has no session that would tell. */
export interface CallLimits extends Limits {
  readonly caller: Caller;
}

export interface ToolAnswer {
  /** The types of the picture that it may be. */
  pictures?: readonly string[];
  /** An answer as it comes, for tools that are often the first. */
  text?: string;
  data?: object;
  ms?: number;
}

type Shape = z.ZodRawShape;
type Input<S extends Shape> = z.output<z.ZodObject<S>>;

type UsualTime = 'action' | 'navigation' | number;

/** What a file of this folder says of a tool. Its name is that of the export, its group that of the file in index.ts. */
export interface ToolRow<S extends Shape = Shape, O extends On = On, D = unknown> {
  /** Also listed under `--tools core`. */
  core?: true;
  /** For dialects that need it: neither listed, nor called by its own name. */
  unlisted?: true;
  /** When to use it, in one sentence for a model. */
  summary: string;
  /** Words that a person may type after `tabwright call NAME`; none when left out. */
  example?: readonly string[];
  /** What the REST document tells of its answers. */
  answer?: ToolAnswer;
  /** A tab when left out. */
  on?: O;
  /** read: may overlap with others. write: one at a time in a session. danger: write that policy may want to ask about. */
  effect: 'read' | 'write' | 'danger';
  /** More than its effect, with some arguments: it gives secrets away, or writes a file that no argument names. */
  effectWith?(input: Input<S>): 'write' | 'danger' | undefined;
  /** Other callers are refused, whatever their rights: it decides what runs on the machine. */
  ofOwner?: true;
  /** It is on the session, but acts on the page of the tab that it names, or of the active one. */
  onPage?: true;
  /** Never waits in the queue: works while another call holds it. */
  free?: true;
  /** Runs although a dialog blocks the tab. */
  despiteDialog?: true;
  /** Runs on a tab of an attached browser although that does not answer, and so has no page yet. */
  evenStuck?: true;
  /** Time for one call in ms, when the caller gives no `timeout`; that of an action when left out. The kinds are set by options. */
  time?: UsualTime | ((input: Input<S>) => UsualTime);
  /** Waits for a person or a transfer: its timeout may ask for more than the server's limit for a call. */
  patient?(input: Input<S>): boolean;
  input: S;
  /** Exactly one of each list must be given. */
  oneOf?: (keyof S & string)[][];
  /** More than one of a list may be given: the first that leads to an element counts. */
  inOrder?: true;
  run(on: Places[O], input: Input<S>, limits: CallLimits): Promise<D>;
  /** The few words a model reads. */
  text(data: D, input: Input<S>): string | Phrase;
  /** Recordings caption their frames with its text. Of other tools they show the name: their text may hold what nobody should see. */
  captioned?: true;
}

// biome-ignore lint/suspicious/noExplicitAny: rows differ in their types; the pipeline checks the input before run().
type AnyRow = ToolRow<any, any, any>;

/** Any tool, as the table and the pipeline see it. */
export interface AnyTool extends AnyRow {
  name: string;
  group: string;
  on: On;
  time: NonNullable<AnyRow['time']>;
}

/** A row with what is usual filled in. The types of its input and data follow from its schemas and run(). */
export const tool = <S extends Shape, D, O extends On = 'tab'>(row: ToolRow<S, O, D>) => ({
  on: 'tab' as const,
  time: 'action' as const,
  ...row,
});
