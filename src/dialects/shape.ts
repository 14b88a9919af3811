// Our data in the form of a dialect that answers with JSON.
import type { Args, Shape } from './dialect.ts';
import { at } from './translation.ts';

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
