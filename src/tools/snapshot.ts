// Tools that look at the page: snapshot, query, locator.
import { z } from 'zod';
import { click, hover } from '../engine/click.ts';
import type { Effects } from '../engine/effects.ts';
import { fill } from '../engine/fill.ts';
import { setCheck } from '../engine/forms.ts';
import type { Limits } from '../engine/limits.ts';
import { follow, type Match, METHODS, query as queryPage, RETURNS } from '../engine/query.ts';
import { see } from '../engine/snapshot/see.ts';
import type { Tab } from '../engine/tab.ts';
import { STRATEGIES } from '../engine/target.ts';
import { Failure } from '../errors.ts';
import { on, pageText, path, selector } from './arguments.ts';
import { tool } from './tool.ts';
import { did } from './words.ts';

export const snapshot = tool({
  name: 'snapshot',
  group: 'snapshot',
  core: true,
  summary:
    'Read the page as text, with a ref (@e1) for everything that can be acted on. Start here, and look again after changes.',
  on: 'tab',
  effect: 'read',
  time: 10_000,
  input: {
    mode: z
      .enum(['full', 'interactive', 'focused'])
      .default('full')
      .describe('interactive: only what can be acted on; focused: from the focused element'),
    depth: z.int().min(1).optional(),
    selector: selector.optional().describe('Only what is inside this element'),
    compact: z.boolean().default(false).describe('Leave out unnamed containers'),
    include_text: z.boolean().default(true),
    include_bounds: z.boolean().default(false),
    max_chars: z.int().min(200).max(10_000_000).optional(),
    save_path: path.optional().describe('Write it whole to a file instead'),
    ...on,
  },
  run: (tab, input, limits) => see(tab, input, limits),
  text: data => data.text,
});

const options = z.strictObject({
  exact: z.boolean().default(false),
  name: z.string().max(5_000).optional().describe('For role: accessible name'),
  level: z.int().optional(),
  checked: z.boolean().optional(),
  pressed: z.boolean().optional(),
  expanded: z.boolean().optional(),
  include_hidden: z.boolean().default(false),
});

const line = (match: Match): string => {
  const more = [
    match.text === undefined ? '' : `: ${match.text}`,
    match.attribute === undefined ? '' : ` = ${match.attribute === null ? '(none)' : JSON.stringify(match.attribute)}`,
    match.bounds === undefined ? '' : ` [box=${Object.values(match.bounds).join(',')}]`,
  ];
  return `${match.ref} ${match.role} ${JSON.stringify(match.name)}${more.join('')}`;
};

export const query = tool({
  name: 'query',
  group: 'snapshot',
  summary: 'Find elements by role, text, label and the like, without a snapshot.',
  on: 'tab',
  effect: 'read',
  time: 10_000,
  input: {
    by: z.enum(STRATEGIES),
    value: z.string().min(1).max(5_000),
    options: options.optional(),
    nth: z.int().optional().describe('0-based; -1 is the last'),
    return: z.enum(RETURNS).default('ref'),
    attribute: z.string().min(1).max(200).optional().describe('For return=attribute'),
    ...on,
  },
  async run(tab, input, limits) {
    if (input.return === 'attribute' && input.attribute === undefined)
      throw new Failure(
        'bad_input',
        'query with return=attribute needs "attribute".',
        'Give the name of the attribute.',
      );
    return queryPage(tab, input, limits);
  },
  text: (data, input) =>
    input.return === 'count'
      ? String(data.count)
      : [
          ...data.matches.map(line),
          ...(data.count > data.matches.length && input.nth === undefined ? [`… ${data.count} in all`] : []),
        ].join('\n'),
});

const ACTIONS = ['get_ref', 'click', 'fill', 'check', 'hover'] as const;

export const locator = tool({
  name: 'locator',
  group: 'snapshot',
  summary: 'Find one element by a chain of steps, and act on it if asked.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    chain: z
      .array(
        z.strictObject({
          method: z.enum(METHODS),
          value: z.string().optional(),
          options: z.looseObject({ hasText: z.string().optional() }).optional(),
        }),
      )
      .min(1)
      .max(20)
      .describe('Each step narrows the one before'),
    action: z.enum(ACTIONS).optional(),
    fill_value: pageText.optional(),
    ...on,
  },
  async run(tab, input, limits) {
    const { match } = await follow(tab, input.chain, input.frameId, limits);
    return { ...match, ...(await actOn(tab, match.ref, input.action ?? 'get_ref', input.fill_value, limits)) };
  },
  text: (data, input) =>
    input.action === undefined || input.action === 'get_ref'
      ? line(data)
      : did(`${DEEDS[input.action]} ${line(data)}`, data),
});

const DEEDS = { click: 'Clicked', fill: 'Filled', check: 'Checked', hover: 'Hovered' } as const;

async function actOn(
  tab: Tab,
  ref: string,
  action: (typeof ACTIONS)[number],
  value: string | undefined,
  limits: Limits,
): Promise<Effects> {
  switch (action) {
    case 'click':
      return click(tab, { selector: ref }, limits);
    case 'hover':
      return hover(tab, { selector: ref }, limits);
    case 'check':
      return setCheck(tab, { selector: ref }, true, limits);
    case 'fill':
      if (value === undefined) throw new Failure('bad_input', 'The action fill needs "fill_value".', 'Give the value.');
      return fill(tab, { selector: ref, value }, limits);
    case 'get_ref':
      return {};
  }
}
