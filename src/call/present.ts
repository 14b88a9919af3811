// Present: data or a failure → the text that a model reads, inside its budget, and the structured form beside it.
import { ellipsis } from '../ellipsis.ts';
import { Picture } from '../engine/picture.ts';
import { Failure } from '../errors.ts';
import { visible } from '../policy/foreign-text.ts';
import { Phrase, type Wording } from '../text.ts';

/** How far pictures are looked for in the data. */
const MOST_VALUES = 20_000;
const MOST_DEPTH = 8;

export interface Structured {
  data: unknown;
  pictures: Picture[];
}

/** Takes the pictures out of the data; what stays in their place says what they are. Phrases become text. */
export function takePictures(data: unknown, wording?: Wording): Structured {
  const pictures: Picture[] = [];
  let left = MOST_VALUES;
  const visit = (value: unknown, depth: number): unknown => {
    if (value instanceof Picture) {
      pictures.push(value);
      const { mimeType, bytes, width, height } = value;
      return { mimeType, bytes: bytes.length, width, height };
    }
    if (value instanceof Phrase) return wording ? value.in(wording) : String(value);
    if (left-- <= 0 || depth > MOST_DEPTH) return value;
    if (Array.isArray(value))
      return replaced(
        value,
        value.map(item => visit(item, depth + 1)),
      );
    if (!isPlain(value)) return value;
    const before = Object.entries(value);
    const after = before.map(([key, item]): [string, unknown] => [key, visit(item, depth + 1)]);
    return after.some(([, item], index) => item !== before[index]?.[1]) ? Object.fromEntries(after) : value;
  };
  return { data: visit(data, 0), pictures };
}

const replaced = (before: unknown[], after: unknown[]): unknown[] =>
  after.some((item, index) => item !== before[index]) ? after : before;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as typeof Object.prototype | null);

/** A message may repeat what the caller sent, and the end of it may tell why: of a longer one both ends are shown. */
const LONGEST_MESSAGE = 1_500;
const END_OF_MESSAGE = 500;

/** The failure as a caller is told it: bounded, and without characters that cannot be seen. */
export function toldFailure({ code, message, hint, rule }: Failure): Failure {
  return new Failure(code, visible(bothEnds(message)), hint && visible(bothEnds(hint)), { rule });
}

const bothEnds = (text: string): string =>
  text.length > LONGEST_MESSAGE
    ? ellipsis(text, LONGEST_MESSAGE - END_OF_MESSAGE) + text.slice(-END_OF_MESSAGE).replace(/^[\udc00-\udfff]/, '')
    : text;

export const failureText = ({ message, hint }: Pick<Failure, 'message' | 'hint'>): string =>
  hint ? `${message}\n${hint}` : message;

/** The text, cut at the end of a line when it is longer than the budget; it then says what is missing. */
export function fitBudget(text: string, budget: number, canAskForMore: boolean): string {
  if (text.length <= budget) return text;
  const how = canAskForMore ? `Give max_chars: ${text.length} for all of it, or ask for less` : 'Ask for less';
  const notice = (missing: number) => `\n[${missing} of ${text.length} characters are cut off here. ${how}.]`;
  const kept = cutAtLine(text, Math.max(0, budget - notice(text.length).length));
  return kept + notice(text.length - kept.length);
}

function cutAtLine(text: string, length: number): string {
  const lineEnd = text.lastIndexOf('\n', length);
  // A single long line (a script's output) is cut inside, but not inside a character.
  const end = lineEnd > length / 2 ? lineEnd : length;
  const inPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '');
  return text.slice(0, inPair ? end - 1 : end);
}
