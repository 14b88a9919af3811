// Settle: waits until a page has stopped changing for a moment, so that what is read of it then is what came of an action.

import { CdpError } from '../../cdp/errors.ts';
import { inTime, type Limits, under } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';

/** Without a change for so many ms a page counts as quiet. A page that never is quiet is read as it stands. */
const STILL_MS = 100;
const MOST_MS = 3_000;

const WATCH = (ms: number): string => `new Promise(resolve => {
  const end = () => { clearTimeout(most); clearTimeout(still); watch.disconnect(); resolve(0); };
  let still = setTimeout(end, ${ms});
  const most = setTimeout(end, ${MOST_MS});
  // An element that only moves is not a change of the page.
  const isChange = ({ attributeName }) => attributeName !== 'style' && attributeName !== 'transform';
  const watch = new MutationObserver(records => {
    if (!records.some(isChange)) return;
    clearTimeout(still);
    still = setTimeout(end, ${ms});
  });
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})`;

/** On a page that is slowed down by that factor. */
export async function waitForStableDom(tab: Tab, slowness: number, limits: Limits): Promise<void> {
  if (tab.dialog || tab.pending) return;
  const expression = WATCH(STILL_MS * slowness);
  // A document that changes without an end is read as it stands when the time is over.
  await inTime(limits, MOST_MS, async bound => {
    const contextId = await under(bound.signal, tab.main.own(tab.main.root));
    await tab.send(bound, tab.main, 'Runtime.evaluate', { expression, awaitPromise: true, contextId });
  }).catch(error => {
    if (!(error instanceof CdpError)) throw error; // the document has just gone
  });
}
