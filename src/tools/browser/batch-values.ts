// What a call of a batch may use of an earlier one: $1.ref is the element that call 1 gave, $2.tabId the tab that call 2 opened.
import { Failure } from '../../errors.ts';
import type { Called } from '../tool.ts';

/** Only whole values: `$5.00` or `costs $1.ref` is text. */
const VALUE = /^\$(\d{1,2})\.([a-z]\w*)$/i;
/** Where arguments have elements and tabs, such as fields.0.selector. */
const MOST_DEPTH = 4;

type Args = Readonly<Record<string, unknown>>;
type Take = (call: number, name: string) => unknown;

/** The arguments with every such value replaced; the same object when there is none. */
function replaced<T>(value: T, take: Take, depth = 0): T {
  const match = typeof value === 'string' ? VALUE.exec(value) : null;
  if (match) return take(Number(match[1]), match[2] ?? '') as T;
  if (typeof value !== 'object' || value === null || depth > MOST_DEPTH) return value;
  if (Array.isArray(value)) return value.map(item => replaced(item, take, depth + 1)) as T;
  const entries = Object.entries(value).map(([key, item]) => [key, replaced(item, take, depth + 1)]);
  return entries.every(([key, item]) => item === Object(value)[key]) ? value : (Object.fromEntries(entries) as T);
}

/** What each may stand for before it is known, so that the call can be checked. */
const STAND_INS: Readonly<Record<string, unknown>> = { ref: '@e1', tabId: 1 };

/** The arguments of the call with that number, as they may look when it is sent. */
export const withStandIns = (args: Args, number: number): Args =>
  replaced(args, (call, name) => {
    const said = `$${call}.${name}`;
    if (!(name in STAND_INS))
      throw new Failure('bad_input', `${said} is not known.`, 'Of an earlier call there are $1.ref and $1.tabId.');
    if (call < 1 || call >= number)
      throw new Failure('bad_input', `${said} is of no earlier call.`, 'Count the calls of the batch from 1.');
    return STAND_INS[name];
  });

/** The arguments with what the earlier calls gave. */
export const withValues = (args: Args, earlier: readonly Called[]): Args =>
  replaced(args, (call, name) => {
    const data = earlier[call - 1]?.data;
    return name === 'tabId' ? theOne(tabsOf(data), call, 'tab') : theOne(refsOf(data), call, 'element');
  });

function theOne<T>(found: readonly T[], call: number, what: string): T {
  const [first] = new Set(found);
  if (first !== undefined && new Set(found).size === 1) return first;
  if (first === undefined)
    throw new Failure('not_found', `Call ${call} gave no ${what}.`, 'See its answer, and go on from there.');
  throw new Failure(
    'ambiguous',
    `Call ${call} gave ${new Set(found).size} ${what}s: ${[...new Set(found)].slice(0, 10).join(', ')}.`,
    'Look for less, or name one of them.',
  );
}

/** What was found, or what a receipt says is new: the words of the page in it are no refs. */
function refsOf(data: unknown): string[] {
  const { refs, matches, receipt } = Object(data);
  if (Array.isArray(refs)) return refs;
  if (Array.isArray(matches)) return matches.flatMap(({ ref }) => ref ?? []);
  const lines: string[] = Array.isArray(receipt) ? receipt.filter(line => line.startsWith('New: ')) : [];
  return lines.flatMap(line => line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/@e\d+/g) ?? []);
}

function tabsOf(data: unknown): number[] {
  const { tabId, opened, tab } = Object(data);
  return [opened?.tabId ?? tab?.tabId ?? tabId].filter(id => typeof id === 'number');
}
