// Seek: scrolls a list on until it shows a text, also one whose items are not in the document before they are seen.
import { ellipsis } from '../../ellipsis.ts';
import { Failure } from '../../errors.ts';
import { capital, type Phrase, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import { resolve } from '../elements/resolve.ts';
import { seconds, waitTime } from '../limits.ts';
import { type FindResult, find } from '../text/find.ts';

export interface SeekInput {
  text: string;
  selector?: string | undefined;
  direction?: 'up' | 'down' | 'left' | 'right' | undefined;
  frameId?: number | undefined;
}

/** Left over of the call's time, to say how far it went. */
const RESERVE_MS = 1_000;
const FEW = 10;

/** The lines with the text, the first of them in view. `list` is what scrolls, or what that is in. */
export async function seek(list: Element, what: string | Phrase, input: SeekInput): Promise<FindResult> {
  const { tab, limits } = list;
  const { selector, frameId } = input;
  const ask = { text: input.text, case_sensitive: false, max_results: FEW, include_bounds: false, selector, frameId };
  const look = () => find(tab, ask, limits);
  limits.waiting();
  const shown = await look();
  const ms = waitTime(limits, RESERVE_MS);
  const sought = shown.count > 0 ? undefined : await list.call('seekText', askOf(input, ms));
  const found = sought?.found ? await look() : shown;
  const [first] = found.refs;
  if (first === undefined) throw notFound(input.text, what, sought?.ended ? 'to its end' : `for ${seconds(ms)}`);
  const match = await resolve(tab, { selector: first }, limits);
  await match.call('scrollElement', { into: 'nearest', smooth: false });
  return found;
}

const askOf = ({ text, direction }: SeekInput, ms: number) => ({
  text: text.toLowerCase().replace(/\s+/g, ' ').trim(),
  up: direction === 'up',
  ms,
});

const notFound = (text: string, what: string | Phrase, how: string): Failure =>
  new Failure(
    'not_found',
    phrase`${JSON.stringify(ellipsis(text, 80))} did not come up: ${what} was scrolled ${how}.`,
    phrase`${capital(TAKE_SNAPSHOT)}, and give the list that has it as selector, or other words.`,
  );
