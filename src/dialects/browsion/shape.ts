// Native data in the form of the answers of the dialect browsion, which are JSON.
import { at } from '../decode.ts';
import type { Args } from '../dialect.ts';

/**
 * The form of an answer: a text is a member of the native data by its path (of the native input as `input.url`), an object
 * has members of its own, a list is made item by item, and what no path can say is a function.
 */
export type Shape =
  | string
  | true
  | ((facts: Args) => unknown)
  | { readonly each: string; readonly as: Shape }
  | { readonly [member: string]: Shape };

/** What a shape makes of the facts; a member without a value is left out. */
export function shaped(shape: Shape, facts: Args): unknown {
  if (typeof shape === 'function') return shape(facts);
  if (typeof shape === 'string') return at(facts, shape);
  if (typeof shape !== 'object') return shape;
  if (isEach(shape)) return listed(at(facts, shape.each), shape.as);
  const members = Object.entries(shape).map(([name, inner]) => [name, shaped(inner, facts)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

const isEach = (shape: object): shape is { each: string; as: Shape } => 'each' in shape && 'as' in shape;

const listed = (list: unknown, as: Shape): unknown[] =>
  Array.isArray(list) ? list.map(item => shaped(as, Object(item))) : [];
