// The routes of one session: rules for the requests of all its windows. Without rules nothing is intercepted.
import type { BrowserContext, Page, Route, WebSocketRoute } from 'playwright-core';
import type { Options } from '../../../config/options.ts';
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { checkAllowed } from '../../../policy/url-rules.ts';
import { calledTool, phrase } from '../../../text.ts';
import { inTime, type Limits, under } from '../../limits.ts';
import { isTargetGone } from '../../tab/cdp-session.ts';
import type { Tab, TabContext } from '../../tab/tab.ts';
import { pageOf } from '../capture/entry.ts';
import { applyPlan, applyToSocket, routeRedirects } from './intercept.ts';
import { appliesToSockets, makeRule, planFor, type RouteRule, type RuleInput } from './rules.ts';

const MOST_RULES = 100;
/** A page that is stuck or shows a dialog gets the rule later; Chrome itself pauses its requests at once. */
const APPLY_MS = 1_000;

/** The session whose requests are routed; its Context cannot be imported here, because it has these routes. */
interface RoutedSession extends TabContext {
  readonly routes: SessionRoutes;
  readonly browser: { readonly options: Options };
}

export class SessionRoutes {
  #rules: RouteRule[] = [];
  #last = 0;
  readonly #contexts = new Set<BrowserContext>();
  /** Contexts with a Playwright route on them. */
  readonly #intercepted = new WeakSet<BrowserContext>();
  /** Contexts and pages whose WebSockets are intercepted. */
  readonly #socketsIntercepted = new WeakSet<BrowserContext | Page>();
  readonly #session: RoutedSession;

  constructor(session: RoutedSession) {
    this.#session = session;
  }

  /** Oldest first. */
  get rules(): readonly RouteRule[] {
    return this.#rules;
  }

  async add(input: RuleInput, limits: Limits): Promise<RouteRule> {
    if (this.#rules.length >= MOST_RULES)
      throw new Failure('refused', `There are already ${MOST_RULES} routes.`, 'Remove some, or clear them.');
    const rule = makeRule(`r${this.#last + 1}`, input, limits.judge);
    if (rule.changes?.url !== undefined) checkAllowed(rule.changes.url, this.#session.browser.options);
    this.#last++;
    this.#rules.push(rule);
    await this.#apply(limits);
    return rule;
  }

  async remove(isMeant: (rule: RouteRule) => boolean, limits: Limits): Promise<RouteRule[]> {
    const removed = this.#rules.filter(isMeant);
    this.#rules = this.#rules.filter(rule => !removed.includes(rule));
    if (removed.length > 0) await this.#apply(limits);
    return removed;
  }

  /** Applies the rules to a window of the session, until it closes or the returned function is called. */
  async addWindow(context: BrowserContext): Promise<() => void> {
    this.#contexts.add(context);
    const closed = () => void this.#contexts.delete(context);
    context.once('close', closed);
    if (this.#rules.length > 0) await this.#applyTo(context);
    return () => void context.off('close', closed);
  }

  /** Called for each page that a tab gets, its first or another one. */
  attach(tab: Tab): void {
    if (this.#rules.length > 0) this.#applyToTab(tab).catch(error => reportTrouble(error, this.#rules, tab));
  }

  /** Removes the rules of a tab that was closed. */
  removeTab(tabId: number): void {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter(rule => rule.tabId !== tabId);
    if (this.#rules.length < before)
      this.#applyEverywhere().catch(error => reportTrouble(error, this.#rules, undefined));
  }

  async #apply(limits: Limits): Promise<void> {
    await inTime(limits, APPLY_MS, bound => under(bound.signal, this.#applyEverywhere())).catch(error => {
      if (!isTargetGone(error)) throw error;
    });
  }

  async #applyEverywhere(): Promise<void> {
    const windows = [...this.#contexts].map(context => this.#applyTo(context));
    const tabs = [...this.#session.tabs.values()].map(tab => this.#applyToTab(tab));
    await Promise.all([...windows, ...tabs]);
  }

  async #applyTo(context: BrowserContext): Promise<void> {
    const isOn = this.#intercepted.has(context);
    if (this.#rules.length > 0 && !isOn) {
      this.#intercepted.add(context);
      await context.route(this.#isMeant, this.#handle);
    }
    if (this.#rules.length === 0 && isOn) {
      this.#intercepted.delete(context);
      await context.unroute(this.#isMeant, this.#handle);
    }
    if (this.#rules.some(rule => rule.tabId === undefined && appliesToSockets(rule)))
      await this.#interceptSockets(context);
  }

  async #applyToTab(tab: Tab): Promise<void> {
    if (tab.gone || tab.main === undefined) return;
    await routeRedirects(tab, this.#rules.length > 0 ? url => planFor(this.#rules, url, tab.id) : undefined);
    if (this.#rules.some(rule => rule.tabId === tab.id && appliesToSockets(rule)))
      await this.#interceptSockets(tab.page, tab.id);
  }

  async #interceptSockets(target: BrowserContext | Page, tabId?: number): Promise<void> {
    if (this.#socketsIntercepted.has(target)) return;
    this.#socketsIntercepted.add(target);
    const rules = () => this.#rules.filter(rule => appliesToSockets(rule));
    const isMeant = (url: URL) => planFor(rules(), url.href, tabId).last !== undefined;
    await target.routeWebSocket(isMeant, (socket: WebSocketRoute) =>
      applyToSocket(socket, planFor(rules(), socket.url(), tabId)),
    );
  }

  readonly #isMeant = (url: URL): boolean => this.#rules.some(rule => rule.matches(url.href));

  readonly #handle = async (route: Route): Promise<void> => {
    const request = route.request();
    const page = pageOf(request);
    const tab = page && [...this.#session.tabs.values()].find(other => other.page === page);
    const plan = planFor(this.#rules, request.url(), tab?.id);
    await applyPlan(route, plan, tab, this.#session.browser.options).catch(error =>
      reportTrouble(error, plan.used, tab),
    );
  };
}

/** A page that went away under its request is no fault; any other error is reported once for each rule. */
function reportTrouble(error: unknown, rules: RouteRule[], tab: Tab | undefined): void {
  if (isTargetGone(error)) return;
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const fresh = rules.filter(rule => rule.trouble === undefined).map(rule => rule.id);
  for (const rule of rules) rule.trouble = why;
  if (fresh.length > 0) tab?.notes.push(`Route ${fresh.join(', ')} could not be carried out: ${why}`);
}

export const ROUTE_ACTIONS = ['add', 'remove', 'clear', 'list'] as const;

export interface RouteInput extends RuleInput {
  action: (typeof ROUTE_ACTIONS)[number];
  route_id?: string | undefined;
}

export interface RouteRow {
  route_id: string;
  url_pattern: string;
  handler: RouteRule['handler'];
  tabId?: number;
  /** How many requests it has been used for. */
  hits: number;
  trouble?: string;
}

export interface RouteResult {
  added?: RouteRow;
  removed?: RouteRow[];
  routes?: RouteRow[];
}

export function changeRoutes(session: RoutedSession, input: RouteInput, limits: Limits): Promise<RouteResult> {
  return ACTIONS[input.action](session, input, limits);
}

type Action = (session: RoutedSession, input: RouteInput, limits: Limits) => Promise<RouteResult>;

const ACTIONS: Record<RouteInput['action'], Action> = {
  async add(session, input, limits) {
    if (input.tabId !== undefined) await session.tab(input.tabId, limits);
    return { added: rowOf(await session.routes.add(input, limits)) };
  },
  async remove({ routes }, { route_id: id }, limits) {
    const removed = await routes.remove(rule => rule.id === id, limits);
    if (removed.length > 0) return { removed: removed.map(rowOf) };
    const ids = routes.rules.map(rule => rule.id).join(', ');
    throw new Failure(
      id === undefined ? 'bad_input' : 'not_found',
      id === undefined
        ? phrase`${calledTool('route')} remove needs route_id.`
        : `There is no route ${JSON.stringify(id)}.`,
      ids === '' ? 'There are no routes.' : `Routes: ${ids}.`,
    );
  },
  async clear({ routes }, { tabId }, limits) {
    const removed = await routes.remove(rule => tabId === undefined || rule.tabId === tabId, limits);
    return { removed: removed.map(rowOf) };
  },
  async list({ routes }, { tabId }) {
    const holds = (rule: RouteRule) => tabId === undefined || rule.tabId === undefined || rule.tabId === tabId;
    return { routes: routes.rules.filter(holds).map(rowOf) };
  },
};

const rowOf = ({ id, pattern, handler, tabId, hits, trouble }: RouteRule): RouteRow => ({
  route_id: id,
  url_pattern: pattern,
  handler,
  ...defined({ tabId }),
  hits,
  ...defined({ trouble }),
});
