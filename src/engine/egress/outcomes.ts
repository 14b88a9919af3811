// What became of requests: refusals are reported, each once in a while; the last outcome per origin is kept to explain failures.
import { normalizeUrl, originOf, type UrlOrigin } from '../../policy/normalize-url.ts';
import type { UrlRules } from '../../policy/url-rules.ts';
import { RuleRefusal } from './refusal.ts';

/** Who sent a request: a session's window, or a frame, or neither when it was the browser itself. */
export interface Requester {
  session?: string;
  frame?: string;
}

export interface RefusedRequest extends Requester {
  /** Without its query, which may hold secrets. */
  url: string;
  rule: string;
}

/** The same refusal is reported again after this time, and no more than so many in it. */
const WINDOW_MS = 10_000;
const MOST_REPORTED = 100;
const MOST_ORIGINS = 500;

export class Outcomes {
  readonly #rules: UrlRules;
  readonly #report: (refused: RefusedRequest) => void;
  #reported = new Set<string>();
  #since = Number.NEGATIVE_INFINITY;
  /** By origin, the oldest first: the rule that refused its address, or the error of the last try to connect. */
  readonly #last = new Map<string, { rule?: string; error?: string }>();

  constructor(rules: UrlRules, report: (refused: RefusedRequest) => void) {
    this.#rules = rules;
    this.#report = report;
  }

  refused(url: string, rule: string, requester: Requester): void {
    const normalized = normalizeUrl(url);
    const shown = normalized ? `${originOf(normalized)}${normalized.plain.path}` : url;
    this.#reportOnce({ ...requester, url: shown.slice(0, 300), rule });
  }

  /** There is no connection for the url: a rule refuses it, or connecting failed. */
  failed(origin: UrlOrigin, url: string, error: unknown, requester: Requester): void {
    if (error instanceof RuleRefusal) {
      this.refused(url, error.rule, requester);
      if (error.byAddress) this.#keep(origin, { rule: error.rule });
    } else this.#keep(origin, { error: (error as NodeJS.ErrnoException).code ?? 'ERR_UNKNOWN' });
  }

  connected(origin: UrlOrigin): void {
    this.#last.delete(originOf(origin));
  }

  /** The rule that refuses the url, or refused it when it was tried last. */
  ruleFor(url: string): string | undefined {
    return this.#rules.refusal(url) ?? this.#lastOf(url)?.rule;
  }

  /** The code of the error that the last try to reach the url's host ended with. */
  errorFor(url: string): string | undefined {
    return this.#lastOf(url)?.error;
  }

  #lastOf(url: string) {
    const origin = normalizeUrl(url);
    return origin && this.#last.get(originOf(origin));
  }

  #keep(origin: UrlOrigin, outcome: { rule?: string; error?: string }): void {
    const key = originOf(origin);
    this.#last.delete(key);
    this.#last.set(key, outcome);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST_ORIGINS && oldest !== undefined) this.#last.delete(oldest);
  }

  #reportOnce(refused: RefusedRequest): void {
    const now = performance.now();
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#reported = new Set();
    }
    const key = JSON.stringify([refused.session, refused.url, refused.rule]);
    if (this.#reported.has(key) || this.#reported.size > MOST_REPORTED) return;
    this.#reported.add(key);
    const isLast = this.#reported.size > MOST_REPORTED;
    this.#report(
      isLast ? { ...refused, url: `${refused.url} and others, for ${WINDOW_MS / 1_000} s not listed` } : refused,
    );
  }
}
