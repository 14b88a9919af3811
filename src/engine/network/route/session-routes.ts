// Routes: the rules of one session, put before the requests of all its windows. Without rules nothing is intercepted.
import type { BrowserContext, Page, Route, WebSocketRoute } from 'playwright-core';
import type { Options } from '../../../config/options.ts';
import { Failure } from '../../../errors.ts';
import { checkAllowed } from '../../../policy/url-rules.ts';
import { type Limits, under, within } from '../../limits.ts';
import { isTargetGone } from '../../tab/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import { carryOut } from './intercept.ts';
import { watchHops } from './redirects.ts';
import { forSockets, makeRule, planFor, type Rule, type RuleInput } from './rules.ts';
import { pageOf } from './sender.ts';
import { answerSocket } from './websockets.ts';

const MOST_RULES = 100;
/** A page that is stuck or shows a dialog takes a rule in later; Chrome itself holds its requests at once. */
const TAKEN_IN_MS = 1_000;

/** What the rules need to know of the session. */
export interface RoutedHome {
  readonly tabs: ReadonlyMap<number, Tab>;
  readonly browser: { readonly options: Options };
}

export class Routes {
  #rules: Rule[] = [];
  #last = 0;
  readonly #contexts = new Set<BrowserContext>();
  /** Those whose requests ask us first. */
  readonly #routing = new WeakSet<BrowserContext>();
  /** Contexts and pages in which WebSockets ask us first. */
  readonly #sockets = new WeakSet<BrowserContext | Page>();
  readonly #home: RoutedHome;

  constructor(home: RoutedHome) {
    this.#home = home;
  }

  /** Oldest first. */
  get rules(): readonly Rule[] {
    return this.#rules;
  }

  async add(input: RuleInput, limits: Limits): Promise<Rule> {
    if (this.#rules.length >= MOST_RULES)
      throw new Failure('refused', `There are already ${MOST_RULES} routes.`, 'Remove some, or clear them.');
    const rule = makeRule(`r${this.#last + 1}`, input);
    if (rule.changes?.url !== undefined) checkAllowed(rule.changes.url, this.#home.browser.options);
    this.#last++;
    this.#rules.push(rule);
    await this.#apply(limits);
    return rule;
  }

  /** Takes away the rules for which it says so; gives them. */
  async remove(isMeant: (rule: Rule) => boolean, limits: Limits): Promise<Rule[]> {
    const removed = this.#rules.filter(isMeant);
    this.#rules = this.#rules.filter(rule => !removed.includes(rule));
    if (removed.length > 0) await this.#apply(limits);
    return removed;
  }

  /** A window of the session: what its pages send passes the rules from now on, until it is closed or let go. */
  async guard(context: BrowserContext): Promise<() => void> {
    this.#contexts.add(context);
    const closed = () => void this.#contexts.delete(context);
    context.once('close', closed);
    if (this.#rules.length > 0) await this.#applyTo(context);
    return () => void context.off('close', closed);
  }

  /** A tab that has got a page, its first or another one. */
  meet(tab: Tab): void {
    if (this.#rules.length > 0) this.#applyToTab(tab).catch(error => told(error, this.#rules, tab));
  }

  /** The tab is closed: its own rules go with it. */
  forget(tabId: number): void {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter(rule => rule.tabId !== tabId);
    if (this.#rules.length < before) this.#everywhere().catch(error => told(error, this.#rules, undefined));
  }

  async #apply(limits: Limits): Promise<void> {
    const late = new Failure('timeout', 'late');
    const bound = within(limits, TAKEN_IN_MS, () => late);
    await under(bound.signal, this.#everywhere())
      .catch(error => {
        if (error !== late && !isTargetGone(error)) throw error;
      })
      .finally(() => bound.done());
  }

  async #everywhere(): Promise<void> {
    const windows = [...this.#contexts].map(context => this.#applyTo(context));
    const tabs = [...this.#home.tabs.values()].map(tab => this.#applyToTab(tab));
    await Promise.all([...windows, ...tabs]);
  }

  async #applyTo(context: BrowserContext): Promise<void> {
    const isOn = this.#routing.has(context);
    if (this.#rules.length > 0 && !isOn) {
      this.#routing.add(context);
      await context.route(this.#isMeant, this.#routed);
    }
    if (this.#rules.length === 0 && isOn) {
      this.#routing.delete(context);
      await context.unroute(this.#isMeant, this.#routed);
    }
    if (this.#rules.some(rule => rule.tabId === undefined && forSockets(rule))) await this.#takeSockets(context);
  }

  async #applyToTab(tab: Tab): Promise<void> {
    if (tab.gone || tab.main === undefined) return;
    await watchHops(tab, this.#rules.length > 0 ? url => planFor(this.#rules, url, tab.id) : undefined);
    if (this.#rules.some(rule => rule.tabId === tab.id && forSockets(rule))) await this.#takeSockets(tab.page, tab.id);
  }

  async #takeSockets(place: BrowserContext | Page, tabId?: number): Promise<void> {
    if (this.#sockets.has(place)) return;
    this.#sockets.add(place);
    const rules = () => this.#rules.filter(rule => forSockets(rule));
    const isMeant = (url: URL) => planFor(rules(), url.href, tabId).last !== undefined;
    await place.routeWebSocket(isMeant, (socket: WebSocketRoute) =>
      answerSocket(socket, planFor(rules(), socket.url(), tabId)),
    );
  }

  readonly #isMeant = (url: URL): boolean => this.#rules.some(rule => rule.matches(url.href));

  readonly #routed = async (route: Route): Promise<void> => {
    const request = route.request();
    const page = pageOf(request);
    const tab = page && [...this.#home.tabs.values()].find(other => other.page === page);
    const plan = planFor(this.#rules, request.url(), tab?.id);
    await carryOut(route, plan, this.#home.browser.options).catch(error => told(error, plan.used, tab));
  };
}

/** A page that went away under its request is no fault; anything else is told once for each rule. */
function told(error: unknown, rules: Rule[], tab: Tab | undefined): void {
  if (isTargetGone(error)) return;
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const fresh = rules.filter(rule => rule.trouble === undefined).map(rule => rule.id);
  for (const rule of rules) rule.trouble = why;
  if (fresh.length > 0) tab?.notes.push(`Route ${fresh.join(', ')} could not be carried out: ${why}`);
}
