// The words of a dialect's own answers, filled in: `Navigated to {url}[ ({status})]`.
import type { Args } from './dialect.ts';
import { at } from './translation.ts';

const OPTIONAL = /(\[[^[\]]*\])/;
const MEMBER = /\{([\w.]+)\}/g;

/** A part in brackets is left out when one of its members is missing; elsewhere a missing member is nothing. */
export const saying = (words: string, facts: Args): string =>
  words
    .split(OPTIONAL)
    .map((part, index) => (index % 2 === 0 ? filled(part, facts) : optional(part.slice(1, -1), facts)))
    .join('');

function optional(part: string, facts: Args): string {
  const members = [...part.matchAll(MEMBER)].map(([, path = '']) => at(facts, path));
  return members.includes(undefined) ? '' : filled(part, facts);
}

const filled = (part: string, facts: Args): string =>
  part.replace(MEMBER, (_, path: string) => String(at(facts, path) ?? ''));
