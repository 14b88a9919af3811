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
import {
  about,
  int,
  maxChars,
  off,
  on,
  place,
  rare,
  savePath,
  selector,
  text,
  timeout,
  typedText,
} from '../arguments.ts';
import { did, matchLine } from '../effects-text.ts';
import { tool } from '../tool.ts';

export const snapshot = tool({
  core: true,
  summary: 'Read the page as text, with a ref (@e1) for what can be acted on. Start here; since=last: what changed.',
  example: ['interactive'],
  effect: 'read',
  time: 10_000,
  input: {
    mode: about('interactive: only what can be acted on', z.enum(['full', 'interactive', 'focused']).default('full')),
    depth: about('How many levels of elements to show; all if left out', z.int().min(1).optional()),
    selector: about('Only what is inside this element', selector.optional()),
    compact: about('No unnamed containers', off),
    since: about(
      'Only what has appeared, changed, moved or gone since the last snapshot of the same kind; the first one of a page is whole',
      z.enum(['last']).optional(),
    ),
    scope: rare(
      'dialog: only the dialog that is open; view: only what is on the screen',
      z.enum(['dialog', 'view']).optional(),
    ),
    offset: rare(
      'Of a list or table with many rows, those from this one on; 0 is the first',
      z.int().min(0).optional(),
    ),
    style: rare(
      'short: the same in fewer characters; list: refs first and for all, links with urls; tree if left out, or what --snapshot-style says',
      z.enum(SNAPSHOT_STYLES).optional(),
    ),
    include_text: about('Also text that cannot be acted on', on),
    include_bounds: about('Also the box of each element: x, y, width, height', off),
    max_chars: maxChars,
    save_path: about('Write it to this file instead of into the answer', savePath.optional()),
    timeout: timeout(10_000),
    nodes: rare('Instead of text, so many elements as structured data', int(1, 5_000).optional()),
    ...place,
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
  summary: 'Find one element by steps, and act on it if asked.',
  example: ['[{"method":"role","value":"button"},{"method":"first"}]'],
  effect: 'write',
  input: {
    chain: z
      .array(
        z.strictObject({
          method: z.enum(METHODS),
          value: text(100_000).optional(),
          options: z.looseObject({ name: text(100_000).optional(), hasText: text(100_000).optional() }).optional(),
        }),
      )
      .min(1)
      .max(20)
      .meta({ docs: 'The steps; each narrows what the one before found' }),
    action: about('What to do with the element; get_ref if left out', z.enum(ACTIONS).optional()),
    fill_value: about('The text for the action fill', typedText().optional()),
    ...place,
  },
  async run(tab, input, limits) {
    const { match } = await followChain(tab, input, limits);
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
