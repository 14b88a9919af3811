// Route: adds, removes and lists the rules for the requests of a session.
import { Failure } from '../../../errors.ts';
import { calledTool, phrase } from '../../../text.ts';
import type { Limits } from '../../limits.ts';
import type { Tab } from '../../tab/tab.ts';
import type { Rule, RuleInput } from './rules.ts';
import type { Routes } from './session-routes.ts';

export const ROUTE_ACTIONS = ['add', 'remove', 'clear', 'list'] as const;

export interface RouteInput extends RuleInput {
  action: (typeof ROUTE_ACTIONS)[number];
  route_id?: string | undefined;
}

export interface RouteRow {
  route_id: string;
  url_pattern: string;
  handler: Rule['handler'];
  tabId?: number;
  /** How many requests it has been used for. */
  hits: number;
  trouble?: string;
}

export interface RoutesDone {
  added?: RouteRow;
  removed?: RouteRow[];
  routes?: RouteRow[];
}

interface Home {
  readonly routes: Routes;
  tab(tabId: number | undefined, limits: Limits): Promise<Tab>;
}

export function changeRoutes(home: Home, input: RouteInput, limits: Limits): Promise<RoutesDone> {
  return ACTIONS[input.action](home, input, limits);
}

type Action = (home: Home, input: RouteInput, limits: Limits) => Promise<RoutesDone>;

const ACTIONS: Record<RouteInput['action'], Action> = {
  async add(home, input, limits) {
    if (input.tabId !== undefined) await home.tab(input.tabId, limits);
    return { added: rowOf(await home.routes.add(input, limits)) };
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
    const holds = (rule: Rule) => tabId === undefined || rule.tabId === undefined || rule.tabId === tabId;
    return { routes: routes.rules.filter(holds).map(rowOf) };
  },
};

const rowOf = ({ id, pattern, handler, tabId, hits, trouble }: Rule): RouteRow => ({
  route_id: id,
  url_pattern: pattern,
  handler,
  ...(tabId === undefined ? {} : { tabId }),
  hits,
  ...(trouble === undefined ? {} : { trouble }),
});
