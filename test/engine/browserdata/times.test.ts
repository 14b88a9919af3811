// Points in time as a person writes them (S1-65).
import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../src/engine/browserdata/times.ts';
import { Failure } from '../../../src/errors.ts';

/** A Tuesday, in the time zone of this machine. */
const NOW = new Date(2026, 2, 31, 10, 20, 30);
const at = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).getTime();

describe('S1-65 times', () => {
  it.each([
    ['now', NOW.getTime()],
    ['today', at(2026, 2, 31)],
    ['Yesterday', at(2026, 2, 30)],
    ['30 seconds ago', at(2026, 2, 31, 10, 20, 0)],
    ['1 minute ago', at(2026, 2, 31, 10, 19, 30)],
    ['2 hours ago', at(2026, 2, 31, 8, 20, 30)],
    ['an hour ago', at(2026, 2, 31, 9, 20, 30)],
    ['1 day ago', at(2026, 2, 30, 10, 20, 30)],
    ['a week ago', at(2026, 2, 24, 10, 20, 30)],
    ['  2  WEEKS ago ', at(2026, 2, 17, 10, 20, 30)],
    ['1 month ago', at(2026, 1, 28, 10, 20, 30)],
    ['13 months ago', at(2025, 1, 28, 10, 20, 30)],
    ['2 years ago', at(2024, 2, 31, 10, 20, 30)],
    ['2026-01-05', at(2026, 0, 5)],
    ['2026-01-05T06:07', at(2026, 0, 5, 6, 7)],
    ['2026-01-05 06:07:08', at(2026, 0, 5, 6, 7, 8)],
    ['2026-01-05T06:07:08.5Z', Date.UTC(2026, 0, 5, 6, 7, 8, 500)],
    ['2026-01-05T06:07:08+02:00', Date.UTC(2026, 0, 5, 4, 7, 8)],
  ])('%s', (text, expected) => expect(parseTime(text, 'start', NOW)).toBe(expected));

  it.each([
    ['today', at(2026, 3, 1) - 1],
    ['yesterday', at(2026, 2, 31) - 1],
    ['2026-01-05', at(2026, 0, 6) - 1],
    ['2026-01-05T06:07', at(2026, 0, 5, 6, 7)],
  ])('the end of a range: %s is meant as a whole', (text, expected) =>
    expect(parseTime(text, 'end', NOW)).toBe(expected),
  );

  it.each([
    '',
    'soon',
    '5',
    'tomorrow',
    'ago',
    '-1 day ago',
    '1.5 days ago',
    '2026-02-31',
    '2026-13-01',
    '9999999 days ago',
    '31/01/2026',
    '2026-01-05T25:00',
  ])('refuses %j', text => expect(() => parseTime(text, 'start', NOW)).toThrow(Failure));
});
