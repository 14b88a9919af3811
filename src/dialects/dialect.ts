// The type of a dialect: the tool names and arguments of another server, as data.

export type Args = Readonly<Record<string, unknown>>;
export type Schema = Readonly<Record<string, unknown>>;

/** Another server's names over our tools. */
export interface Dialect {
  /** Its tools by name, in the order in which they are listed. */
  rows: Readonly<Record<string, Row>>;
  /** Which of its tools does what ours does, for hints. */
  names: Readonly<Record<string, string>>;
  /** What to try next after a failure of that code, when our own words for it help nobody there. */
  hints?: Readonly<Record<string, string>>;
  /** What it writes before the number of a ref. */
  ref: string;
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
}

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
  says?: string;
}

export type Case = Done | { when?: When; refuse: string };

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
export type Source = string | readonly Source[] | From | Text | Fixed | Each | Merged;

/** Their argument, changed on the way. What does not have the expected form stays as it is: validation says so. */
export interface From {
  from: string;
  when?: When;
  /** Their value → ours; undefined leaves the argument out. Others stay as they are. */
  values?: Readonly<Record<string, unknown>>;
  /** Theirs times this: seconds → ms. */
  times?: number;
  /** Less another number of theirs. */
  minus?: string;
  /** An object of switches → the list of those that are on, in our names. */
  flags?: Readonly<Record<string, string>>;
  as?: 'text' | 'upper' | 'switch' | 'sequence';
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
  args: Readonly<Record<string, Source>>;
  by?: string;
}

/** Several objects in one. */
export interface Merged {
  all: readonly Source[];
}
