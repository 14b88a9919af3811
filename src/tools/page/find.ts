// The tool that looks for text on a page.
import { counted } from '../../engine/amounts.ts';
import { find as findText } from '../../engine/text/find.ts';
import { about, int, off, place, rare, selector, text } from '../arguments.ts';
import { tool } from '../tool.ts';

export const find = tool({
  core: true,
  summary: 'Search the page for text; gives the matching lines with refs, without a whole snapshot.',
  example: ['Hello'],
  effect: 'read',
  time: 10_000,
  input: {
    text: about('What to look for: text or /regex/', text(1_000).trim().min(1), 'Text or /regex/'),
    case_sensitive: about('Capital letters matter', off),
    selector: rare('Only inside this element', selector.optional()),
    include_bounds: rare('Also the box of each element: x, y, width, height', off),
    max_results: about('Most lines in the answer', int(1, 500).default(20)),
    ...place,
  },
  run: (tab, input, limits) => findText(tab, input, limits),
  text({ count, refs, text: lines }, input) {
    const what = `${counted(count, 'line')} with ${JSON.stringify(input.text)}`;
    if (count === 0) return `Nothing shown on the page has ${JSON.stringify(input.text)}.`;
    return `${what}${count > refs.length ? `, the first ${refs.length} of them` : ''}:\n${lines.trimEnd()}`;
  },
});
