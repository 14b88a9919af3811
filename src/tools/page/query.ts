// The tool that finds elements: by role, text and the like, or because a person points at them.
import { z } from 'zod';
import { type ExtractResult, extract } from '../../engine/elements/extract.ts';
import { STRATEGIES } from '../../engine/elements/parse-target.ts';
import { type Picked, pick as pickElements } from '../../engine/elements/pick.ts';
import { type QueryResult, query as queryPage, RETURNS } from '../../engine/elements/query.ts';
import { Failure } from '../../errors.ts';
import { calledTool, phrase } from '../../text.ts';
import { on, selector } from '../arguments.ts';
import { matchLine } from '../effects-text.ts';
import { tool } from '../tool.ts';

const options = z.strictObject({
  exact: z.boolean().default(false),
  name: z.string().max(5_000).optional().describe('For role'),
  level: z.int().optional(),
  checked: z.boolean().optional(),
  pressed: z.boolean().optional(),
  expanded: z.boolean().optional(),
  include_hidden: z.boolean().default(false),
});

const request = z.strictObject({
  id: z.string().max(200).optional(),
  name: z.string().min(1).max(200),
  description: z.string().max(500).optional(),
});

const PICK_MS = 180_000;

export const query = tool({
  name: 'query',
  group: 'snapshot',
  summary: 'Find elements by role, text, label and the like; or wait until a person has clicked them (pick, requests).',
  on: 'tab',
  effect: 'read',
  time: input => (isPick(input) ? PICK_MS : 10_000),
  patient: input => isPick(input),
  input: {
    by: z.enum(STRATEGIES).optional(),
    value: z.string().min(1).max(5_000).optional(),
    options: options.optional(),
    nth: z.int().optional().describe('-1 is the last'),
    return: z.enum(RETURNS).default('ref'),
    attribute: z.string().min(1).max(200).optional().describe('For attribute'),
    pick: z.boolean().default(false),
    requests: z.array(request).min(1).max(20).optional(),
    selectors: z
      .record(z.string().max(200), selector)
      .optional()
      .describe('{name: selector}: only what each of these says'),
    timeout: z.number().min(1).max(600_000).optional(),
    ...on,
  },
  async run(tab, input, limits): Promise<QueryResult & Partial<ExtractResult>> {
    if (input.selectors)
      return { count: 0, matches: [], ...(await extract(tab, input.selectors, input.frameId, limits)) };
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
