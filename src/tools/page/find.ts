// The tool that looks for text on a page.
import { z } from 'zod';
import { find as findText } from '../../engine/text/find.ts';
import { on } from '../arguments.ts';
import { counted } from '../effects-text.ts';
import { tool } from '../tool.ts';

export const find = tool({
  name: 'find',
  group: 'snapshot',
  core: true,
  summary: 'Search the page for text; gives the matching lines with refs, without a whole snapshot.',
  on: 'tab',
  effect: 'read',
  time: 10_000,
  input: {
    text: z.string().trim().min(1).max(1_000).describe('Text or /regex/'),
    case_sensitive: z.boolean().default(false),
    max_results: z.int().min(1).max(500).default(20),
    ...on,
  },
  run: (tab, input, limits) => findText(tab, input, limits),
  text({ count, refs, text }, input) {
    const what = `${counted(count, 'line')} with ${JSON.stringify(input.text)}`;
    if (count === 0) return `Nothing shown on the page has ${JSON.stringify(input.text)}.`;
    return `${what}${count > refs.length ? `, the first ${refs.length} of them` : ''}:\n${text.trimEnd()}`;
  },
});
