// Failure: the one error class, and the table of codes a caller can meet.
import type { Phrase } from './text.ts';

/** Every code with what it means; the docs are generated from this table. */
export const CODES = {
  bad_input: 'The arguments do not fit the tool.',
  unknown_tool: 'No tool has that name.',
  refused: 'A rule refuses this call.',
  not_approved: 'A person was asked about this call and did not agree.',
  paused_by_person: 'A person has taken over the session; calls that act wait until it is handed back.',
  rate_limited: 'The caller sends more calls than it may.',
  no_session: 'There is no such session.',
  no_profile: 'There is no such profile.',
  profile_running: 'The browser of that profile runs.',
  profile_taken: 'Another profile or another browser has that id or folder.',
  browser_not_running: 'The browser of that profile does not run.',
  not_found: 'Nothing matches the target.',
  ambiguous: 'The target matches several elements.',
  stale_ref: 'The ref names an element that is gone.',
  changed_ref: 'The element behind the ref now says something else.',
  not_actionable: 'The element is covered, hidden, disabled, read-only or moving.',
  not_taken: 'The page did not take the value.',
  dialog_open: 'A dialog blocks the page.',
  no_dialog: 'There is no dialog to handle.',
  no_tab: 'There is no such tab.',
  no_frame: 'There is no such frame.',
  navigation_failed: 'The page could not be loaded.',
  no_history: 'The tab has no earlier or later page to go to.',
  request_failed: 'The request got no answer that can be read.',
  script_error: 'The script threw an error.',
  page_unresponsive: 'The page did not answer in time.',
  page_crashed: 'The page crashed.',
  browser_gone: 'The browser ended during the call.',
  browser_missing: 'No browser could be found or started.',
  server_gone: 'The server could not be reached, or ended during the call.',
  timeout: 'The time for the call is over.',
  cancelled: 'The caller cancelled the call.',
  file_error: 'A file could not be read or written.',
  listen_failed: 'The HTTP server could not listen at its address.',
  internal: 'A fault in Tabwright itself.',
} as const;

export type Code = keyof typeof CODES;

/** What cannot be right as it was sent, whatever the page does. */
export const WRONG_USAGE: readonly string[] = ['bad_input', 'unknown_tool'] satisfies Code[];

export interface FailureOptions extends ErrorOptions {
  /** The rule that refused; the journal keeps it. */
  rule?: string | undefined;
}

/** What happened, in words a model can act on, and what to try next. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly hint?: string;
  readonly rule?: string;
  readonly #message: string | Phrase;
  readonly #hint: string | Phrase | undefined;
  constructor(
    readonly code: Code,
    message: string | Phrase,
    hint?: string | Phrase,
    { rule, ...options }: FailureOptions = {},
  ) {
    super(String(message), options);
    this.#message = message;
    this.#hint = hint;
    if (hint !== undefined) this.hint = String(hint);
    if (rule !== undefined) this.rule = rule;
  }

  /** The message with the names in it marked, for a dialect that writes them differently. */
  get messageText(): string | Phrase {
    return this.#message;
  }

  get hintText(): string | Phrase | undefined {
    return this.#hint;
  }
}

/** A refusal. The message should name the rule too: a caller reads nothing else. */
export const refusedBy = (
  rule: string,
  message: string | Phrase,
  hint?: string | Phrase,
  options?: ErrorOptions,
): Failure => new Failure('refused', message, hint, { ...options, rule });
