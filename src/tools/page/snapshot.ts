// Tools that look at the page: snapshot, locator.
import { z } from 'zod';
import { click, hover } from '../../engine/actions/click.ts';
import type { Effects } from '../../engine/actions/effects.ts';
import { fill, setCheck } from '../../engine/actions/fill.ts';
import { followChain, METHODS } from '../../engine/elements/query.ts';
import type { Limits } from '../../engine/limits.ts';
import { SNAPSHOT_STYLES } from '../../engine/snapshot/print/filter.ts';
import { type ElementList, listElements } from '../../engine/snapshot/print/list-elements.ts';
import { type Snapshot, takeSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Tab } from '../../engine/tab/tab.ts';
import { Failure } from '../../errors.ts';
import { on, pageText, savePath, selector } from '../arguments.ts';
import { did, matchLine } from '../effects-text.ts';
import { tool } from '../tool.ts';

export const snapshot = tool({
  name: 'snapshot',
  group: 'snapshot',
  core: true,
  summary:
    'Read the page as text, with a ref (@e1) for all that can be acted on. Start here; look again after changes.',
  on: 'tab',
  effect: 'read',
  time: 10_000,
  input: {
    mode: z.enum(['full', 'interactive', 'focused']).default('full').describe('interactive: only what can be acted on'),
    depth: z.int().min(1).optional(),
    selector: selector.optional().describe('Only inside this'),
    compact: z.boolean().default(false).describe('No unnamed containers'),
    style: z.enum(SNAPSHOT_STYLES).default('tree').describe('list: refs first and for all, links with urls'),
    include_text: z.boolean().default(true),
    include_bounds: z.boolean().default(false),
    max_chars: z.int().min(200).max(10_000_000).optional(),
    save_path: savePath.optional().describe('To a file instead'),
    nodes: z.int().min(1).max(5_000).optional().describe('Instead of text, so many elements as structured data'),
    ...on,
  },
  run: (tab, input, limits): Promise<Snapshot | ElementList> =>
    input.nodes === undefined
      ? takeSnapshot(tab, input, limits)
      : listElements(tab, input.nodes, input.frameId, limits),
  text: data =>
    'text' in data ? data.text : `${data.nodes.length} of ${data.total} elements, in the structured data.`,
});

const ACTIONS = ['get_ref', 'click', 'fill', 'check', 'hover'] as const;

export const locator = tool({
  name: 'locator',
  group: 'snapshot',
  summary: 'Find one element by steps, and act on it if asked.',
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
      .describe('Each narrows the one before:'),
    action: z.enum(ACTIONS).optional(),
    fill_value: pageText.optional(),
    ...on,
  },
  async run(tab, input, limits) {
    const { match } = await followChain(tab, input.chain, input.frameId, limits);
    return { ...match, ...(await actOn(tab, match.ref, input.action ?? 'get_ref', input.fill_value, limits)) };
  },
  text: (data, input) =>
    input.action === undefined || input.action === 'get_ref'
      ? matchLine(data)
      : did(`${DEEDS[input.action]} ${matchLine(data)}`, data),
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
