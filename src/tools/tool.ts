// The type of one row of the tool table. tool() is the identity function: it exists for the types.
import type { z } from 'zod';
import type { Limits } from '../engine/limits.ts';
import type { Picture } from '../engine/picture.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { Failure } from '../errors.ts';
import type { Caller, Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { Phrase } from '../text.ts';

export const GROUPS = [
  'snapshot',
  'navigation',
  'interaction',
  'forms',
  'wait',
  'tabs',
  'storage',
  'network',
  'media',
  'emulation',
  'execution',
  'data',
  'dialogs',
  'sessions',
  'profiles',
] as const;
type Group = (typeof GROUPS)[number];

/** Sends further calls, each as if the caller had sent it: checked, decided, queued and recorded on its own. */
export interface InnerCalls {
  /** Rejects when it could not be right, or may not run, whatever the page does. */
  check(name: string, args: Readonly<Record<string, unknown>>): Promise<void>;
  send(name: string, args: Readonly<Record<string, unknown>>): Promise<Called>;
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

type Shape = z.ZodRawShape;
type Input<S extends Shape> = z.output<z.ZodObject<S>>;

export interface Tool<S extends Shape = Shape, O extends On = On, D = unknown> {
  name: string;
  group: Group;
  /** Also listed under `--tools core`. */
  core?: true;
  /** For dialects that need it: neither listed, nor called by its own name. */
  unlisted?: true;
  /** When to use it, in one sentence for a model. */
  summary: string;
  on: O;
  /** read: may overlap with others. write: one at a time in a session. danger: write that policy may want to ask about. */
  effect: 'read' | 'write' | 'danger';
  /** It is on the session, but acts on the page of the tab that it names, or of the active one. */
  onPage?: true;
  /** Never waits in the queue: works while another call holds it. */
  free?: true;
  /** Runs although a dialog blocks the tab. */
  despiteDialog?: true;
  /** Runs on a tab of an attached browser although that does not answer, and so has no page yet. */
  evenStuck?: true;
  /** Time for one call in ms, when the caller gives no `timeout`. The kinds are set by options. */
  time: 'action' | 'navigation' | number | ((input: Input<S>) => number);
  /** Waits for a person or a transfer: its timeout may ask for more than the server's limit for a call. */
  patient?(input: Input<S>): boolean;
  input: S;
  /** Exactly one of each list must be given. */
  oneOf?: (keyof S & string)[][];
  run(on: Places[O], input: Input<S>, limits: CallLimits): Promise<D>;
  /** The few words a model reads. */
  text(data: D, input: Input<S>): string | Phrase;
}

export const tool = <S extends Shape, O extends On, D>(row: Tool<S, O, D>): Tool<S, O, D> => row;

/** Any row, as the table and the pipeline see it. */
// biome-ignore lint/suspicious/noExplicitAny: rows differ in their types; the pipeline checks the input before run().
export type AnyTool = Tool<any, any, any>;
