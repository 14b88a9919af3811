// Extract: the text or value of several elements, each by a selector and under a name of the caller's.

import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import type { Element } from './element.ts';
import { findFirst } from './resolve.ts';

export interface ExtractResult {
  /** The text of each, of a field its value; null where nothing matches. */
  values: Record<string, string | null>;
}

/** What is in the page now: nothing is waited for, and of several matches the first counts. */
export async function extract(
  tab: Tab,
  { selectors, frameId }: { selectors: Readonly<Record<string, string>>; frameId?: number | undefined },
  limits: Limits,
): Promise<ExtractResult> {
  await tab.readable(limits);
  const pairs = Object.entries(selectors).map(async ([name, selector]): Promise<[string, string | null]> => {
    const element = await findFirst(tab, { selector, frameId }, limits);
    return [name, element ? await valueOrText(element) : null];
  });
  return { values: Object.fromEntries(await Promise.all(pairs)) };
}

/** The kinds of fields that have a value. */
const WITH_VALUE = ['text', 'set', 'select', 'check'];

async function valueOrText(element: Element): Promise<string> {
  const { kind, value, secret } = await element.call('field');
  if (WITH_VALUE.includes(kind)) return secret ? value && '••••' : value;
  return (await element.call('facts')).text;
}
