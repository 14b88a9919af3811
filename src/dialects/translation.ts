// Their call → ours, by a row of a dialect. Pure.
import { Failure, refusedBy } from '../errors.ts';
import type { Args, Case, Condition, Done, Each, From, Row, Source, Step, Text, When } from './dialect.ts';
import { isObject, READINGS } from './readings.ts';
import { NOTHING_SHOWN, type ShownNow } from './shown.ts';

/** A call in our words, and how the caller calls what it holds. */
export interface Ours {
  tool: string;
  args: Record<string, unknown>;
  naming: Naming;
}

/** For messages about arguments: the caller's names, not ours. */
export interface Naming {
  tool: string;
  /** All arguments of the tool. */
  names: readonly string[];
  required: readonly string[];
  /** Their name for an argument of ours; absent where the names are ours. */
  argument?(path: string): string;
}

/** `now` is the time, in ms. */
export function toOurs(name: string, row: Row, args: Args, now: number, shown: ShownNow = NOTHING_SHOWN): Ours {
  const refused = Object.keys(row.refused ?? {}).find(key => args[key] !== undefined);
  if (refused !== undefined)
    throw new Failure('bad_input', `${name} cannot take ${refused}: ${row.refused?.[refused]}.`, 'Leave it out.');
  const given = { ...defaultsOf(row), ...withoutUndefined(args), now: String(now) };
  const found = row.cases.find(({ when }) => holds(when, given));
  if (!found) throw noCase(name, row, given);
  if ('refuse' in found) throw refusedBy(found.refuse, `${name}: ${found.refuse}.`);
  if ('wrong' in found) throw new Failure('bad_input', `${name}: ${found.wrong}.`);
  const theirs = { ...row.takes, ...row.also };
  const extra = Object.fromEntries(Object.entries(args).filter(([key]) => !Object.hasOwn(theirs, key)));
  return { ...whole(found, given, extra, shown), naming: namingOf(name, row, found, given) };
}

/** The name of our tool behind a name of theirs; other names stay as they are. */
export function resolveToolName(rows: Readonly<Record<string, Row>>, name: string, args: Args = {}): string {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!row) return name;
  const cases = row.cases.filter(one => 'to' in one);
  return (cases.find(({ when }) => holds(when, { ...defaultsOf(row), ...args })) ?? cases[0])?.to ?? name;
}

export const stepsOf = (one: Case): readonly Step[] => ('calls' in one ? one.calls : 'to' in one ? [one] : []);

/** Our tools that a row may lead to. */
export const toolsOf = (row: Row): string[] => [...new Set(row.cases.flatMap(stepsOf).map(({ to }) => to))];

/** Arguments of ours that the caller gave beside theirs belong to what is done at last. */
function whole(done: Done, given: Args, extra: Args, shown: ShownNow): Omit<Ours, 'naming'> {
  if ('to' in done) return { tool: done.to, args: { ...argsOf(done, given, shown), ...extra } };
  const calls = done.calls.map((step, at) => ({
    tool: step.to,
    args: { ...argsOf(step, given, shown), ...(at === done.calls.length - 1 ? extra : {}) },
  }));
  return { tool: 'batch', args: { calls } };
}

/** Arguments made from others, each as its source says. */
export const readArgs = (args: Readonly<Record<string, Source>>, given: Args): Record<string, unknown> =>
  argsOf({ to: '', args }, given, NOTHING_SHOWN);

function argsOf({ args = {}, oneOf = [], set = {} }: Step, given: Args, shown: ShownNow): Record<string, unknown> {
  const built: Record<string, unknown> = structuredClone(set);
  for (const [path, source] of Object.entries(args)) put(built, path, read(source, given, shown));
  for (const choices of oneOf) {
    const pairs = choices.flatMap(choice => Object.entries(choice));
    const first = pairs.map(([path, source]) => ({ path, value: read(source, given, shown) })).find(isGiven);
    if (first) put(built, first.path, first.value);
  }
  return built;
}

const isGiven = ({ value }: { value: unknown }): boolean => value !== undefined;

function defaultsOf({ takes }: Row): Args {
  const pairs = Object.entries(takes).filter(([, schema]) => schema.default !== undefined);
  return Object.fromEntries(pairs.map(([key, schema]) => [key, schema.default]));
}

const withoutUndefined = (args: Args): Args =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

function holds(when: When | undefined, given: Args): boolean {
  return Object.entries(when ?? {}).every(([name, condition]) => meets(condition, at(given, name)));
}

function meets(condition: Condition, value: unknown): boolean {
  if (condition instanceof RegExp) return typeof value === 'string' && condition.test(value);
  if (typeof condition === 'object') return (value === undefined) === (condition.is === 'missing');
  return value === condition;
}

function noCase(name: string, row: Row, given: Args): Failure {
  const key = Object.keys(row.cases[0]?.when ?? {})[0] ?? '';
  const values = [...new Set(row.cases.map(({ when }) => when?.[key]).filter(value => typeof value === 'string'))];
  const got = given[key] === undefined ? 'it is missing' : `got ${JSON.stringify(given[key])?.slice(0, 60)}`;
  return new Failure('bad_input', `${name}: ${key} must be one of ${values.join(', ')}; ${got}.`, `Give ${key}.`);
}

function read(source: Source, given: Args, shown: ShownNow): unknown {
  if (typeof source === 'string') return at(given, source);
  if (Array.isArray(source)) return source.map(one => read(one, given, shown)).find(value => value !== undefined);
  if ('when' in source && !holds(source.when, given)) return undefined;
  if ('value' in source) return source.value;
  if ('text' in source) return filled(source, given);
  if ('each' in source) return eachOf(source, given, shown);
  if ('all' in source) return merged(source.all.map(one => read(one, given, shown)));
  if ('shown' in source) return shown.snapshot?.tab;
  return 'from' in source ? changed(source, given, shown) : undefined;
}

/** Undefined when one of the arguments in it is not given. */
function filled({ text }: Text, given: Args): string | undefined {
  const names = [...text.matchAll(/\{([\w.]+)\}/g)].map(match => match[1] ?? '');
  if (names.some(name => at(given, name) === undefined)) return undefined;
  return text.replace(/\{([\w.]+)\}/g, (_, name: string) => String(at(given, name)));
}

function eachOf({ each, args = {}, item, by }: Each, given: Args, shown: ShownNow): unknown {
  const list = at(given, each);
  if (!Array.isArray(list)) return list;
  const items = list.map(one => {
    if (!isObject(one)) return one;
    return item === undefined ? argsOf({ to: '', args }, one, shown) : read(item, one, shown);
  });
  if (by === undefined) return items;
  const keyed: Record<string, unknown[]> = {};
  for (const [index, item] of items.entries()) {
    const key = String(at(list[index], by));
    keyed[key] = [...(Object.hasOwn(keyed, key) ? (keyed[key] ?? []) : []), item];
  }
  return keyed;
}

function merged(parts: readonly unknown[]): unknown {
  const some = parts.filter(part => part !== undefined);
  if (some.length === 0) return undefined;
  return some.every(isObject) ? Object.assign({}, ...some) : some[0];
}

function changed(source: From, given: Args, shown: ShownNow): unknown {
  const value = at(given, source.from);
  if (value === undefined) return undefined;
  const { values, times, minus, flags, as } = source;
  if (values && Object.hasOwn(values, String(value))) return values[String(value)];
  if (flags && isObject(value)) return Object.keys(flags).flatMap(key => (value[key] === true ? [flags[key]] : []));
  if (typeof value === 'number' && times !== undefined)
    return value * (typeof times === 'number' ? times : Number(at(given, times)));
  if (typeof value === 'number' && minus !== undefined) return value - Number(at(given, minus));
  return as === undefined ? value : READINGS[as](value, shown);
}

/** The member at a path such as `region.x0`. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inside, key) => (isObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined),
      value,
    );
}

/** Makes the objects and lists on the way. */
function put(into: Record<string, unknown>, path: string, value: unknown): void {
  if (value === undefined) return;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let place = into;
  keys.forEach((key, index) => {
    place[key] ??= /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
    place = place[key] as Record<string, unknown>;
  });
  place[last] = value;
}

function namingOf(name: string, row: Row, done: Done, given: Args): Naming {
  const pairs = stepsOf(done).flatMap(({ args = {}, oneOf = [] }) => [
    ...Object.entries(args),
    ...oneOf.flat().flatMap(choice => Object.entries(choice)),
  ]);
  return {
    tool: name,
    names: Object.keys(row.takes),
    required: row.required ?? [],
    argument(path) {
      const [top = ''] = path.split('.');
      const exact = pairs.filter(([ours]) => ours === path);
      const theirs = (exact.length > 0 ? exact : pairs.filter(([ours]) => ours.split('.')[0] === top)).flatMap(
        ([, source]) => namesIn(source),
      );
      const used = theirs.find(one => given[one] !== undefined);
      return used ?? ([...new Set(theirs)].join(' or ') || path);
    },
  };
}

/** The arguments of theirs that a source is made of. */
export function namesIn(source: Source): string[] {
  if (typeof source === 'string') return [topOf(source)];
  if (Array.isArray(source)) return source.flatMap(namesIn);
  if ('from' in source) return [topOf(source.from)];
  if ('text' in source)
    return [...source.text.matchAll(/\{(\w+)/g)].map(match => match[1] ?? '').filter(name => name !== 'now');
  if ('each' in source) return [topOf(source.each)];
  if ('all' in source) return source.all.flatMap(namesIn);
  return [];
}

const topOf = (path: string): string => path.split('.')[0] ?? path;
