// Which proxy a window uses when there are url rules, and what became of urls that it tried.
import type { Protocol } from 'devtools-protocol';
import type { Failure } from '../../errors.ts';
import { notAllowed } from '../../policy/url-rules.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Page } from '../page/page.ts';
import type { Outcomes } from './outcomes.ts';

export interface WindowProxy {
  /** The proxy that enforces the rules. */
  url: string;
  outcomes: Outcomes;
}

const proxies = new WeakMap<BrowserContext, WindowProxy>();

export const setWindowProxy = (context: BrowserContext, proxy: WindowProxy): void => void proxies.set(context, proxy);

/** Undefined without rules. */
export const windowProxyOf = (context: BrowserContext): WindowProxy | undefined => proxies.get(context);

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
  const code = windowProxyOf(context)?.outcomes.errorFor(url);
  if (code === undefined || !/ERR_(?:TUNNEL|EMPTY|CONNECTION|PROXY)/.test(String(error))) return error;
  return new Error(`net::${AS_CHROME[code] ?? 'ERR_CONNECTION_FAILED'}`, { cause: error });
}

/** The part of a tab that is needed here. */
interface TabNotes {
  readonly page: Page;
  readonly notes: string[];
}

/** By tab: the url of which a failure says that it is refused, so that no note need say it. */
const reported = new WeakMap<TabNotes, string>();

/** Leaves a note on the tab when a rule refuses what it is to show; also for what it shows already, such as a refused popup. */
export async function noticeRefusals(tab: TabNotes, session: CdpSession): Promise<void> {
  const context = tab.page.context();
  if (!windowProxyOf(context)) return;
  let seen = '';
  const look = ({ id, url, unreachableUrl, loaderId }: Protocol.Page.Frame) => {
    if (id !== session.root || loaderId === seen) return;
    seen = loaderId;
    const asked = unreachableUrl ?? url;
    const refusal = refusedAt(context, asked);
    if (refusal && reported.get(tab) !== asked) tab.notes.push(refusal.message);
    reported.delete(tab);
  };
  session.on('Page.frameNavigated', ({ frame }) => look(frame));
  const { frameTree } = await session.send('Page.getFrameTree');
  look(frameTree.frame);
}

/** The failure for a navigation to this url, if a rule stopped it; then no note is left of it. */
export function refusalOf(tab: TabNotes, url: string): Failure | undefined {
  const refusal = refusedAt(tab.page.context(), url);
  if (!refusal) return undefined;
  const at = tab.notes.indexOf(refusal.message);
  if (at >= 0) tab.notes.splice(at, 1);
  else reported.set(tab, url);
  return refusal;
}
