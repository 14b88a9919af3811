// The tool that finds elements: by role, text and the like, or because a person points at them.
import { z } from 'zod';
import { type ExtractResult, extract } from '../../engine/elements/extract.ts';
import { STRATEGIES } from '../../engine/elements/parse-target.ts';
import { type Picked, pick as pickElements } from '../../engine/elements/pick.ts';
import { type QueryResult, query as queryPage, RETURNS } from '../../engine/elements/query.ts';
import { Failure } from '../../errors.ts';
import { calledTool, phrase } from '../../text.ts';
import { about, number, off, place, rare, selector, someText, text } from '../arguments.ts';
import { matchLine } from '../effects-text.ts';
import { tool } from '../tool.ts';

const options = z.strictObject({
  exact: off,
  name: text(5_000).optional(),
  level: z.int().optional(),
  checked: z.boolean().optional(),
  pressed: z.boolean().optional(),
  expanded: z.boolean().optional(),
  include_hidden: off,
});

const request = z.strictObject({
  id: text(200).optional(),
  name: someText(200),
  description: text(500).optional(),
});

const PICK_MS = 180_000;

export const query = tool({
  summary: 'Find elements by role, text, label and the like, or those that a person clicks (pick).',
  example: ['role', 'button'],
  effect: 'read',
  time: input => (isPick(input) ? PICK_MS : 10_000),
  patient: input => isPick(input),
  input: {
    by: about('What elements are looked for by', z.enum(STRATEGIES).optional()),
    value: about('The role, text, label, … that they must have', someText(5_000).optional()),
    options: about(
      'What they must be besides; exact: the value is the whole text, in the same case',
      options.optional(),
    ),
    nth: about('Only one of them, from 0; -1 is the last', z.int().optional(), '-1 is the last'),
    return: about('What to tell of each', z.enum(RETURNS).default('ref')),
    attribute: about('The name of the attribute that return=attribute tells', someText(200).optional()),
    pick: about('Wait until a person has clicked an element', off),
    requests: rare('What a person is asked to click, one after the other', z.array(request).min(1).max(20).optional()),
    selectors: rare('{name: selector}: only what each of these says', z.record(text(200), selector).optional()),
    timeout: rare('Most time for the call, in ms', number(1, 600_000).optional()),
    ...place,
  },
  async run(tab, input, limits): Promise<QueryResult & Partial<ExtractResult>> {
    const { selectors, frameId } = input;
    if (selectors) return { count: 0, matches: [], ...(await extract(tab, { selectors, frameId }, limits)) };
    if (isPick(input)) {
      const matches: Picked[] = await pickElements(tab, input.requests ?? [{}], limits);
      return { count: matches.length, matches };
    }
    const { by, value } = input;
    if (by === undefined || value === undefined)
      throw new Failure(
        'bad_input',
        phrase`${calledTool('query')} needs "by" and "value".`,
        'Give both, or pick: true to ask a person.',
      );
    if (input.return === 'attribute' && input.attribute === undefined)
      throw new Failure(
        'bad_input',
        phrase`${calledTool('query')} with return=attribute needs "attribute".`,
        'Give the name of the attribute.',
      );
    return queryPage(tab, { ...input, by, value }, limits);
  },
  text: ({ count, matches, values }, input) =>
    values
      ? Object.entries(values)
          .map(([name, value]) => `${name}: ${value === null ? '(nothing matches)' : JSON.stringify(value)}`)
          .join('\n')
      : input.return === 'count' && !isPick(input)
        ? String(count)
        : [
            ...matches.map(line),
            ...(count > matches.length && input.nth === undefined ? [`… ${count} in all`] : []),
          ].join('\n'),
});

const isPick = ({ pick, requests }: { pick: boolean; requests?: unknown }): boolean => pick || requests !== undefined;

const line = (match: Picked): string => {
  const what = [match.id, match.asked].filter(text => text !== undefined).join(' ');
  return `${what === '' ? '' : `${what}: `}${matchLine(match)}`;
};
