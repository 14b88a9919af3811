// How a dialect is written down: the tools of another server as rows, its words, and the few things that it does by itself.
import type { Limits } from '../engine/limits.ts';
import type { Tab } from '../engine/tab/tab.ts';
import type { Code, Failure } from '../errors.ts';
import type { Caller, Server } from '../session/server.ts';
import type { Session } from '../session/session.ts';
import type { Phrase } from '../text.ts';
import type { Args, RunningCall } from './dialect.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface DialectDefinition {
  /** Its tools by name, in the order in which they are listed. */
  rows: Readonly<Record<string, DialectTool>>;
  /** Which of its tools does what a native one does, for hints. */
  names: Readonly<Record<string, string>>;
  /** What it calls things that have another native name: word for word, in hints and failures. */
  words?: Readonly<Record<string, string>>;
  /** What to try next after a failure of that code, instead of the native hint. */
  hints?: Readonly<Record<string, string | Phrase>>;
  /** The message of a failure of that code, instead of the native one. */
  messages?: Readonly<Partial<Record<Code, string>>>;
  /** What it writes before the number of a ref. */
  ref: string;
  /** The same for a dialect whose refs name the snapshot that they are from. */
  refIn?(snapshot: number): string;
  /** It calls tabs pages, by their place in the list of open ones. */
  hasPages?: true;
  /** What a client is told about the server as a whole. */
  instructions: string;
  /** Its name for the argument `session`, which every tool takes. */
  session?: string;
  /** The session that a value of that argument means, when not the one of that name. */
  sessionOf?(given: string): string;
  /** Its tools and arguments are taken exactly as they are listed, and no native ones beside them. */
  strict?: true;
  /** As which server it presents itself to clients; as Tabwright when left out. */
  server?: {
    name: string;
    version: string;
    capabilities: { tools: { listChanged: true }; logging: Record<string, never> };
  };
  /** Pictures stand before the text of an answer. */
  picturesFirst?: true;
  /** Its schemas say that they take nothing else. */
  closed?: true;
  /** The protocol's code for a tool that it does not have; -32001 when left out. */
  noTool?: number;
  /** Rules for its calls on a server that was started for another dialect; on its own server they are options. */
  preset?: { allowUrls: readonly string[]; blockScripts: readonly string[] };
  /** The times of its calls there, in ms; and that for starting a browser, which may be longer than a navigation. */
  times?: { action: number; navigation: number; start: number };
  /** What the caller was shown last, when its arguments are read by that. */
  lastShown?(server: Server, caller: Caller): LastShown;
  beforeSession?(session: Session, limits: Limits): Promise<void>;
  beforeActiveTab?(session: Session): void;
  beforeTab?(tab: Tab, limits: Limits): Promise<void>;
  /** After a call that went well. */
  afterRun?(call: RunningCall, data: unknown): void;
  /** What an answer shows of the page, taken in the same turn as the action. */
  pageContext?(
    call: RunningCall,
    row: DialectTool,
    data: unknown,
    inWords: (failure: Failure) => Failure,
  ): Promise<PageContext>;
  /** Prints an answer that went well; its words alone when left out. */
  print?(answer: PrintedAnswer): string;
}

/** What a caller was shown last, for dialects that name pages by their place in a list and elements by snapshot. */
export interface LastShown {
  /** Tab ids, in the order in which the pages were listed last. */
  pages: readonly number[];
  /** Those that are open now. */
  open: readonly number[];
  active?: number | undefined;
  /** The last snapshot, and the tab that it showed. */
  snapshot?: { number: number; tab: number } | undefined;
}

/** What an answer is printed from, in the dialect's own words and refs. */
export interface PrintedAnswer {
  /** As the caller called it. */
  tool: string;
  /** What the session has to tell once, whatever was asked for. */
  notes: readonly string[];
  /** What was done. */
  words: string;
  /** What its row puts at the end. */
  end: string;
  context: PageContext;
}

/** What is there when a call has ended. */
export interface PageContext {
  /** What the selected page pretends, when that is not nothing. */
  network?: string;
  cpu?: number;
  /** The time that a navigation gets, in ms. */
  navigation?: number;
  dialog?: { type: string; message: string; defaultValue: string };
  pages?: readonly { url: string; selected: boolean }[];
  content?: string;
  /** Why there is none, although the row includes it. */
  noContent?: string;
}

/** One tool of the dialect. */
export interface DialectTool {
  /** When to use it. */
  summary: string;
  /** Its arguments as JSON Schema. A default counts as given. */
  takes: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  /** Still accepted, but no longer listed. */
  unlisted?: true;
  /** Arguments without a counterpart that do no harm, and why. */
  ignored?: Readonly<Record<string, string>>;
  /** Arguments that cannot be honoured, and why. */
  refused?: Readonly<Record<string, string>>;
  /** The first whose `when` holds is meant. */
  cases: readonly Case[];
  /** Makes the session that it names; of a strict dialect, the other tools want one that is open. */
  opens?: true;
  /** The text of its answer, from the native data, the native input as `input` and the caller's arguments as `given`. */
  says?(facts: Args, native: NativeText): string;
  /** What stands at the end of its answer, made from the same facts. */
  ends?(facts: Args): string;
  /** What its answer shows beside its words, in a dialect that prints its own. */
  includes?: readonly ('pages' | 'content')[];
  /** Taken too, but not listed. */
  also?: Readonly<Record<string, Schema>>;
  /** Other spellings of its arguments. */
  aliases?: Readonly<Record<string, string>>;
  /** Its answer as data, from the same facts; its text is then that data as JSON. */
  result?(facts: Args): unknown;
  /** Whether it says of itself that it only reads, when it says something else than the native tools behind it. */
  readOnly?: boolean;
  /** Failures that are no errors in the dialect, and the text that answers them. */
  tolerated?: Readonly<Partial<Record<Code, (message: string, given: Args) => string>>>;
  /** Its time when the caller gives none, instead of that of the native tool. */
  time?: 'action' | 'navigation';
}

export interface NativeText {
  /** What the native tool says, with the dialect's refs and tool names. */
  text: string;
  /** Of it, what the action caused: `; now at …`, or nothing. */
  caused: string;
}

/** `refuse` is a rule, `wrong` a mistake of the caller. */
export type Case = Done | { when?: When; refuse: string } | { when?: When; wrong: string };

/** Done by a native tool, or by several in order: a batch. */
export type Done = { when?: When } & (NativeStep | { calls: readonly NativeStep[] });

export interface NativeStep {
  to: string;
  /** Native argument → where it comes from. It may be a path: `window_size.width`, `files.0.path`. */
  args?: Readonly<Record<string, Source>>;
  /** Of each list only the first that is given. */
  oneOf?: readonly (readonly Readonly<Record<string, Source>>[])[];
  /** Fixed values, unless `args` says otherwise. */
  set?: Args;
}

/** Which arguments of the caller must have which value. */
export type When = Readonly<Record<string, Condition>>;
export type Condition = string | number | boolean | RegExp | { is: 'given' | 'missing' };

/** Where a value comes from: an argument of the caller by name or path; of a list the first that is given. */
export type Source = string | readonly Source[] | From | Computed | Each;

/** An argument of the caller, changed on the way. What does not have the expected form stays as it is: validation says so. */
export interface From {
  from: string;
  when?: When;
  /** The caller's value → the native one; undefined leaves the argument out. Others stay as they are. */
  values?: Readonly<Record<string, unknown>>;
  as?(value: unknown, context: ReadContext): unknown;
}

/** A fixed value, or one that depends on no single argument. */
interface Computed {
  value: unknown | ((context: ReadContext) => unknown);
  when?: When;
}

/** A list of the caller, item by item. */
export interface Each {
  each: string;
  args?: Readonly<Record<string, Source>>;
  /** A single value of each, instead of an object. */
  item?: Source;
}

export interface ReadContext {
  /** The caller's arguments, with defaults. */
  given: Args;
  /** The time, in ms. */
  now: number;
  shown: LastShown;
}
