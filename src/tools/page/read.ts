// The tool that reads a page as a person does.
import { z } from 'zod';
import { type PlainText, plainText, type ReadResult, read as readPage } from '../../engine/text/read.ts';
import { on, selector } from '../arguments.ts';
import { tool } from '../tool.ts';

export const read = tool({
  name: 'read',
  group: 'snapshot',
  core: true,
  summary: 'Read the main content of the page as Markdown, with links.',
  on: 'tab',
  effect: 'read',
  time: 30_000,
  input: {
    selector: selector.optional(),
    offset: z.int().min(0).default(0),
    max_chars: z.int().min(200).max(10_000_000).optional(),
    plain: z.boolean().default(false).describe('All text as it is shown, instead of Markdown'),
    ...on,
  },
  run: (tab, input, limits): Promise<ReadResult | PlainText> =>
    input.plain ? plainText(tab, input, limits) : readPage(tab, input, limits),
  text: data => data.text,
});
