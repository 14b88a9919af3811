// Extract: what several elements say, each by a selector of the caller's and under a name of its own.

import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import type { Element } from './element.ts';
import { parseTarget } from './parse-target.ts';
import { resolve, search } from './resolve.ts';

export interface ExtractResult {
  /** The text of each, of a field its value; null where nothing matches. */
  values: Record<string, string | null>;
}

/** What is in the page now: nothing is waited for, and of several matches the first counts. */
export async function extract(
  tab: Tab,
  selectors: Readonly<Record<string, string>>,
  frameId: number | undefined,
  limits: Limits,
): Promise<ExtractResult> {
  await tab.readable(limits);
  const pairs = Object.entries(selectors).map(async ([name, selector]): Promise<[string, string | null]> => {
    const element = await first(tab, selector, frameId, limits);
    return [name, element ? await saidBy(element, limits) : null];
  });
  return { values: Object.fromEntries(await Promise.all(pairs)) };
}

async function first(
  tab: Tab,
  selector: string,
  frameId: number | undefined,
  limits: Limits,
): Promise<Element | undefined> {
  const target = parseTarget(selector);
  if (target.kind === 'ref') return resolve(tab, selector, frameId, limits);
  const [found] = await search(tab, target, selector, frameId, limits);
  return found;
}

/** Fields that hold something of their own, by their kind. */
const HOLDS = ['text', 'set', 'select', 'check'];

async function saidBy(element: Element, limits: Limits): Promise<string> {
  const { kind, value, secret } = await element.call(limits, 'field');
  if (HOLDS.includes(kind)) return secret ? value && '••••' : value;
  return (await element.call(limits, 'facts')).text;
}
