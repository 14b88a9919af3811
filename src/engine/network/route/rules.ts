// The rules of the route tool: which requests they match, and what happens to those requests.
import { defined } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import { urlMatcher } from '../../../policy/url-pattern.ts';
import { checkUrl } from '../../../policy/urls.ts';
import { calledTool, phrase, theTool } from '../../../text.ts';
import type { UrlJudge } from '../../limits.ts';

export const HANDLERS = ['abort', 'fulfill', 'continue'] as const;

export interface RequestChanges {
  url?: string | undefined;
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  post_data?: string | undefined;
}

export interface RuleInput {
  url_pattern?: string | undefined;
  handler?: (typeof HANDLERS)[number] | undefined;
  response?:
    | {
        status?: number | undefined;
        headers?: Record<string, string> | undefined;
        body?: string | undefined;
        json?: unknown;
      }
    | undefined;
  modify?: RequestChanges | undefined;
  tabId?: number | undefined;
}

/** The response of a fulfilled request; header names in lower case. */
interface RouteResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RouteRule {
  id: string;
  pattern: string;
  handler: (typeof HANDLERS)[number];
  /** Only this tab; all tabs of the session without it. */
  tabId?: number;
  reply?: RouteResponse;
  changes?: RequestChanges;
  hits: number;
  /** Why it could not be applied the last time. */
  trouble?: string;
  matches(url: string): boolean;
}

/** What the rules do to one request. */
export interface RoutePlan {
  /** The rule that aborts or fulfills; without one the request goes on. */
  last?: RouteRule;
  changes: RequestChanges;
  used: RouteRule[];
}

export function makeRule(id: string, input: RuleInput, judge?: UrlJudge): RouteRule {
  const { url_pattern: pattern, handler, response, modify, tabId } = input;
  if (pattern === undefined || handler === undefined)
    throw new Failure(
      'bad_input',
      phrase`${calledTool('route')} add needs url_pattern and handler.`,
      `handler is ${HANDLERS.join(', ')}.`,
    );
  if (response && handler !== 'fulfill') throw misplaced('response', 'fulfill');
  if (modify && handler !== 'continue') throw misplaced('modify', 'continue');
  if (modify && /^wss?:/i.test(pattern))
    throw new Failure('bad_input', 'A WebSocket cannot be changed on its way.', 'Use handler abort or fulfill.');
  const isMeant = urlMatcher(pattern, ({ message }) => {
    rule.trouble = message;
  });
  const isAllowed = (url: string): boolean => {
    const allowed = judge?.allows(url) ?? true;
    if (!allowed) rule.trouble = 'the rules of this server keep it from some of the urls';
    return allowed;
  };
  const rule: RouteRule = {
    id,
    pattern,
    handler,
    ...defined({ tabId }),
    ...(handler === 'fulfill' && { reply: replyOf(response ?? {}) }),
    ...(handler === 'continue' && { changes: changesOf(modify ?? {}) }),
    hits: 0,
    matches: url => isMeant(url) && isAllowed(url),
  };
  return rule;
}

const misplaced = (key: string, handler: string): Failure =>
  new Failure(
    'bad_input',
    phrase`${calledTool('route')}: ${key} goes only with handler ${handler}.`,
    `Use handler ${handler}.`,
  );

function replyOf({ status = 200, headers = {}, body, json }: NonNullable<RuleInput['response']>): RouteResponse {
  if (body !== undefined && json !== undefined)
    throw new Failure('bad_input', 'A response has one body, but got body and json.', 'Give one of them.');
  const given = lowerCaseNames(headers);
  // A route leads nowhere that a navigation may not go.
  if (given.location !== undefined && /^[a-z][a-z0-9+.-]*:/i.test(given.location)) checkUrl(given.location);
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  return { status, headers: { ...type, ...given }, body: body ?? (json === undefined ? '' : JSON.stringify(json)) };
}

/** Chrome sets these headers itself; a route cannot change them. */
const FORBIDDEN_HEADERS =
  /^(?:accept-charset|accept-encoding|access-control-request-.*|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via)$/;

function changesOf(modify: RequestChanges): RequestChanges {
  const headers = modify.headers && lowerCaseNames(modify.headers);
  const fixed = Object.keys(headers ?? {}).filter(name => FORBIDDEN_HEADERS.test(name));
  if (fixed.length > 0)
    throw new Failure(
      'bad_input',
      `A route cannot change ${fixed.join(', ')}: Chrome writes it itself.`,
      fixed.includes('cookie') ? phrase`Set cookies with ${theTool('cookies')}.` : 'Leave it out.',
    );
  return { ...modify, ...(headers && { headers }), ...(modify.url && { url: webUrl(modify.url) }) };
}

function webUrl(given: string): string {
  const url = checkUrl(given);
  if (/^https?:/i.test(url)) return url;
  throw new Failure('bad_input', 'A request can only be sent on to an http or https url.', 'Give such a url.');
}

export const lowerCaseNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const appliesTo = (rule: RouteRule, tabId: number | undefined): boolean =>
  rule.tabId === undefined || rule.tabId === tabId;

/**
 * From the newest rule to the oldest: changes add up, and the first that aborts, fulfills, or lets the request go on
 * without changes decides.
 */
export function planFor(rules: readonly RouteRule[], url: string, tabId: number | undefined): RoutePlan {
  const plan: RoutePlan = { changes: {}, used: [] };
  for (const rule of rules.toReversed()) {
    if (!appliesTo(rule, tabId) || !rule.matches(url)) continue;
    if (rule.handler !== 'continue') return { last: rule, changes: {}, used: [rule] };
    plan.used.push(rule);
    if (!rule.changes || Object.keys(rule.changes).length === 0) break;
    const headers = { ...rule.changes.headers, ...plan.changes.headers };
    plan.changes = { ...rule.changes, ...plan.changes, ...(Object.keys(headers).length > 0 ? { headers } : {}) };
  }
  return plan;
}

/** Rules that can apply to a WebSocket, which has no method and no headers to change. */
export const appliesToSockets = ({ handler, pattern }: RouteRule): boolean =>
  handler !== 'continue' && !/^https?:/i.test(pattern);
