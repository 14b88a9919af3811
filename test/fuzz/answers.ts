// What must hold of every answer, whatever was asked for.
import type { Result } from '../../src/call/call.ts';
import { CODES } from '../../src/errors.ts';

/** A call may be late by what a busy machine, and the freeing of a stuck page, take. */
const LATE_MS = 8_000;
/** A message and a hint, each within its bound. */
const LONGEST_FAILURE = 3_001;

export function answerFaults({ ok, failure, text }: Result, elapsed: number, bound: number): string[] {
  const faults = [
    ...(elapsed > bound + LATE_MS ? [`answered after ${Math.round(elapsed)} ms`] : []),
    ...(ok === (failure === undefined) ? [] : [`ok is ${ok}, but the failure ${failure?.code}`]),
    ...(isWellFormed(text) ? [] : ['half of a surrogate pair']),
  ];
  if (!failure) return faults;
  const isKnown = Object.hasOwn(CODES, failure.code) && failure.code !== 'internal';
  return [
    ...faults,
    ...(isKnown ? [] : [`${failure.code}: ${text.slice(0, 500)}`]),
    ...(failure.message === '' ? [`no message with ${failure.code}`] : []),
    ...textFaults(text, LONGEST_FAILURE),
  ];
}

/** Faults of any text that says what went wrong. A caller's own script may be traced, our files not. */
export const textFaults = (text: string, most: number): string[] => [
  ...(/\n\s+at .*(?:\/|node:)\S+:\d+:\d+/.test(text) ? [`a stack trace: ${text.slice(0, 300)}`] : []),
  ...(text.length > most ? [`${text.length} characters, more than ${most}`] : []),
];

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
