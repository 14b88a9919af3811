// What became of ways out: refusals are told, each once in a while; the last outcomes are kept to explain failures.

import { normalizeUrl, originOf, type UrlOrigin } from '../../policy/normalize-url.ts';
import type { UrlRules } from '../../policy/url-rules.ts';

/** Who asked for a way out: a session's window, or a frame, or neither when it was the browser itself. */
export interface Requester {
  session?: string;
  frame?: string;
}

export interface RefusedRequest extends Requester {
  /** Without its query, which may hold secrets. */
  url: string;
  rule: string;
}

/** The same refusal is told again after this time, and no more than so many in it. */
const WINDOW_MS = 10_000;
const MOST_TOLD = 100;
const MOST_KEPT = 500;

export class Outcomes {
  readonly #boundary: UrlRules;
  readonly #tell: (refused: RefusedRequest) => void;
  #told = new Set<string>();
  #since = Number.NEGATIVE_INFINITY;
  /** By origin: the rule that refused its address, or the error of the last try to connect. */
  readonly #last = new Map<string, { rule: string } | { error: string }>();

  constructor(boundary: UrlRules, tell: (refused: RefusedRequest) => void) {
    this.#boundary = boundary;
    this.#tell = tell;
  }

  refused(url: string, rule: string, asker: Requester): void {
    const spelled = normalizeUrl(url);
    const shown = spelled ? `${originOf(spelled)}${spelled.plain.path}`.slice(0, 300) : url.slice(0, 300);
    this.#tellOnce({ ...asker, url: shown, rule });
  }

  /** No way leads to the place: its address is refused, or could not be connected to. */
  failed(place: UrlOrigin, why: { rule: string } | { error: string }): void {
    this.#keep(place, why);
  }

  connected(place: UrlOrigin): void {
    this.#last.delete(originOf(place));
  }

  /** The rule that refuses the url, or refused it when it was tried last. */
  ruleFor(url: string): string | undefined {
    const last = this.#lastOf(url);
    return this.#boundary.refusal(url) ?? (last && 'rule' in last ? last.rule : undefined);
  }

  /** The code of the error that the last try to reach the url's host ended with. */
  errorFor(url: string): string | undefined {
    const last = this.#lastOf(url);
    return last && 'error' in last ? last.error : undefined;
  }

  #lastOf(url: string) {
    const place = normalizeUrl(url);
    return place && this.#last.get(originOf(place));
  }

  #keep(place: UrlOrigin, outcome: { rule: string } | { error: string }): void {
    const key = originOf(place);
    this.#last.delete(key);
    this.#last.set(key, outcome);
    for (const [oldest] of this.#last) {
      if (this.#last.size <= MOST_KEPT) break;
      this.#last.delete(oldest);
    }
  }

  #tellOnce(refused: RefusedRequest): void {
    const now = performance.now();
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#told = new Set();
    }
    const key = JSON.stringify([refused.session, refused.url, refused.rule]);
    if (this.#told.has(key) || this.#told.size > MOST_TOLD) return;
    this.#told.add(key);
    const isLast = this.#told.size > MOST_TOLD;
    this.#tell(
      isLast ? { ...refused, url: `${refused.url} and others, for ${WINDOW_MS / 1_000} s not listed` } : refused,
    );
  }
}
