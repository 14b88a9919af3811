// Opens the page of a tab again that was lost with its renderer or its browser.
import { Failure } from '../../errors.ts';
import { type Limits, within } from '../limits.ts';
import { isTargetGone } from './cdp-session.ts';
import type { Tab } from './tab.ts';

/** A stuck or crashed page gets this long to load again in its new place. */
const REOPEN_MS = 10_000;

/** Gives what the caller must be told. */
export async function reopen(tab: Tab, url: string, limits: Limits): Promise<string[]> {
  if (!/^https?:/.test(url)) return [];
  const bound = within(limits, REOPEN_MS, () => new Failure('timeout', `${url} did not load again.`));
  try {
    await tab.race(bound, tab.page.goto(url, { waitUntil: 'domcontentloaded', timeout: 0 }));
    return [];
  } catch (error) {
    limits.signal.throwIfAborted();
    return [`${url} could not be opened again: ${error instanceof Error ? error.message.split('\n')[0] : error}`];
  } finally {
    bound.done();
  }
}

export const browserEnded = (isAttached: boolean): Failure =>
  isAttached
    ? new Failure(
        'browser_gone',
        'The attached browser ended during this call.',
        'Call again when it has been started again.',
      )
    : new Failure(
        'browser_gone',
        'The browser ended during this call.',
        'Call again: the browser is started again and its pages are opened again.',
      );

/** An attached browser has tabs of its own after its end: nothing is opened there that a person may not want. */
export const foundAgain = (): string =>
  'The attached browser had ended and is there again: its tabs have new numbers, refs are void.';

/** The browser may have just ended, and this call is the first to notice: nothing was done yet, so begin again. */
export async function begunAgain<T>(run: () => Promise<T>, notice: () => void): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isTargetGone(error) && !(error instanceof Failure && error.code === 'browser_gone')) throw error;
    await new Promise(setImmediate);
    notice();
    return run();
  }
}
