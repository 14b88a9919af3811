// The routes of one session: rules for the requests of all its windows. Without rules nothing is intercepted.
import { isTargetGone } from '../../../cdp/errors.ts';
import type { Options } from '../../../config/options.ts';
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { checkAllowed } from '../../../policy/url-rules.ts';
import { calledTool, phrase } from '../../../text.ts';
import { inTime, type Limits, under } from '../../limits.ts';
import type { BrowserContext } from '../../page/browser-context.ts';
import type { Tab, TabContext } from '../../tab/tab.ts';
import type { ChildSession } from '../child-session.ts';
import { applyPlan } from './intercept.ts';
import { Router, type RouterEvents } from './router.ts';
import { appliesToSockets, makeRule, planFor, type RouteRule, type RuleInput } from './rules.ts';
import { RoutedSockets } from './sockets.ts';

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
  /** By browser; none without rules. */
  readonly #routers = new Map<unknown, Router>();
  readonly #sockets = new WeakMap<ChildSession, RoutedSockets>();
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
    const closed = () => {
      this.#contexts.delete(context);
      if (!context.browser().isConnected()) this.#routers.delete(context.browser());
    };
    context.once('close', closed);
    if (this.#rules.length > 0) await this.#cover(context);
    return () => void context.off('close', closed);
  }

  /** Removes the rules of a tab that was closed. */
  removeTab(tabId: number): void {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter(rule => rule.tabId !== tabId);
    if (this.#rules.length < before) this.#update().catch(error => reportTrouble(error, this.#rules, undefined));
  }

  async #apply(limits: Limits): Promise<void> {
    await inTime(limits, APPLY_MS, bound => under(bound.signal, this.#update())).catch(error => {
      if (!isTargetGone(error)) throw error;
    });
  }

  async #update(): Promise<void> {
    if (this.#rules.length > 0) await Promise.all([...this.#contexts].map(context => this.#cover(context)));
    else {
      const routers = [...this.#routers.values()];
      this.#routers.clear();
      await Promise.all(routers.map(router => this.#end(router)));
    }
  }

  async #cover(context: BrowserContext): Promise<void> {
    const router = this.#router(context);
    await router.cover(context);
    await router.eachSession((session, page) => this.#routeSockets(session, page));
  }

  async #end(router: Router): Promise<void> {
    await router.eachSession(async session => this.#sockets.get(session)?.end());
    await router.close();
  }

  /** From the first rule on that can apply to a WebSocket. */
  async #routeSockets(session: ChildSession, page: string): Promise<void> {
    if (this.#sockets.has(session) || !this.#rules.some(appliesToSockets)) return;
    const sockets = new RoutedSockets(session, url =>
      planFor(this.#rules.filter(appliesToSockets), url, this.#tabOf(page)?.id),
    );
    this.#sockets.set(session, sockets);
    await sockets.begin();
  }

  #tabOf(page: string | undefined): Tab | undefined {
    return [...this.#session.tabs.values()].find(({ main }) => page !== undefined && main?.root === page);
  }

  #router(context: BrowserContext): Router {
    const browser = context.browser();
    const { cdpEndpoint } = this.#session.browser.options;
    const router = this.#routers.get(browser) ?? new Router(this.#events, cdpEndpoint !== undefined);
    this.#routers.set(browser, router);
    return router;
  }

  readonly #events: RouterEvents = {
    paused: (session, event, page) => {
      const tab = this.#tabOf(page);
      const plan = planFor(this.#rules, event.request.url, tab?.id);
      const { options } = this.#session.browser;
      applyPlan(session, event, plan, { tab, options }).catch(error => reportTrouble(error, plan.used, tab));
    },
    prepare: (session, page) => this.#routeSockets(session, page),
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
