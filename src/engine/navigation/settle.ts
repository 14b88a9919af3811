// Quiet: waits until a page has stopped changing for a moment, so that what is read of it then is what came of an action.
import { Failure } from '../../errors.ts';
import { type Limits, under, within } from '../limits.ts';
import { CdpError } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';

/** Without a change for so many ms a page counts as quiet. One that never is, is read as it stands. */
const STILL_MS = 100;
const MOST_MS = 3_000;

const WATCH = (ms: number): string => `new Promise(resolve => {
  const end = () => { clearTimeout(most); clearTimeout(still); watch.disconnect(); resolve(0); };
  let still = setTimeout(end, ${ms});
  const most = setTimeout(end, ${MOST_MS});
  // What only moves is no news.
  const isNews = ({ attributeName }) => attributeName !== 'style' && attributeName !== 'transform';
  const watch = new MutationObserver(records => {
    if (!records.some(isNews)) return;
    clearTimeout(still);
    still = setTimeout(end, ${ms});
  });
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})`;

/** On a page that is slowed down by that factor. */
export async function waitForStableDom(tab: Tab, slowness: number, limits: Limits): Promise<void> {
  if (tab.dialog || tab.pending) return;
  const over = new Failure('timeout', 'over');
  const bound = within(limits, MOST_MS, () => over);
  try {
    const contextId = await under(bound.signal, tab.main.own(tab.main.root));
    await tab.send(bound, tab.main, 'Runtime.evaluate', {
      expression: WATCH(STILL_MS * slowness),
      awaitPromise: true,
      contextId,
    });
  } catch (error) {
    // The document has just gone, or changes without an end: what is there can be read all the same.
    if (error !== over && !(error instanceof CdpError)) throw error;
  } finally {
    bound.done();
  }
}
