// The type of a dialect: the tool names and arguments of another server, as data.
import type { Code } from '../errors.ts';
import type { Phrase } from '../text.ts';

export type Args = Readonly<Record<string, unknown>>;
export type Schema = Readonly<Record<string, unknown>>;

/** Another server's names over our tools. */
export interface Dialect {
  /** Its tools by name, in the order in which they are listed. */
  rows: Readonly<Record<string, Row>>;
  /** Which of its tools does what ours does, for hints. */
  names: Readonly<Record<string, string>>;
  /** What it calls things that we call otherwise: word for word, in hints and failures. */
  words?: Readonly<Record<string, string>>;
  /** What to try next after a failure of that code, when our own words for it help nobody there. */
  hints?: Readonly<Record<string, string | Phrase>>;
  /** What it says of a failure of that code, in place of our words. */
  messages?: Readonly<Partial<Record<Code, string>>>;
  /** What it writes before the number of a ref. */
  ref: string;
  /** And before that, the number of the snapshot that the ref is from. */
  numbered?: true;
  /** What a client is told about the server as a whole. */
  instructions: string;
  /** Its name for our argument `session`, which every tool takes. */
  session?: string;
  /** Its tools and arguments are taken exactly as they are listed, and nothing of ours beside them. */
  strict?: true;
  /** None of its tools answers dialogs, so they are answered at once. */
  dialogs?: 'accept' | 'dismiss';
  /** None of its tools chooses a tab, so that one which a page opens becomes the active one. */
  follows?: true;
  /** As which server it presents itself to clients; as ours when left out. */
  server?: {
    name: string;
    version: string;
    capabilities: { tools: { listChanged: true }; logging: Record<string, never> };
  };
  /** Pictures stand before the text of an answer. */
  picturesFirst?: true;
  /** Rules for its calls on a server that was started for another dialect; on its own server they are options. */
  preset?: { allowUrls: readonly string[]; blockScripts: readonly string[] };
  /** The times of its calls there, in ms; and that for starting a browser, which may be longer than a navigation. */
  times?: { action: number; navigation: number; start: number };
  /** Its schemas say that they take nothing else. */
  closed?: true;
  /** The protocol's code for a tool that it has not; -32001 when left out. */
  noTool?: number;
  /** There is always a page, as in a browser that was started with one; one that was selected and is closed is told. */
  hasPage?: true;
  /** After a page was closed, the first one is selected. */
  closesToFirst?: true;
  /** What it names as a session is a profile: the browser of it. */
  profiles?: true;
  /** Prints an answer that went well; its words alone when left out. */
  print?(answer: Spoken): string;
}

/** What an answer is printed from: pure data, in the dialect's own words and refs. */
export interface Spoken {
  /** As the caller called it. */
  tool: string;
  /** What the session has to tell once, whatever was asked for. */
  notes: readonly string[];
  /** What was done. */
  words: string;
  /** What its row puts at the end. */
  end: string;
  around: Around;
}

/** What is there when a call has ended. */
export interface Around {
  /** What the selected page pretends, when that is not nothing. */
  network?: string;
  cpu?: number;
  /** The time that a navigation gets, in ms. */
  navigation?: number;
  dialog?: { type: string; message: string; defaultValue: string };
  pages?: readonly { url: string; selected: boolean }[];
  content?: string;
  /** Why there is none, although the row shows it. */
  noContent?: string;
}

/** Words made from our data, our input as `input`, their arguments as `given`; and our own words for it. */
export type Says = (facts: Args, ours: string) => string;

/** One tool of theirs. */
export interface Row {
  /** When to use it, in our own words. */
  summary: string;
  /** Their arguments as JSON Schema. A default counts as given. */
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
  /** Makes the session that it names; of a strict dialect, the other tools want one that is there. */
  opens?: true;
  /**
   * The words of its answer, when they are its own: members of our data in braces, of our input as `{input.url}`.
   * What stands in brackets is left out when one of its members is missing.
   */
  says?: string | Says;
  /** What stands at the end of its answer, made from the same facts. */
  ends?(facts: Args): string;
  /** What its answer shows beside its words, in a dialect that prints its own. */
  shows?: readonly ('pages' | 'content')[];
  /** Taken too, but not listed. */
  also?: Readonly<Record<string, Schema>>;
  /** Other spellings of its arguments. */
  aliases?: Readonly<Record<string, string>>;
  /** Its answer as data; its words are then that data as JSON. */
  gives?: Shape;
  /** Whether it says of itself that it only reads, when it says something else than our tools behind it. */
  readOnly?: boolean;
  /** Failures that are no errors there, and how they are told: `{failure}` is our message, `{given.url}` their argument. */
  lenient?: Readonly<Partial<Record<Code, string>>>;
  /** Its time when the caller gives none, instead of that of our tool. */
  time?: 'action' | 'navigation';
}

/**
 * The form of an answer: a text is a member of our data by its path (of our input as `input.url`), an object has members of
 * its own, a list is made item by item, and what no data can say is a function.
 */
export type Shape =
  | string
  | true
  | ((facts: Args) => unknown)
  | { readonly each: string; readonly as: Shape }
  | { readonly [member: string]: Shape };

/** `refuse` is a rule, `wrong` a mistake of the caller. */
export type Case = Done | { when?: When; refuse: string } | { when?: When; wrong: string };

/** Done by a tool of ours, or by several in order: a batch. */
export type Done = { when?: When } & (Step | { calls: readonly Step[] });

export interface Step {
  to: string;
  /** Ours → where it comes from. Ours may be a path: `window_size.width`, `files.0.path`. */
  args?: Readonly<Record<string, Source>>;
  /** Of each list only the first that is given. */
  oneOf?: readonly (readonly Readonly<Record<string, Source>>[])[];
  /** Fixed values, unless `args` says otherwise. */
  set?: Args;
}

/** Which arguments of theirs must have which value. */
export type When = Readonly<Record<string, Condition>>;
export type Condition = string | number | boolean | RegExp | { is: 'given' | 'missing' };

/** Where a value comes from. Their argument by name or path; of a list the first that is given. */
export type Source = string | readonly Source[] | From | Text | Fixed | Each | Merged | OfShown;

/** Their argument, changed on the way. What does not have the expected form stays as it is: validation says so. */
export interface From {
  from: string;
  when?: When;
  /** Their value → ours; undefined leaves the argument out. Others stay as they are. */
  values?: Readonly<Record<string, unknown>>;
  /** Theirs times this, or times another one of theirs: seconds → ms. */
  times?: number | string;
  /** Less another number of theirs. */
  minus?: string;
  /** An object of switches → the list of those that are on, in our names. */
  flags?: Readonly<Record<string, string>>;
  /** `uid` and `page` are read by what the session was shown last. */
  as?: 'text' | 'upper' | 'switch' | 'sequence' | 'positive' | 'uid' | 'page' | 'wild' | 'first';
}

/** The tab of the last snapshot. */
export interface OfShown {
  shown: 'tab';
  when?: When;
}

/** A text with arguments of theirs in braces; `{now}` is the time. */
export interface Text {
  text: string;
  when?: When;
}

export interface Fixed {
  value: unknown;
  when?: When;
}

/** A list of theirs, item by item; with `by`, an object with that member of each item as the key. */
export interface Each {
  each: string;
  args?: Readonly<Record<string, Source>>;
  /** A single value of each, instead of an object. */
  item?: Source;
  by?: string;
}

/** Several objects in one. */
export interface Merged {
  all: readonly Source[];
}
