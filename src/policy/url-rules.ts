// The url rules of the options: which urls and addresses the browser may reach. Every refusal is the text of its rule.
import { ellipsis } from '../ellipsis.ts';
import { type Failure, refusedBy } from '../errors.ts';
import { addressOf, asHost, privateKind } from './addresses.ts';
import { type ClosedPlaceOptions, closedBy } from './closed-places.ts';
import { normalizeUrl, type UrlOrigin } from './normalize-url.ts';
import { compilePatterns, type Patterns } from './patterns.ts';

export interface UrlRuleOptions extends ClosedPlaceOptions {
  readonly allowUrls: readonly string[];
  readonly blockUrls: readonly string[];
  readonly blockPrivate?: boolean | undefined;
}

/** What is known without the path: refused by a rule, only partly open, or open. */
export interface UrlVerdict {
  rule?: string;
  partly?: true;
}

const compiled = new WeakMap<UrlRuleOptions, UrlRules>();

/** The rules of these options, compiled once. */
export function urlRulesOf(options: UrlRuleOptions): UrlRules {
  const known = compiled.get(options) ?? new UrlRules(options);
  compiled.set(options, known);
  return known;
}

export class UrlRules {
  readonly #allow: Patterns | undefined;
  readonly #block: Patterns;
  readonly #blockPrivate: boolean;
  readonly #closed: ClosedPlaceOptions;

  /** A text that is no pattern ends in a Failure. */
  constructor({ allowUrls, blockUrls, blockPrivate = false, cdpEndpoint, browsers }: UrlRuleOptions) {
    this.#allow = allowUrls.length === 0 ? undefined : compilePatterns(allowUrls);
    this.#block = compilePatterns(blockUrls);
    this.#blockPrivate = blockPrivate;
    this.#closed = { cdpEndpoint, ...(browsers && { browsers }) };
  }

  /** Places that are always closed do not count. */
  get hasRules(): boolean {
    return this.#allow !== undefined || this.#block.texts.length > 0 || this.#blockPrivate;
  }

  /** Hosts, with `*` for any part, where some rule looks at the path; elsewhere scheme, host and port decide. */
  get pathHosts(): readonly string[] {
    return [...this.#block.pathHosts, ...(this.#allow?.pathHosts ?? [])];
  }

  /** Some rule looks at the address behind a name. */
  get byAddress(): boolean {
    return this.#blockPrivate || this.#block.hosts.some(host => addressOf(host) !== undefined);
  }

  /** The rule that refuses a url; undefined when it may be reached. A url without a host, such as data:, reaches nothing. */
  refusal(url: string): string | undefined {
    const origin = normalizeUrl(url);
    if (!origin) return undefined;
    const closed = closedBy(origin, this.#closed);
    if (closed !== undefined) return closed;
    const blocking = this.#block.match(url);
    if (blocking !== undefined) return blockedBy(blocking);
    if (this.#allow && this.#allow.covers(url) === undefined) return NOT_ALLOWED;
    return this.#privateHost(origin);
  }

  /** What holds for all urls of an origin, as far as that is known before anything is looked up. */
  at(origin: UrlOrigin): UrlVerdict {
    const closed = closedBy(origin, this.#closed);
    if (closed !== undefined) return { rule: closed };
    const blocked = this.#block.at(origin);
    if (blocked.all !== undefined) return { rule: blockedBy(blocked.all) };
    const allowed = this.#allow?.at(origin) ?? { all: '' };
    if (allowed.all === undefined && allowed.some === undefined) return { rule: NOT_ALLOWED };
    const rule = this.#privateHost(origin);
    if (rule !== undefined) return { rule };
    return blocked.some !== undefined || allowed.all === undefined ? { partly: true } : {};
  }

  /** The rule that refuses an address which the host of the origin leads to. */
  addressRefusal(address: string, origin: UrlOrigin): string | undefined {
    const there = { ...origin, host: asHost(address) };
    const closed = closedBy(there, this.#closed);
    if (closed !== undefined) return closed;
    const blocking = this.#block.naming(there, 'all');
    if (blocking !== undefined) return blockedBy(blocking);
    if (!this.#blockPrivate) return undefined;
    const kind = privateKind(address);
    if (kind === undefined || this.#allow?.naming(there) !== undefined || this.#isNamedLocal(origin)) return undefined;
    return notPublic(`${asHost(address)} is ${kind} address`);
  }

  #privateHost(origin: UrlOrigin): string | undefined {
    if (!this.#blockPrivate) return undefined;
    const address = addressOf(origin.host);
    if (address !== undefined) return this.addressRefusal(address, origin);
    return isLocalName(origin.host) && !this.#isNamedLocal(origin)
      ? notPublic(`${origin.host} is a name of this machine`)
      : undefined;
  }

  /** Who writes localhost into the list of what is allowed can mean only this machine. Of other names that is not sure. */
  #isNamedLocal(origin: UrlOrigin): boolean {
    return isLocalName(origin.host) && this.#allow?.naming(origin) !== undefined;
  }
}

/** Names that always mean this machine. */
export const isLocalName = (host: string): boolean => /(?:^|\.)localhost$/.test(host);

const NOT_ALLOWED = 'not in --allow-urls';
const blockedBy = (pattern: string): string => `--block-urls ${pattern}`;
const notPublic = (why: string): string => `--block-private (${why})`;

/** The Failure for a refused url. */
export const notAllowed = (url: string, rule: string): Failure =>
  refusedBy(
    rule,
    `URL not allowed: ${ellipsis(url, 200)}: rule "${rule}".`,
    'Use another url: this rule was set when the server was started.',
  );

/** Throws when a rule refuses the url. */
export function checkAllowed(url: string, options: UrlRuleOptions): void {
  const rule = urlRulesOf(options).refusal(url);
  if (rule !== undefined) throw notAllowed(url, rule);
}
