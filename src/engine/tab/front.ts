// Which tab of a person's browser is in front.
import type { Tab } from './tab.ts';

/** A tab may be stuck. */
const FRONT_MS = 300;

/** In a browser that a person uses: the tab that is in front; the first when none says so in time. */
export async function inFront(tabs: Tab[]): Promise<Tab | undefined> {
  const seen = await Promise.all(
    tabs.map(tab =>
      Promise.race([
        tab.page.evaluate(() => document.visibilityState === 'visible').catch(() => false),
        new Promise<boolean>(resolve => void setTimeout(resolve, FRONT_MS, false).unref()),
      ]),
    ),
  );
  return tabs[seen.indexOf(true)] ?? tabs[0];
}
