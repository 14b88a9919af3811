// Tells the agent when a rule kept a tab from a page: with the next answer, unless the call itself failed for it.
import type { Protocol } from 'devtools-protocol';
import type { Page } from 'playwright-core';
import type { Failure } from '../../errors.ts';
import type { CdpSession } from '../tab/cdp-session.ts';
import { refusedAt, windowProxyOf } from './window-proxies.ts';

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
