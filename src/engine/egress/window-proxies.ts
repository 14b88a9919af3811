// Which way out a window has, when there are rules for urls, and what became of urls that were tried on it.
import type { BrowserContext } from 'playwright-core';
import type { Failure } from '../../errors.ts';
import { notAllowed } from '../../policy/url-rules.ts';
import type { Outcomes } from './outcomes.ts';

export interface WindowProxy {
  /** The proxy that holds the rules. */
  url: string;
  outcomes: Outcomes;
}

const exits = new WeakMap<BrowserContext, WindowProxy>();

export const setWindowProxy = (context: BrowserContext, exit: WindowProxy): void => void exits.set(context, exit);

/** Undefined without rules. */
export const windowProxyOf = (context: BrowserContext): WindowProxy | undefined => exits.get(context);

/** Why a rule does not let the window reach this url, as far as that is known. */
export function refusedAt(context: BrowserContext, url: string): Failure | undefined {
  const rule = windowProxyOf(context)?.outcomes.ruleFor(url);
  return rule === undefined ? undefined : notAllowed(url, rule);
}

/** What Chrome would have said without a proxy. */
const AS_CHROME: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'ERR_CONNECTION_REFUSED',
  ECONNRESET: 'ERR_CONNECTION_RESET',
  ENOTFOUND: 'ERR_NAME_NOT_RESOLVED',
  EAI_AGAIN: 'ERR_NAME_NOT_RESOLVED',
  ETIMEDOUT: 'ERR_CONNECTION_TIMED_OUT',
  EHOSTUNREACH: 'ERR_ADDRESS_UNREACHABLE',
  ENETUNREACH: 'ERR_INTERNET_DISCONNECTED',
  PROXY_DOWN: 'ERR_PROXY_CONNECTION_FAILED',
  PROXY_REFUSES: 'ERR_TUNNEL_CONNECTION_FAILED',
};

/** The proxy hides from Chrome why it could not connect: the error in Chrome's own words. */
export function plainError(context: BrowserContext, url: string, error: unknown): unknown {
  const exit = windowProxyOf(context);
  const code = exit?.outcomes.errorFor(url);
  if (code === undefined || !/ERR_(?:TUNNEL|EMPTY|CONNECTION|PROXY)/.test(String(error))) return error;
  return new Error(`net::${AS_CHROME[code] ?? 'ERR_CONNECTION_FAILED'}`, { cause: error });
}
