// How an argument of theirs is read, beside its plain value. Pure.
import { firstOf } from '../engine/elements/parse-target.ts';
import type { From } from './dialect.ts';
import { refOfUid, type ShownNow, tabOfPage } from './shown.ts';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Reading = (value: unknown, shown: ShownNow) => unknown;

export const READINGS: Record<NonNullable<From['as']>, Reading> = {
  text: value => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  upper: value => (typeof value === 'string' ? value.toUpperCase() : value),
  /** A switch, or an object that is on unless it says otherwise. */
  switch: value => (isObject(value) ? value.enabled !== false : value),
  /** `A,B` → `A B`. */
  sequence: value => (typeof value === 'string' ? value.split(/\s*,\s*/).join(' ') : value),
  /** Nothing and less count as not given. */
  positive: value => (typeof value === 'number' && value <= 0 ? undefined : value),
  first: value => (typeof value === 'string' ? firstOf(value) : value),
  /** `*` stands for anything; what has none may stand anywhere in the address. */
  wild: value => {
    if (typeof value !== 'string') return value;
    return value.includes('*') ? value.replace(/\*+/g, '**') : `**${value}**`;
  },
  uid: refOfUid,
  page: tabOfPage,
};
