// Points in time as a person writes them: ISO dates, "2 hours ago", "today". Pure.
import { Failure } from '../../errors.ts';

const SECOND = 1_000;
const UNITS: Readonly<Record<string, number>> = {
  second: SECOND,
  minute: 60 * SECOND,
  hour: 3_600 * SECOND,
};

/** The day is meant as a whole: its first moment at the start of a range, its last at the end. */
export type Edge = 'start' | 'end';

/** Milliseconds since 1970. Days without a clock time are those of this machine. */
export function parseTime(given: string, edge: Edge, now: Date = new Date()): number {
  const text = given.trim().toLowerCase().replace(/\s+/g, ' ');
  if (text === 'now') return now.getTime();
  if (text === 'today') return day(now, 0, edge);
  if (text === 'yesterday') return day(now, -1, edge);
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  const time = date ? wholeDay(date, edge) : (ago(text, now) ?? clock(given.trim()));
  if (time === undefined || !Number.isFinite(time)) throw unreadable(given);
  return time;
}

function day(now: Date, offset: number, edge: Edge): number {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset + (edge === 'end' ? 1 : 0));
  return edge === 'end' ? start.getTime() - 1 : start.getTime();
}

function wholeDay([, year, month, date]: RegExpExecArray, edge: Edge): number | undefined {
  const start = new Date(Number(year), Number(month) - 1, Number(date));
  // 2026-02-31 would be read as a day in March.
  return start.getMonth() === Number(month) - 1 ? day(start, 0, edge) : undefined;
}

/** "3 days ago", "an hour ago". Months and years are those of the calendar. */
function ago(text: string, now: Date): number | undefined {
  const [, amount = '', unit = ''] = /^(an?|\d{1,6}) (second|minute|hour|day|week|month|year)s? ago$/.exec(text) ?? [];
  if (unit === '') return undefined;
  const count = /^a/.test(amount) ? 1 : Number(amount);
  const ms = UNITS[unit];
  if (ms !== undefined) return now.getTime() - count * ms;
  const then = new Date(now);
  if (unit === 'day' || unit === 'week') then.setDate(then.getDate() - count * (unit === 'week' ? 7 : 1));
  else {
    const months = unit === 'year' ? 12 * count : count;
    const last = new Date(now.getFullYear(), now.getMonth() - months + 1, 0).getDate();
    then.setMonth(then.getMonth() - months, Math.min(now.getDate(), last));
  }
  return then.getTime();
}

/** ISO 8601 with a clock time: that of this machine unless a zone is given. */
const clock = (text: string): number | undefined =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?$/i.test(text) ? Date.parse(text) : undefined;

const unreadable = (given: string): Failure =>
  new Failure(
    'bad_input',
    `${JSON.stringify(given.slice(0, 60))} is no time.`,
    'Give an ISO date (2026-01-31, 2026-01-31T09:30:00Z), "2 hours ago", "1 day ago", "today", "yesterday" or "now".',
  );
