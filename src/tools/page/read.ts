// The tool that reads a page as a person does.
import { z } from 'zod';
import { type PlainText, plainText, type ReadResult, read as readPage } from '../../engine/text/read.ts';
import { about, int, maxChars, off, place, rare, selector } from '../arguments.ts';
import { tool } from '../tool.ts';

export const read = tool({
  core: true,
  summary: 'Read the main content of the page as Markdown, with links.',
  example: ['@e5'],
  effect: 'read',
  effectWith: ({ rows }) => (rows === undefined ? undefined : 'write'),
  time: 30_000,
  input: {
    selector: about('Only this element, instead of the main content', selector.optional()),
    offset: about('The character to begin at, to read on where an answer was cut', z.int().min(0).default(0)),
    max_chars: maxChars,
    rows: about(
      'So many rows of the list or table, scrolled for where the page makes rows only when they are seen',
      int(1, 10_000).optional(),
      'Scroll a list or table for so many rows',
    ),
    plain: rare('All text as it is shown, instead of Markdown', off),
    ...place,
  },
  run: (tab, input, limits): Promise<ReadResult | PlainText> =>
    input.plain ? plainText(tab, input, limits) : readPage(tab, input, limits),
  text: data => data.text,
});
