// Query and locator: finds elements by semantic locators or chains of them, and describes them.

import type { Frame, Locator } from 'playwright-core';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import type { Rect } from '../geometry.ts';
import type { Limits } from '../limits.ts';
import type { FrameSession } from '../tab/frames.ts';
import type { Tab } from '../tab/tab.ts';
import { candidates, describeElements } from './describe.ts';
import type { Element } from './element.ts';
import { elementsOf, MOST_MATCHES, type SearchScope, type SemanticOptions, semantic } from './locate.ts';
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
  bounds?: Rect;
}

export interface QueryResult {
  count: number;
  matches: QueryMatch[];
}

export async function query(tab: Tab, input: QueryInput, limits: Limits): Promise<QueryResult> {
  await tab.readable(limits);
  const { by, value, options, frameId } = input;
  const description = `${by}:${value}`;
  const places = frameId === undefined ? await tab.frames.all(limits) : [await tab.frames.byNumber(frameId, limits)];
  const search = { tab, limits, description };
  const { count, elements } = await inFrames(places, search, ({ frame }) => shown(frame, by, value, options));
  if (input.return === 'count') return { count, matches: [] };
  if (count === 0) throw nothingMatches(description);
  return { count, matches: await describeAll(nth(elements, input.nth, description), input.return, input.attribute) };
}

/** Semantic locators for what can be seen, unless hidden elements are asked for too; roles leave hidden elements out by themselves. */
function shown(root: Frame | Locator, by: Strategy, value: string, options: SemanticOptions = {}): Locator {
  const found = semantic(root, by, value, options);
  return by === 'role' || options.include_hidden ? found : found.filter({ visible: true });
}

/** The matches in all these frames, in their order. */
async function inFrames(
  places: readonly FrameSession[],
  search: Omit<SearchScope, 'place'>,
  locatorIn: (place: FrameSession) => Locator,
): Promise<{ count: number; elements: Element[] }> {
  const found = await Promise.all(places.map(place => elementsOf(locatorIn(place), { ...search, place })));
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    elements: found.flatMap(({ elements }) => elements).slice(0, MOST_MATCHES),
  };
}

const nothingMatches = (description: string): Failure =>
  new Failure('not_found', `Nothing matches ${description}.`, phrase`${capital(TAKE_SNAPSHOT)} to see what is there.`);

function nth(elements: Element[], at: number | undefined, description: string): Element[] {
  if (at === undefined) return elements;
  const one = elements.at(at);
  if (one) return [one];
  throw new Failure(
    'not_found',
    `${description} matches ${elements.length} elements; there is no number ${at} (counting from 0).`,
    'Give a smaller nth, or -1 for the last.',
  );
}

async function describeAll(elements: Element[], returns: Returns = 'ref', attribute?: string): Promise<QueryMatch[]> {
  const rows = await describeElements(elements);
  const matches = await Promise.all(
    elements.map(async (element, at): Promise<QueryMatch | undefined> => {
      const row = rows[at];
      if (!row) return undefined;
      const { ref, role, name } = row;
      if (returns === 'ref') return { ref, role, name };
      const { text, attributes, bounds } = await element.call('facts');
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
  { chain, frameId }: { chain: LocatorStep[]; frameId?: number | undefined },
  limits: Limits,
): Promise<{ element: Element; match: QueryMatch }> {
  await tab.readable(limits);
  const main = await tab.frames.byNumber(frameId ?? 0, limits);
  const description = chain
    .map(({ method, value }) => (value === undefined ? method : `${method}:${value}`))
    .join(' › ');
  const search = { tab, limits, description };
  let { count, elements } = await inFrames([main], search, place => chainOf(place, chain));
  if (count === 0 && frameId === undefined) {
    const others = (await tab.frames.all(limits)).filter(({ id }) => id !== main.id);
    ({ count, elements } = await inFrames(others, search, place => chainOf(place, chain)));
  }
  if (count === 0) throw nothingMatches(description);
  if (count > 1)
    throw new Failure(
      'ambiguous',
      phrase`${description} matches ${count} elements: ${await candidates(elements)}.`,
      'Add a step: nth, first, last or filter.',
    );
  const [match] = await describeAll(elements);
  const element = elements[0];
  if (!match || !element) throw new Failure('not_found', `${description} has just gone from the page.`, 'Try again.');
  return { element, match };
}

/** Each step narrows the one before it; `within` does nothing more. */
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
      return needs().filter(defined({ hasText, hasNotText }));
    }
    case 'css':
      return at.locator(`css=${value}`);
    case 'xpath':
      return at.locator(`xpath=${value}`);
    default: {
      const found = method === 'text' ? shown(at, method, value, options) : semantic(at, method, value, options);
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
