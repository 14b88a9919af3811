// Query and locator: finds elements by semantic locators or chains of them, and describes them.

import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import type { Rect } from '../geometry.ts';
import type { Limits } from '../limits.ts';
import { readCss } from '../selectors/read-css.ts';
import { type SelectorStep, textTest, VISIBLE } from '../selectors/steps.ts';
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
  const places = frameId === undefined ? tab.frames.all() : [tab.frames.byNumber(frameId, limits)];
  const search = { tab, limits, description };
  const { count, elements } = await inFrames(places, search, shown(by, value, options));
  if (input.return === 'count') return { count, matches: [] };
  if (count === 0) throw nothingMatches(description);
  return { count, matches: await describeAll(nth(elements, input.nth, description), input.return, input.attribute) };
}

/** What can be seen, unless hidden elements are asked for too; roles leave hidden elements out by themselves. */
function shown(by: Strategy, value: string, options: SemanticOptions = {}): SelectorStep[] {
  const found = semantic(by, value, options);
  return by === 'role' || options.include_hidden ? [found] : [found, VISIBLE];
}

/** The matches in all these frames, in their order. */
async function inFrames(
  places: readonly FrameSession[],
  search: Omit<SearchScope, 'place'>,
  steps: readonly SelectorStep[],
): Promise<{ count: number; elements: Element[] }> {
  const found = await Promise.all(places.map(place => elementsOf(steps, { ...search, place })));
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
  const main = tab.frames.byNumber(frameId ?? 0, limits);
  const description = chain
    .map(({ method, value }) => (value === undefined ? method : `${method}:${value}`))
    .join(' › ');
  const search = { tab, limits, description };
  const steps = chainOf(chain, description);
  let { count, elements } = await inFrames([main], search, steps);
  if (count === 0 && frameId === undefined) {
    const others = tab.frames.all().filter(({ id }) => id !== main.id);
    ({ count, elements } = await inFrames(others, search, steps));
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
function chainOf(chain: LocatorStep[], description: string): SelectorStep[] {
  const steps: SelectorStep[] = [];
  for (const link of chain) {
    if (NARROWING.has(link.method) && steps.length === 0)
      throw new Failure('bad_input', `The step ${link.method} needs a step before it.`, BEGIN);
    steps.push(...linkSteps(link, description));
  }
  if (steps.length > 0) return steps;
  throw new Failure('bad_input', 'The chain names no element.', BEGIN);
}

const NARROWING: ReadonlySet<LocatorStep['method']> = new Set(['nth', 'first', 'last', 'filter'] as const);
const BEGIN = 'Begin the chain with role, text, label, placeholder, testid, css or xpath.';

function linkSteps({ method, value = '', options = {} }: LocatorStep, description: string): SelectorStep[] {
  const hasText = options.hasText ?? options.has_text;
  const hasNotText = options.hasNotText ?? options.has_not_text;
  const textStep = (by: 'hasText' | 'hasNotText', text: string | undefined): SelectorStep[] =>
    text === undefined ? [] : [{ by, text: textTest(text) }];
  switch (method) {
    case 'within':
      return [];
    case 'first':
      return [{ by: 'nth', index: 0 }];
    case 'last':
      return [{ by: 'nth', index: -1 }];
    case 'nth':
      return [{ by: 'nth', index: index(value) }];
    case 'filter':
      return [...textStep('hasText', hasText ?? (value || undefined)), ...textStep('hasNotText', hasNotText)];
    case 'css':
      return readCss(value, description);
    case 'xpath':
      return [{ by: 'xpath', value }];
    default: {
      const found = method === 'text' ? shown(method, value, options) : [semantic(method, value, options)];
      return [...found, ...textStep('hasText', hasText)];
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
