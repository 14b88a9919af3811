// Decode: a call by a tool of a dialect → the native tool and its arguments. Pure.
import { z } from 'zod';
import { type ArgumentNames, describeIssue, wrongArguments } from '../config/issues.ts';
import { Failure, refusedBy } from '../errors.ts';
import type {
  Case,
  Condition,
  DialectTool,
  Done,
  Each,
  From,
  LastShown,
  NativeStep,
  ReadContext,
  Schema,
  Source,
  When,
} from './definition.ts';
import type { Args } from './dialect.ts';

export const NOTHING_SHOWN: LastShown = { pages: [], open: [] };

export interface NativeCall {
  tool: string;
  args: Record<string, unknown>;
  names: ArgumentNames;
}

/** `now` is the time, in ms. */
export function toNative(name: string, row: DialectTool, args: Args, now: number, shown = NOTHING_SHOWN): NativeCall {
  const refused = Object.keys(row.refused ?? {}).find(key => args[key] !== undefined);
  if (refused !== undefined)
    throw new Failure('bad_input', `${name} cannot take ${refused}: ${row.refused?.[refused]}.`, 'Leave it out.');
  const given = { ...defaultsOf(row), ...withoutUndefined(args) };
  const found = row.cases.find(({ when }) => holds(when, given));
  if (!found) throw noCase(name, row, given);
  if ('refuse' in found) throw refusedBy(found.refuse, `${name}: ${found.refuse}.`);
  if ('wrong' in found) throw new Failure('bad_input', `${name}: ${found.wrong}.`);
  const known = { ...row.takes, ...row.also };
  const extra = Object.fromEntries(Object.entries(args).filter(([key]) => !Object.hasOwn(known, key)));
  return { ...nativeCall(found, { given, now, shown }, extra), names: namesOf(name, row, found, given) };
}

/** The native tool behind a name of the dialect; other names stay as they are. */
export function resolveToolName(rows: Readonly<Record<string, DialectTool>>, name: string, args: Args = {}): string {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!row) return name;
  const cases = row.cases.filter(one => 'to' in one);
  return (cases.find(({ when }) => holds(when, { ...defaultsOf(row), ...args })) ?? cases[0])?.to ?? name;
}

export const stepsOf = (one: Case): readonly NativeStep[] => ('calls' in one ? one.calls : 'to' in one ? [one] : []);

/** The native tools that a row may lead to. */
export const toolsOf = (row: DialectTool): string[] => [...new Set(row.cases.flatMap(stepsOf).map(({ to }) => to))];

/** Native arguments that the caller gave beside those of the row belong to the last call. */
function nativeCall(done: Done, context: ReadContext, extra: Args): Omit<NativeCall, 'names'> {
  if ('to' in done) return { tool: done.to, args: { ...argsOf(done, context), ...extra } };
  const calls = done.calls.map((step, at) => ({
    tool: step.to,
    args: { ...argsOf(step, context), ...(at === done.calls.length - 1 ? extra : {}) },
  }));
  return { tool: 'batch', args: { calls } };
}

/** Arguments made from others, each as its source says. */
export const readArgs = (args: Readonly<Record<string, Source>>, given: Args): Record<string, unknown> =>
  argsOf({ args }, { given, now: Date.now(), shown: NOTHING_SHOWN });

function argsOf(
  { args = {}, oneOf = [], set = {} }: Omit<NativeStep, 'to'>,
  context: ReadContext,
): Record<string, unknown> {
  const built: Record<string, unknown> = structuredClone(set);
  for (const [path, source] of Object.entries(args)) put(built, path, read(source, context));
  for (const choices of oneOf) {
    const pairs = choices.flatMap(choice => Object.entries(choice));
    const first = pairs.map(([path, source]) => ({ path, value: read(source, context) })).find(isGiven);
    if (first) put(built, first.path, first.value);
  }
  return built;
}

const isGiven = ({ value }: { value: unknown }): boolean => value !== undefined;

function defaultsOf({ takes }: DialectTool): Args {
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

function noCase(name: string, row: DialectTool, given: Args): Failure {
  const key = Object.keys(row.cases[0]?.when ?? {})[0] ?? '';
  const values = [...new Set(row.cases.map(({ when }) => when?.[key]).filter(value => typeof value === 'string'))];
  const got = given[key] === undefined ? 'it is missing' : `got ${JSON.stringify(given[key])?.slice(0, 60)}`;
  return new Failure('bad_input', `${name}: ${key} must be one of ${values.join(', ')}; ${got}.`, `Give ${key}.`);
}

function read(source: Source, context: ReadContext): unknown {
  if (typeof source === 'string') return at(context.given, source);
  if (Array.isArray(source)) return source.map(one => read(one, context)).find(value => value !== undefined);
  if ('when' in source && !holds(source.when, context.given)) return undefined;
  if ('value' in source) return typeof source.value === 'function' ? source.value(context) : source.value;
  if ('each' in source) return itemsOf(source, context);
  return 'from' in source ? changed(source, context) : undefined;
}

function itemsOf({ each, args = {}, item }: Each, context: ReadContext): unknown {
  const list = at(context.given, each);
  if (!Array.isArray(list)) return list;
  return list.map(one => {
    if (!isObject(one)) return one;
    const inside = { ...context, given: one };
    return item === undefined ? argsOf({ args }, inside) : read(item, inside);
  });
}

function changed({ from, values, as }: From, context: ReadContext): unknown {
  const value = at(context.given, from);
  if (value === undefined) return undefined;
  if (values && Object.hasOwn(values, String(value))) return values[String(value)];
  return as ? as(value, context) : value;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
  let inside = into;
  keys.forEach((key, index) => {
    inside[key] ??= /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
    inside = inside[key] as Record<string, unknown>;
  });
  inside[last] = value;
}

function namesOf(name: string, row: DialectTool, done: Done, given: Args): ArgumentNames {
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
      const exact = pairs.filter(([native]) => native === path);
      const sources = exact.length > 0 ? exact : pairs.filter(([native]) => native.split('.')[0] === top);
      const names = sources.flatMap(([, source]) => namesIn(source));
      return names.find(one => given[one] !== undefined) ?? ([...new Set(names)].join(' or ') || path);
    },
  };
}

/** The arguments of the caller that a source is made of. */
export function namesIn(source: Source): string[] {
  if (typeof source === 'string') return [topOf(source)];
  if (Array.isArray(source)) return source.flatMap(namesIn);
  if ('from' in source) return [topOf(source.from)];
  return 'each' in source ? [topOf(source.each)] : [];
}

const topOf = (path: string): string => path.split('.')[0] ?? path;

const schemas = new WeakMap<DialectTool, z.ZodType>();

/** The arguments of a strict dialect against the schema that it lists: no others get as far as the native tool. */
export function checkArguments(tool: string, row: DialectTool, args: Args): void {
  const { takes, also, required = [] } = row;
  const schema = schemas.get(row) ?? closed({ ...takes, ...also }, required);
  schemas.set(row, schema);
  const { error } = schema.safeParse(args, { reportInput: true });
  const names = Object.keys(takes);
  if (!error) return;
  const issues = error.issues.flatMap(issue => describeIssue(issue, names));
  throw wrongArguments(issues, { tool, names, required });
}

const KINDS: Readonly<Record<string, (schema: Schema) => z.ZodType>> = {
  string: () => z.string(),
  number: schema => bounded(z.number(), schema),
  integer: schema => bounded(z.int(), schema),
  boolean: () => z.boolean(),
  array: ({ items }) => z.array(items === undefined ? z.unknown() : kindOf(items as Schema)),
  object: ({ properties, required }) =>
    properties === undefined
      ? z.record(z.string(), z.unknown())
      : closed(properties as Record<string, Schema>, (required ?? []) as readonly string[]),
};

function bounded(kind: z.ZodNumber, { minimum, maximum, exclusiveMinimum }: Schema): z.ZodNumber {
  let bound = kind;
  if (typeof minimum === 'number') bound = bound.min(minimum);
  if (typeof maximum === 'number') bound = bound.max(maximum);
  return typeof exclusiveMinimum === 'number' ? bound.gt(exclusiveMinimum) : bound;
}

/** Those members, and no others. */
function closed(properties: Readonly<Record<string, Schema>>, required: readonly string[]): z.ZodType {
  const members = Object.entries(properties).map(([name, schema]) => {
    const kind = kindOf(schema);
    return [name, required.includes(name) ? kind : kind.optional()] as const;
  });
  return z.strictObject(Object.fromEntries(members));
}

const kindOf = (schema: Schema): z.ZodType =>
  Array.isArray(schema.enum) ? z.enum(schema.enum as string[]) : (KINDS[String(schema.type)]?.(schema) ?? z.unknown());
