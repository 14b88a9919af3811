// Opens the page of a tab again that was lost with its renderer or its browser.
import { Failure } from '../errors.ts';
import { type Limits, within } from './limits.ts';
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
