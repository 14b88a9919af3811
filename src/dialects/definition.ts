// How a dialect is defined: the tools of another server, how each is done by native ones, and the few things that the dialect does by itself.
import type { Code, Failure } from '../errors.ts';
import type { Caller, Server } from '../session/server.ts';
import type { Phrase } from '../text.ts';
import type { Args, Dialect, RunningCall } from './dialect.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface DialectDefinition
  extends Partial<Pick<Dialect, 'startTime' | 'beforeSession' | 'beforeActiveTab' | 'beforeTab'>> {
  /** Its tools by name, in the order in which they are listed. */
  tools: Readonly<Record<string, DialectTool>>;
  /** The tool that does what a native one does, for hints. */
  names: Readonly<Record<string, string>>;
  /** Nouns of native messages and what this dialect calls the same things, such as ref → uid. */
  nouns?: Readonly<Record<string, string>>;
  /** What to try next after a failure of that code, instead of the native hint. */
  hints?: Readonly<Record<string, string | Phrase>>;
  /** The message of a failure of that code, instead of the native one. */
  messages?: Readonly<Partial<Record<Code, string>>>;
  /** What it writes before the number of a ref, which may depend on the snapshot that the ref is from. */
  ref: string | ((snapshot: number) => string);
  /** It calls tabs pages, by their place in the list of open ones. */
  hasPages?: true;
  /** The instructions that a client gets when it connects. */
  instructions: string;
  /** Its name for the argument `session`, which every tool takes. */
  sessionArgument?: string;
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
  unknownToolCode?: number;
  /** What the caller was shown last, when its arguments are read by that. */
  lastShown?(server: Server, caller: Caller): LastShown;
  /** After a call that went well. */
  afterRun?(call: RunningCall, data: unknown): void;
  /** Takes what an answer shows of the page, in the same turn as the action, and prints with it; the text alone when left out. */
  printer?(
    call: RunningCall,
    tool: DialectTool,
    data: unknown,
    encodeFailure: (failure: Failure) => Failure,
  ): Promise<Printer>;
}

export type Printer = (answer: PrintedAnswer) => string;

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

/** What an answer is printed from, with the dialect's own tool names and refs. */
export interface PrintedAnswer {
  /** As the caller called it. */
  tool: string;
  /** Notes of the session that are shown once, with the next answer. */
  notes: readonly string[];
  /** What was done. */
  text: string;
  footer: string;
}

/** tools.json of a dialect: its tools as they are listed, and which of them hints name. */
export interface ToolList {
  /** Schemas that several tools share: an argument names one of these instead of a schema. */
  sharedArguments?: Readonly<Record<string, Schema>>;
  /** By name, in the order in which they are listed. */
  tools: Readonly<Record<string, ListedTool>>;
  /** The tool that does what a native one does, for hints. */
  names: Readonly<Record<string, string>>;
}

type ListedTool = Omit<ToolInterface, 'arguments' | 'unlistedArguments'> & {
  arguments: Readonly<Record<string, Schema | string>>;
  unlistedArguments?: Readonly<Record<string, Schema | string>>;
};

/** A tool as clients see it. */
interface ToolInterface {
  /** When to use it. */
  summary: string;
  /** Its arguments as JSON Schema. A default counts as given. */
  arguments: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  /** Still accepted, but no longer listed. */
  unlisted?: boolean;
  /** Arguments that are accepted, but not listed. */
  unlistedArguments?: Readonly<Record<string, Schema>>;
  /** Other spellings of its arguments. */
  aliases?: Readonly<Record<string, string>>;
  /** Arguments without a counterpart that do no harm, and why. */
  ignored?: Readonly<Record<string, string>>;
  /** Arguments that cannot be honoured, and why. */
  refused?: Readonly<Record<string, string>>;
  /** Whether it says of itself that it only reads, when it says something else than the native tools behind it. */
  readOnly?: boolean;
  /** As the annotations of a closed list name it. */
  category?: string;
}

/** How a tool is done by native tools, and answered. */
interface ToolBehavior {
  /** The first case whose `when` holds is taken. */
  cases: readonly Case[];
  /** Makes the session that it names; of a strict dialect, the other tools want one that is open. */
  createsSession?: true;
  /** The text of its answer, from the native data, the native input as `input` and the caller's arguments as `given`. */
  text?(facts: Args, native: NativeText): string;
  /** What stands at the end of its answer, made from the same facts. */
  footer?(facts: Args): string;
  /** What its answer shows beside its text, in a dialect that prints its own. */
  sections?: readonly ('pages' | 'content')[];
  /** Its answer as data, from the same facts; its text is then that data as JSON. */
  result?(facts: Args): unknown;
  /** Failures that are no errors in the dialect, and the text that answers them. */
  tolerated?: Readonly<Partial<Record<Code, (message: string, given: Args) => string>>>;
  /** Its time when the caller gives none, instead of that of the native tool. */
  time?: 'action' | 'navigation';
}

/** One tool of the dialect. */
export type DialectTool = ToolInterface & ToolBehavior;

/** A tool that is always done in the same way names the native tool; others have cases. */
export type ToolMapping = ToolBehavior | (Omit<ToolBehavior, 'cases'> & NativeStep);

export interface NativeText {
  /** What the native tool says, with the dialect's refs and tool names. */
  text: string;
  /** Of it, what the action caused: `; now at …`, or nothing. */
  caused: string;
}

/** `refuse` is a rule, `wrong` a mistake of the caller. */
export type Case = NativeCase | { when?: When; refuse: string } | { when?: When; wrong: string };

/** Done by a native tool, or by several in order: a batch. */
export type NativeCase = { when?: When } & (NativeStep | { calls: readonly NativeStep[] });

export interface NativeStep {
  /** The native tool. */
  tool: string;
  /** Native argument → where it comes from. It may be a path: `window_size.width`, `files.0.path`. */
  args?: Sources;
  /** Of each list only the first that is given. */
  oneOf?: readonly (readonly Sources[])[];
  /** Fixed values, unless `args` says otherwise. */
  constants?: Args;
  /** Among several steps: left out unless one of these arguments is given. The last step stays when none is. */
  needs?: readonly string[];
}

/** Which arguments of the caller must have which value. */
export type When = Readonly<Record<string, Condition>>;
export type Condition = string | number | boolean | RegExp | { is: 'given' | 'missing' };

/** Where a value comes from: an argument of the caller by name or path; of a list the first that is given. */
export type Source = string | readonly Source[] | ArgumentSource | ValueSource | ListSource;
export type Sources = Readonly<Record<string, Source>>;

/** An argument of the caller, converted. What does not have the expected form stays as it is: validation says so. */
export interface ArgumentSource {
  from: string;
  when?: When;
  /** The caller's value → the native one; undefined leaves the argument out. Others stay as they are. */
  values?: Readonly<Record<string, unknown>>;
  convert?(value: unknown, context: ReadContext): unknown;
}

/** A fixed value, or one that depends on no single argument. */
interface ValueSource {
  value: unknown | ((context: ReadContext) => unknown);
  when?: When;
}

/** A list of the caller, item by item. */
export interface ListSource {
  each: string;
  args?: Sources;
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
