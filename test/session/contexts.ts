// The browser states that there really are, as Chrome itself tells.
import type { Kit } from '../kit.ts';

/** The ids of all of them but the browser's own. Some session must have a page. */
export async function contextIds(kit: Kit): Promise<string[]> {
  const pages = kit.server.list().flatMap(({ context }) => [...context.tabs.values()].map(({ page }) => page));
  const browser = pages
    .find(page => !page.isClosed)
    ?.context()
    .browser();
  if (!browser) throw new Error('no page is open');
  const session = await browser.openBrowserSession();
  const { browserContextIds } = await session.send('Target.getBrowserContexts');
  await session.detach();
  return browserContextIds;
}
