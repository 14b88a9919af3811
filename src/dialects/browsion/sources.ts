// Where native arguments come from that several tools share: the first match of a selector, patterns of urls, times.
import { firstOf } from '../../engine/elements/parse-target.ts';
import type { Source, Sources } from '../definition.ts';

/** A selector means the first element that it matches. */
export const firstMatch = (selector: unknown): unknown => (typeof selector === 'string' ? firstOf(selector) : selector);
export const first = (from: string): Source => ({ from, convert: firstMatch });
export const onElement: Sources = { selector: first('selector') };
export const timeout: Sources = { timeout: 'timeout_ms' };

/** `*` stands for anything; a pattern without one may stand anywhere in the url. */
export const urlPattern = (from: string): Source => ({
  from,
  convert(pattern) {
    if (typeof pattern !== 'string') return pattern;
    return pattern.includes('*') ? pattern.replace(/\*+/g, '**') : `**${pattern}**`;
  },
});
