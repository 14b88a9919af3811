// The tool that looks for text on a page.
import { counted } from '../../engine/amounts.ts';
import { find as findText } from '../../engine/text/find.ts';
import { advice, argumentName, type Part, phrase, refLabel, toolName } from '../../text.ts';
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
    case_sensitive: rare('Capital letters matter', off),
    selector: rare('Only inside this element', selector.optional()),
    include_bounds: rare('Also the box of each element: x, y, width, height', off),
    max_results: rare('Most lines in the answer', int(1, 500).default(20)),
    ...place,
  },
  run: (tab, input, limits) => findText(tab, input, limits),
  text({ count, refs, text: lines, scrollable }, input) {
    const what = `${counted(count, 'line')} with ${JSON.stringify(input.text)}`;
    if (count === 0) return phrase`Nothing shown on the page has ${JSON.stringify(input.text)}.${further(scrollable)}`;
    return `${what}${count > refs.length ? `, the first ${refs.length} of them` : ''}:\n${lines.trimEnd()}`;
  },
});

/** Of a long list, only what is in view may be in the document. */
const further = (list: { number: number; label: string } | undefined): Part =>
  list === undefined
    ? ''
    : advice(
        phrase` ${refLabel(list.number, list.label)} scrolls: ${toolName('scroll')} it with ${argumentName('text')} to look further.`,
      );
