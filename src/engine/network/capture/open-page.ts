// Opens the page that a capture or a trace is to see from its beginning.
import { Failure } from '../../../errors.ts';
import type { Limits } from '../../limits.ts';
import { goto } from '../../navigation/navigate.ts';
import type { Tab } from '../../tab/tab.ts';

export interface Opened {
  page?: { url: string; title: string };
  /** Why the page did not open. */
  notOpened?: string;
}

/** A page that cannot be opened may be just what is to be looked at: the capture runs on. */
export async function openPage(tab: Tab, url: string | undefined, limits: Limits): Promise<Opened> {
  if (url === undefined) return {};
  try {
    const page = await goto(tab, url, 'load', undefined, limits);
    return { page: { url: page.url, title: page.title } };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'navigation_failed') throw error;
    return { notOpened: error.message };
  }
}
