// Which way out a window has, when there are rules for urls, and what became of urls that were tried on it.

import type { Protocol } from 'devtools-protocol';
import type { BrowserContext, Page } from 'playwright-core';
import type { Failure } from '../../errors.ts';
import { notAllowed } from '../../policy/url-rules.ts';
import type { CdpSession } from '../tab/cdp-session.ts';
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

/** A tab, as far as it is needed here. */
interface Noted {
  readonly page: Page;
  readonly notes: string[];
}

/** Addresses that a failure has told, or is about to tell. */
const told = new WeakMap<Noted, string>();

/** From now on, and for what the tab shows already: a popup may have ended at a rule before anybody listened. */
export async function noticeRefusals(tab: Noted, wire: CdpSession): Promise<void> {
  const context = tab.page.context();
  if (!windowProxyOf(context)) return;
  const look = ({ id, url, unreachableUrl }: Protocol.Page.Frame) => {
    if (id !== wire.root) return;
    const asked = unreachableUrl ?? url;
    const refusal = refusedAt(context, asked);
    if (refusal && told.get(tab) !== asked) tab.notes.push(refusal.message);
    told.delete(tab);
  };
  wire.on('Page.frameNavigated', ({ frame }) => look(frame));
  const { frameTree } = await wire.send('Page.getFrameTree');
  look(frameTree.frame);
}

/** The failure for a navigation to this url, if a rule stopped it; then no note is left of it. */
export function refusalOf(tab: Noted, url: string): Failure | undefined {
  const refusal = refusedAt(tab.page.context(), url);
  if (!refusal) return undefined;
  const at = tab.notes.indexOf(refusal.message);
  if (at >= 0) tab.notes.splice(at, 1);
  else told.set(tab, url);
  return refusal;
}
