// Web storage of a page: the items of localStorage and sessionStorage, read and changed in our own script world.

import { CdpError } from '../../cdp/errors.ts';
import { Failure } from '../../errors.ts';
import { shownValue } from '../../policy/mask.ts';
import { type Limits, under } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';

export const ACTIONS = ['get', 'set', 'remove', 'clear', 'keys', 'entries', 'length'] as const;
export const AREAS = ['local', 'session'] as const;
export type AreaName = (typeof AREAS)[number];
export type StorageItems = [key: string, value: string][];

export interface StorageInput {
  action: (typeof ACTIONS)[number];
  type: AreaName;
  key?: string | undefined;
  value?: string | undefined;
  /** Values of a list are not cut. */
  whole?: boolean;
}

export interface StorageResult {
  origin: string;
  /** Items in the area, after the action. */
  length: number;
  /** Of get: null when there is no such key. */
  value?: string | null;
  keys?: string[];
  entries?: StorageItems;
  /** How many items were taken away. */
  removed?: number;
  /** Values that look like secrets are not shown. */
  hidden?: number;
  /** Items that the list leaves out, or characters that the value leaves out. */
  left?: number;
}

/** How much a list shows. */
const MOST_ITEMS = 500;
const LONGEST_VALUE = 500;
/** Characters of the answer around a value. */
const WORDS = 300;

/** Runs in the page; all of the area comes back only when it is asked for. */
const RUN = `function(name, action, key, value) {
  const area = name === 'local' ? localStorage : sessionStorage;
  const before = area.length;
  const items = () => Array.from({ length: area.length }, (_, at) => [area.key(at), area.getItem(area.key(at))]);
  const answer = {};
  if (action === 'get') answer.value = area.getItem(key);
  if (action === 'set') area.setItem(key, value);
  if (action === 'remove') area.removeItem(key);
  if (action === 'clear') area.clear();
  if (action === 'keys' || action === 'entries') answer.items = items();
  return { ...answer, origin: location.origin, length: area.length, removed: before - area.length };
}`;

/** What the script in the page returns. */
interface ScriptResult {
  origin: string;
  length: number;
  removed: number;
  value?: string | null;
  items?: StorageItems;
}

export async function storage(tab: Tab, input: StorageInput, limits: Limits): Promise<StorageResult> {
  const { origin, length, removed, value, items = [] } = await run(tab, input, limits);
  const base = { origin, length };
  switch (input.action) {
    case 'get':
      return { ...base, ...one(input.key ?? '', value ?? null, tab.options.maxChars - WORDS) };
    case 'keys':
      return { ...base, ...counts({ left: items.length - MOST_ITEMS }), keys: shortKeys(items) };
    case 'entries':
      return { ...base, ...pairs(items, input.whole === true) };
    case 'remove':
    case 'clear':
      return { ...base, removed };
    default:
      return base;
  }
}

/** All items of an area of the main frame, to be saved. */
export async function itemsOf(tab: Tab, type: AreaName, limits: Limits): Promise<StorageItems> {
  return (await run(tab, { action: 'entries', type }, limits)).items ?? [];
}

/** Runs again when the page has just been left: each action may be done twice. */
async function run(tab: Tab, input: StorageInput, limits: Limits): Promise<ScriptResult> {
  return ask(tab, input, limits).catch(error => {
    if (error instanceof CdpError && error.isGone) return ask(tab, input, limits);
    throw error;
  });
}

async function ask(tab: Tab, input: StorageInput, limits: Limits): Promise<ScriptResult> {
  await tab.readable(limits);
  const { type, action, key = '', value = '' } = input;
  const { result, exceptionDetails } = await tab.send(limits, tab.main, 'Runtime.callFunctionOn', {
    executionContextId: await under(limits.signal, tab.main.own(tab.main.root)),
    functionDeclaration: RUN,
    arguments: [type, action, key, value].map(argument => ({ value: argument })),
    returnByValue: true,
  });
  if (exceptionDetails) throw blocked(tab.url, type, exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as ScriptResult;
}

function blocked(url: string, type: AreaName, why: string): Failure {
  if (/^QuotaExceededError/.test(why))
    return new Failure(
      'not_taken',
      `The ${type} storage of this site is full: the value was not set.`,
      'Remove other keys first, or set a shorter value.',
    );
  const place = url.slice(0, 100);
  if (/^SecurityError/.test(why))
    return new Failure(
      'refused',
      `The page at ${place} has no ${type} storage: its origin is opaque (about:blank, data:, sandboxed) or blocks it.`,
      'Open an http or https page of the site first.',
    );
  return new Failure('script_error', `The ${type} storage of ${place} cannot be used: ${why.split('\n')[0]}`);
}

function one(key: string, value: string | null, most: number): Partial<StorageResult> {
  if (value === null) return { value };
  const shown = shownValue(key, value);
  return { value: shown.slice(0, most), ...counts({ hidden: Number(shown !== value), left: shown.length - most }) };
}

/** Without counts of nothing. */
const counts = ({ hidden = 0, left = 0 }: Pick<StorageResult, 'hidden' | 'left'>): Partial<StorageResult> => ({
  ...(hidden > 0 && { hidden }),
  ...(left > 0 && { left }),
});

const shortKeys = (items: StorageItems): string[] =>
  items.slice(0, MOST_ITEMS).map(([key]) => key.slice(0, LONGEST_VALUE));

function pairs(items: StorageItems, whole: boolean): Partial<StorageResult> {
  const values = items.slice(0, MOST_ITEMS).map(([key, value]) => shownValue(key, value));
  const hidden = values.filter((value, at) => value !== items[at]?.[1]).length;
  return {
    ...counts({ hidden, left: items.length - MOST_ITEMS }),
    entries: shortKeys(items).map((key, at) => [key, whole ? (values[at] ?? '') : cut(values[at] ?? '')]),
  };
}

const cut = (value: string): string =>
  value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}… (${value.length} characters)` : value;
