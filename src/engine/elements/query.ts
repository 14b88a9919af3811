// Query and locator: finds elements by semantic locators or chains of them, and tells about them.
import type { Frame, Locator } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import type { Limits } from '../limits.ts';
import type { FrameSession } from '../tab/frames.ts';
import type { Tab } from '../tab/tab.ts';
import { candidates, describeElements } from './describe.ts';
import type { Element } from './element.ts';
import { elementsOf, type SemanticOptions, semantic } from './locate.ts';
import type { Strategy } from './parse-target.ts';

export const RETURNS = ['ref', 'count', 'text', 'attribute', 'bounds', 'all'] as const;
type Returns = (typeof RETURNS)[number];

export interface QueryInput {
  by: Strategy;
  value: string;
  options?: SemanticOptions | undefined;
  nth?: number | undefined;
  return?: Returns;
  attribute?: string | undefined;
  frameId?: number | undefined;
}

export interface QueryMatch {
  ref: string;
  role: string;
  name: string;
  text?: string;
  attribute?: string | null;
  bounds?: { x: number; y: number; width: number; height: number };
}

export interface QueryResult {
  count: number;
  matches: QueryMatch[];
}

const MOST = 100;

export async function query(tab: Tab, input: QueryInput, limits: Limits): Promise<QueryResult> {
  await tab.readable(limits);
  const place = await tab.frames.byNumber(input.frameId ?? 0, limits);
  const said = `${input.by}:${input.value}`;
  const { count, elements } = await elementsOf(
    tab,
    place,
    semantic(place.frame, input.by, input.value, input.options),
    said,
    limits,
    MOST,
  );
  if (input.return === 'count') return { count, matches: [] };
  if (count === 0)
    throw new Failure('not_found', `Nothing matches ${said}.`, phrase`${capital(TAKE_SNAPSHOT)} to see what is there.`);
  return {
    count,
    matches: await describeAll(tab, nth(elements, input.nth, said), input.return ?? 'ref', input.attribute, limits),
  };
}

function nth(elements: Element[], at: number | undefined, said: string): Element[] {
  if (at === undefined) return elements;
  const one = elements.at(at);
  if (one) return [one];
  throw new Failure(
    'not_found',
    `${said} matches ${elements.length} elements; there is no number ${at} (counting from 0).`,
    'Give a smaller nth, or -1 for the last.',
  );
}

async function describeAll(
  tab: Tab,
  elements: Element[],
  returns: Returns,
  attribute: string | undefined,
  limits: Limits,
): Promise<QueryMatch[]> {
  const rows = await describeElements(
    tab,
    elements.map(element => element.location),
    limits,
  );
  const matches = await Promise.all(
    elements.map(async (element, at): Promise<QueryMatch | undefined> => {
      const row = rows[at];
      if (!row) return undefined;
      const { ref, role, name } = row;
      if (returns === 'ref') return { ref, role, name };
      const { text, attributes, bounds } = await element.call(limits, 'facts');
      if (returns === 'text') return { ref, role, name, text };
      if (returns === 'bounds') return { ref, role, name, bounds };
      if (returns === 'attribute') return { ref, role, name, attribute: attributes[attribute ?? ''] ?? null };
      return { ref, role, name, text, bounds, ...(attribute ? { attribute: attributes[attribute] ?? null } : {}) };
    }),
  );
  return matches.filter(match => match !== undefined);
}

export const METHODS = [
  'role',
  'text',
  'label',
  'placeholder',
  'testid',
  'css',
  'xpath',
  'nth',
  'first',
  'last',
  'filter',
  'within',
] as const;

export interface LocatorStep {
  method: (typeof METHODS)[number];
  value?: string | undefined;
  options?:
    | (SemanticOptions & {
        hasText?: string | undefined;
        hasNotText?: string | undefined;
        has_text?: string | undefined;
        has_not_text?: string | undefined;
      })
    | undefined;
}

/** The one element that a chain of locators leads to. */
export async function followChain(
  tab: Tab,
  chain: LocatorStep[],
  frameId: number | undefined,
  limits: Limits,
): Promise<{ element: Element; match: QueryMatch }> {
  await tab.readable(limits);
  const place = await tab.frames.byNumber(frameId ?? 0, limits);
  const said = chain.map(({ method, value }) => (value === undefined ? method : `${method}:${value}`)).join(' › ');
  const locator = chainOf(place, chain);
  const { count, elements } = await elementsOf(tab, place, locator, said, limits, MOST);
  if (count === 0)
    throw new Failure('not_found', `Nothing matches ${said}.`, phrase`${capital(TAKE_SNAPSHOT)} to see what is there.`);
  if (count > 1)
    throw new Failure(
      'ambiguous',
      phrase`${said} matches ${count} elements: ${await candidates(tab, elements.slice(0, 8), limits)}${count > 8 ? ', …' : ''}.`,
      'Add a step: nth, first, last or filter.',
    );
  const [match] = await describeAll(tab, elements, 'ref', undefined, limits);
  const element = elements[0];
  if (!match || !element) throw new Failure('not_found', `${said} has just gone from the page.`, 'Try again.');
  return { element, match };
}

/** Each step narrows the one before it; `within` only says so. */
function chainOf({ frame }: FrameSession, chain: LocatorStep[]): Locator {
  let at: Frame | Locator = frame;
  for (const link of chain) at = stepOf(at, link);
  if (at === frame)
    throw new Failure(
      'bad_input',
      'The chain names no element.',
      'Begin it with role, text, label, placeholder, testid, css or xpath.',
    );
  return at as Locator;
}

function stepOf(at: Frame | Locator, { method, value = '', options = {} }: LocatorStep): Frame | Locator {
  const isLocator = (item: Frame | Locator): item is Locator => 'nth' in item;
  const needs = (): Locator => {
    if (isLocator(at)) return at;
    throw new Failure(
      'bad_input',
      `The step ${method} needs a step before it.`,
      'Begin the chain with role, text, label, placeholder, testid, css or xpath.',
    );
  };
  switch (method) {
    case 'within':
      return at;
    case 'first':
      return needs().first();
    case 'last':
      return needs().last();
    case 'nth':
      return needs().nth(index(value));
    case 'filter': {
      const hasText = options.hasText ?? options.has_text ?? (value || undefined);
      const hasNotText = options.hasNotText ?? options.has_not_text;
      return needs().filter({
        ...(hasText === undefined ? {} : { hasText }),
        ...(hasNotText === undefined ? {} : { hasNotText }),
      });
    }
    case 'css':
      return at.locator(`css=${value}`);
    case 'xpath':
      return at.locator(`xpath=${value}`);
    default: {
      const found = semantic(at, method, value, options);
      const hasText = options.hasText ?? options.has_text;
      return hasText === undefined ? found : found.filter({ hasText });
    }
  }
}

function index(value: string): number {
  const number = Number(value);
  if (value !== '' && Number.isInteger(number)) return number;
  throw new Failure(
    'bad_input',
    `The step nth needs a whole number as its value, not ${JSON.stringify(value)}.`,
    'Count from 0; -1 is the last.',
  );
}
