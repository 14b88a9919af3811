// What an everyday job on a page is: steps as a person would tell them, and what the page must have recorded in the end.

/**
 * An element as a person names it: `button "Save"`, `"Soup"` (whatever it is), `textbox` (the first one),
 * `button "Delete" in "Invoice 7"` (the one beside these words), `textbox #2` (the second one).
 */
export type Target = string;

export type Step =
  /** `times`: with the same ref, without looking again unless that is refused. */
  | { click: Target; times?: number }
  | { dblclick: Target }
  | { rightclick: Target }
  | { hover: Target }
  /** Sets a field of any kind. */
  | { fill: Target; with: string }
  /** Chooses an option of a list of any kind. */
  | { select: string; in: Target }
  /** Key by key, into what has the focus. */
  | { type: string }
  | { press: string; times?: number }
  | { drag: Target; onto: Target }
  | { drag: Target; before: Target }
  | { drag: Target; after: Target }
  /** Scrolls a list until it shows something. */
  | { reach: Target; in: Target };

export interface Job {
  name: string;
  steps: readonly Step[];
  /** Key → value of what the page recorded in `window.outcome`. */
  expect: Readonly<Record<string, unknown>>;
}

/** Name of a page → the jobs on it. */
export type Jobs = Readonly<Record<string, readonly Job[]>>;
