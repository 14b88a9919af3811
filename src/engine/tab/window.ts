// Windows: what a session's tabs live in, and a further one of the same browser state.
import type { BrowserContext, Page } from 'playwright-core';
import { Failure } from '../../errors.ts';
import type { AttachedTabs } from '../browser/attach/attached-tabs.ts';
import { type Limits, under } from '../limits.ts';
import type { Tab } from './tab.ts';

/** A window of browser state. */
export interface TabWindow {
  context: BrowserContext;
  /** Of the browser that was attached to, or of a profile: never closed by a session that ends. */
  borrowed: boolean;
  /** The tabs of the attached browser. */
  targets?: AttachedTabs;
  /** What the caller must be told about it. */
  note?: string;
}

/** Tells when it is closed or its browser ends; gives how to hear no more. The browser outlives it, and must not remember it then. */
export function onEnd({ context }: TabWindow, ended: () => void): () => void {
  const browser = context.browser();
  const closed = () => {
    browser?.off('disconnected', ended);
    ended();
  };
  browser?.once('disconnected', ended);
  context.once('close', closed);
  return () => {
    browser?.off('disconnected', ended);
    context.off('close', closed);
  };
}

/** Closes those that are the session's own. */
export const release = (windows: TabWindow[]) =>
  Promise.allSettled(windows.filter(window => !window.borrowed).map(window => window.context.close()));

/** A browser state that is made too late for its call is closed again. */
export async function openedInTime(signal: AbortSignal, made: Promise<BrowserContext>): Promise<BrowserContext> {
  try {
    return await under(signal, made);
  } catch (error) {
    made.then(context => context.close()).catch(() => undefined); // it was not made at all, or has gone by itself
    throw error;
  }
}

export interface Size {
  width: number;
  height: number;
}

export async function windowBeside(opener: Tab, size: Size, limits: Limits): Promise<Page> {
  const { targetInfo } = await opener.send(limits, opener.main, 'Target.getTargetInfo');
  const context = opener.page.context();
  const { browserContextId } = targetInfo;
  const [page] = await under(
    limits.signal,
    Promise.all([
      context.waitForEvent('page', { timeout: 0 }),
      create(context, { ...size, ...(browserContextId ? { browserContextId } : {}) }),
    ]),
  );
  return page;
}

/** Its page arrives as an event of the context. */
async function create(context: BrowserContext, at: Size & { browserContextId?: string }): Promise<void> {
  const browser = context.browser();
  if (!browser) throw new Failure('browser_gone', 'The browser has just ended.', 'Call again.');
  const session = await browser.newBrowserCDPSession();
  await session.send('Target.createTarget', { url: 'about:blank', newWindow: true, ...at });
  await session.detach();
}
