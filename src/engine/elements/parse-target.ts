// What a caller may write to name an element, taken apart. Pure.
import { Failure } from '../../errors.ts';
import { capital, noun, phrase, refName, TAKE_SNAPSHOT } from '../../text.ts';

export const STRATEGIES = ['role', 'text', 'label', 'placeholder', 'alt', 'title', 'testid'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export type Target =
  | { kind: 'ref'; number: number }
  | { kind: 'semantic'; by: Strategy; value: string }
  | { kind: 'xpath'; value: string }
  | { kind: 'css'; value: string };

export type Selector = Exclude<Target, { kind: 'ref' }>;

/** What a caller gives to name an element. */
export interface ElementTarget {
  selector: string;
  /** The frame to search in; without one, the main frame and then the others. */
  frameId?: number | undefined;
}

const REF = /^(?:\[?ref=)?@?(?:e|ref_)(\d{1,9})\]?$/;
const SEMANTIC = new RegExp(`^(${STRATEGIES.join('|')}):(.+)$`, 's');

/** Of what a CSS selector matches, the first: for those who write selectors as querySelector reads them. */
const FIRST = ' >> nth=0';

export const firstOf = (input: string): string => (isCss(input) ? `${input}${FIRST}` : input);

/** As its author wrote it. */
export const asWritten = (input: string): string => (input.endsWith(FIRST) ? input.slice(0, -FIRST.length) : input);

function isCss(input: string): boolean {
  const text = input.trim();
  return text !== '' && !text.startsWith('@') && parseTarget(text).kind === 'css';
}

/** `@e12`, `e12`, `ref=e12`, `[ref=@e12]` and `ref_12` are refs; then `role:…` and the like; then XPath; else CSS. */
export function parseTarget(input: string): Target {
  const text = input.trim();
  if (text === '')
    throw new Failure(
      'bad_input',
      'The selector is empty.',
      phrase`Give a ${noun('ref')} such as ${refName(5)}, or a CSS selector.`,
    );
  const ref = REF.exec(text);
  if (ref) return { kind: 'ref', number: Number(ref[1]) };
  if (text.startsWith('@'))
    throw new Failure(
      'bad_input',
      phrase`${JSON.stringify(text.slice(0, 40))} is not a ${noun('ref')}.`,
      phrase`${capital(noun('refs'))} look like ${refName(5)}; ${TAKE_SNAPSHOT} to see them.`,
    );
  const semantic = SEMANTIC.exec(text);
  if (semantic) return { kind: 'semantic', by: semantic[1] as Strategy, value: (semantic[2] ?? '').trim() };
  if (text.startsWith('xpath=') || text.startsWith('//') || text.startsWith('(//'))
    return { kind: 'xpath', value: text.replace(/^xpath=/, '') };
  return { kind: 'css', value: text };
}
