// What origins keep in the browser, reached beside the tabs: a tab may be elsewhere, busy or blocked.
import type { Browser } from 'playwright-core';
import { Failure } from '../../errors.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import type { Items } from './area.ts';
import { type HiddenPage, withHiddenPage } from './hidden-page.ts';

/** A browser state: of a session, of a window of its own, or of the browser itself when it has no id. */
export interface Realm {
  browser: Browser;
  contextId: string | undefined;
}

/** The one that the tab lives in. */
export async function realmOf(tab: Tab, limits: Limits): Promise<Realm> {
  const browser = tab.page.context().browser();
  if (!browser) throw new Failure('browser_gone', 'The browser has just ended.', 'Call again.');
  const { targetInfo } = await tab.send(limits, tab.main, 'Target.getTargetInfo');
  return { browser, contextId: targetInfo.browserContextId };
}

/** The origin of an http or https url, as storage knows it; empty for any other. */
export const siteOrigin = (url: string): string =>
  /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : '';

/** Visits the origins one after the other. One that cannot be reached does not keep the others from it. */
export function inOrigins<T, R extends { origin: string }>(
  { browser, contextId }: Realm,
  rows: R[],
  limits: Limits,
  use: (page: HiddenPage, row: R) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  return withHiddenPage(browser, contextId, limits, async page => {
    const results: PromiseSettledResult<T>[] = [];
    for (const row of rows) {
      const visited = page.visit(row.origin).then(() => use(page, row));
      results.push(...(await Promise.allSettled([visited])));
    }
    return results;
  });
}

export const READ_LOCAL =
  'Array.from({ length: localStorage.length }, (_, at) => [localStorage.key(at), localStorage.getItem(localStorage.key(at))])';

export const setting = (area: 'localStorage' | 'sessionStorage', items: Items): string =>
  `for (const [key, value] of ${JSON.stringify(items)}) ${area}.setItem(key, value);`;
