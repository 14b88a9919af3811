// The adapter of a dialect: what the path of a call asks of another server's tool names, arguments and answers.
import type { ArgumentNames } from '../config/issues.ts';
import type { Options } from '../config/options.ts';
import type { Limits } from '../engine/limits.ts';
import type { Picture } from '../engine/picture.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { Failure } from '../errors.ts';
import type { ScriptRules } from '../policy/scripts.ts';
import type { Caller, Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { Phrase, Wording } from '../text.ts';
import type { AnyTool } from '../tools/tool.ts';

export type Args = Readonly<Record<string, unknown>>;

export interface Dialect {
  /** As --dialect names it. */
  readonly name: string;
  /** Only its own tools and arguments are accepted, no native ones beside them. */
  readonly strict: boolean;
  /** Its tools, for the hint of a call to a tool that it does not have. */
  readonly toolNames: readonly string[];
  /** The native call that is meant; undefined when the dialect has no such tool. */
  decode(request: CallRequest): DecodedCall | undefined;
  /** How it writes the names in answers to that call. */
  wording(call: RunningCall): Wording;
  /** What stands before the number of a ref in the next snapshot of the session. */
  refPrefix(session: Session | undefined): string;
  /** The answer to a call that went well, from the native text and what run() gave. */
  encode(call: RunningCall, text: string | Phrase, data: unknown): Promise<EncodedAnswer>;
  encodeFailure(call: RunningCall, failure: Failure): Failure;
  /** The answer to a failure of run() that is no error in this dialect; undefined when it is one. */
  tolerate(call: RunningCall, error: unknown): Promise<EncodedAnswer | undefined>;
  /** Throws when the rules of the dialect forbid one of the urls in the arguments. */
  checkUrls(options: Options, urls: readonly string[]): void;
  /** Throws when the rules of the dialect forbid the page that the call is about to act on. */
  checkPage(options: Options, url: string): void;
  /** The script rules of the server, and those of the dialect. */
  scriptRules(server: Server): ScriptRules;
  /** A script that the dialect brings along: no caller wrote it. */
  isOwnScript(script: string): boolean;
  /** Its times in place of those of the options, in ms. */
  times(options: Options): Partial<Times>;
  /** Least time for the start of a browser, in ms. */
  readonly startTime: number;
  /** Before a tool that works on the session runs. */
  beforeSession?(session: Session, limits: Limits): Promise<void>;
  /** Before a call that names no tab is given the active one. */
  beforeActiveTab?(session: Session): void;
  /** Before a tool that works on a tab runs. */
  beforeTab?(tab: Tab, limits: Limits): Promise<void>;
}

export interface CallRequest {
  name: string;
  args: Args;
  caller: Caller;
  server: Server;
  /** The native tools that are offered. */
  tools: readonly AnyTool[];
}

/** A call as a native tool takes it. */
export interface DecodedCall {
  tool: AnyTool;
  args: Record<string, unknown>;
  session: string | undefined;
  /** Only a session that is open is meant. */
  mustExist?: true;
  /** The window whose last tab is meant when no tab is named. */
  window?: number;
  /** The caller's names for the arguments, when they are not the native ones. */
  names?: ArgumentNames;
  /** The time of the call when the caller gives none, instead of that of the native tool. */
  time?: 'action' | 'navigation';
  /** The caller is answered with data as JSON, which is worth nothing when it is cut. */
  json?: true;
}

export interface Times {
  action: number;
  navigation: number;
  /** For the load event once the DOM is ready. */
  load: number;
}

/** A call as far as it has come, and what the hooks of a dialect may ask for. */
export interface RunningCall {
  readonly call: { name: string; args: unknown };
  readonly server: Server;
  readonly tools: readonly AnyTool[];
  readonly bounds: Limits;
  readonly tool?: AnyTool | undefined;
  readonly input?: Record<string, unknown> | undefined;
  session?: Session;
  tab?: Tab;
  times(tab?: Tab): Times;
  /** The data without its pictures, and with its phrases as text. */
  present(data: unknown, wording: Wording): Pick<EncodedAnswer, 'data' | 'pictures'>;
  /** The failure as the caller is told it; a tab that was too slow is asked why. */
  explain(error: unknown, tab?: Tab): Promise<Failure>;
  /** Throws unless the caller may also use that tool on the page of the tab. */
  checkAlso(tool: AnyTool, tab: Tab): Promise<void>;
}

/** What a caller reads of a call. */
export interface EncodedAnswer {
  text: string;
  data: unknown;
  pictures: Picture[];
  failure?: Failure;
  /** The failure is no error to the caller. */
  tolerated?: true;
  /** The whole text, with the notes of the session that are shown once. */
  print?(notes: readonly string[]): string;
}
