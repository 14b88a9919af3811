// The rows of a list or table of which only some are in the document at a time, gathered by scrolling, as Markdown.
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import { resolve } from '../elements/resolve.ts';
import type { GatheredRows } from '../inpage/seek.ts';
import { type Limits, waitTime } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';

export interface RowsInput {
  selector?: string | undefined;
  rows: number;
  frameId?: number | undefined;
}

/** Left over of the call's time, to give what was found. */
const RESERVE_MS = 1_000;

export async function readRows(
  tab: Tab,
  { selector = 'html', rows, frameId }: RowsInput,
  limits: Limits,
): Promise<string> {
  await tab.readable(limits);
  const element = await resolve(tab, { selector, frameId }, limits);
  limits.waiting();
  const gathered = await element.call('gatherRows', { rows, ms: waitTime(limits, RESERVE_MS) });
  if (gathered.rows.length === 0)
    throw new Failure(
      'not_found',
      'There are no rows in it.',
      phrase`${capital(TAKE_SNAPSHOT)}, and give the list or table as selector.`,
    );
  return `${markdownOf(gathered)}\n\n[${endOf(gathered, rows)}]`;
}

function endOf({ rows: { length }, ended }: GatheredRows, asked: number): string {
  if (ended) return `${length} rows: there are no more.`;
  return length < asked
    ? `${length} rows in the time of the call; there may be more.`
    : `${length} rows; there may be more.`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const line = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** A table when rows have cells, else a list. */
function markdownOf({ head, rows }: GatheredRows): string {
  const width = Math.max(head.length, ...rows.map(({ length }) => length));
  if (width < 2) return rows.map(([text = '']) => `- ${text}`).join('\n');
  const whole = (cells: string[]): string[] => [...cells, ...Array<string>(width - cells.length).fill('')];
  return [line(whole(head)), line(Array<string>(width).fill('---')), ...rows.map(cells => line(whole(cells)))].join(
    '\n',
  );
}
