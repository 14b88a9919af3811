// Decode: a call by a tool of a dialect → the native tool and its arguments. Pure.
import { z } from 'zod';
import { type ArgumentNames, describeIssue, wrongArguments } from '../config/issues.ts';
import { defined, isRecord } from '../defined.ts';
import { Failure, refusedBy } from '../errors.ts';
import type {
  ArgumentSource,
  Case,
  Condition,
  DialectTool,
  LastShown,
  ListSource,
  NativeCase,
  NativeStep,
  ReadContext,
  Schema,
  Source,
  Sources,
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
export function toNative(name: string, tool: DialectTool, args: Args, now: number, shown = NOTHING_SHOWN): NativeCall {
  const refused = Object.keys(tool.refused ?? {}).find(key => args[key] !== undefined);
  if (refused !== undefined)
    throw new Failure('bad_input', `${name} cannot take ${refused}: ${tool.refused?.[refused]}.`, 'Leave it out.');
  const given = { ...defaultsOf(tool), ...defined(args) };
  const found = tool.cases.find(({ when }) => holds(when, given));
  if (!found) throw noCase(name, tool, given);
  if ('refuse' in found) throw refusedBy(found.refuse, `${name}: ${found.refuse}.`);
  if ('wrong' in found) throw new Failure('bad_input', `${name}: ${found.wrong}.`);
  const known = { ...tool.arguments, ...tool.unlistedArguments };
  const extra = Object.fromEntries(Object.entries(args).filter(([key]) => !Object.hasOwn(known, key)));
  return { ...nativeCall(found, { given, now, shown }, extra), names: namesOf(name, tool, found, given) };
}

export const stepsOf = (one: Case): readonly NativeStep[] => ('calls' in one ? one.calls : 'tool' in one ? [one] : []);

/** The native tools that a tool of a dialect may be done by. */
export const toolsOf = ({ cases }: DialectTool): string[] => [
  ...new Set(cases.flatMap(stepsOf).map(step => step.tool)),
];

/** Native arguments that the caller gave beside those of the dialect belong to the last call. */
function nativeCall(done: NativeCase, context: ReadContext, extra: Args): Omit<NativeCall, 'names'> {
  const steps = stepsOf(done);
  const needed = steps.filter(({ needs }) => !needs || needs.some(name => context.given[name] !== undefined));
  const calls = (needed.length > 0 ? needed : steps.slice(-1)).map(step => ({
    tool: step.tool,
    args: argsOf(step, context),
  }));
  Object.assign(calls.at(-1)?.args ?? {}, extra);
  const [first, ...others] = calls;
  return first && others.length === 0 ? first : { tool: 'batch', args: { calls } };
}

/** Arguments made from others, each as its source says. */
export const readArgs = (args: Sources, given: Args): Record<string, unknown> =>
  argsOf({ args }, { given, now: Date.now(), shown: NOTHING_SHOWN });

function argsOf(
  { args = {}, oneOf = [], constants = {} }: Omit<NativeStep, 'tool'>,
  context: ReadContext,
): Record<string, unknown> {
  const built: Record<string, unknown> = structuredClone(constants);
  for (const [path, source] of Object.entries(args)) put(built, path, read(source, context));
  for (const choices of oneOf) {
    const pairs = choices.flatMap(choice => Object.entries(choice));
    const first = pairs.map(([path, source]) => ({ path, value: read(source, context) })).find(isGiven);
    if (first) put(built, first.path, first.value);
  }
  return built;
}

const isGiven = ({ value }: { value: unknown }): boolean => value !== undefined;

const defaultsOf = (tool: DialectTool): Args =>
  defined(Object.fromEntries(Object.entries(tool.arguments).map(([name, schema]) => [name, schema.default])));

function holds(when: When | undefined, given: Args): boolean {
  return Object.entries(when ?? {}).every(([name, condition]) => meets(condition, at(given, name)));
}

function meets(condition: Condition, value: unknown): boolean {
  if (condition instanceof RegExp) return typeof value === 'string' && condition.test(value);
  if (typeof condition === 'object') return (value === undefined) === (condition.is === 'missing');
  return value === condition;
}

function noCase(name: string, { cases }: DialectTool, given: Args): Failure {
  const key = Object.keys(cases[0]?.when ?? {})[0] ?? '';
  const values = [...new Set(cases.map(({ when }) => when?.[key]).filter(value => typeof value === 'string'))];
  const got = given[key] === undefined ? 'it is missing' : `got ${JSON.stringify(given[key])?.slice(0, 60)}`;
  return new Failure('bad_input', `${name}: ${key} must be one of ${values.join(', ')}; ${got}.`, `Give ${key}.`);
}

function read(source: Source, context: ReadContext): unknown {
  if (typeof source === 'string') return at(context.given, source);
  if (Array.isArray(source)) return source.map(one => read(one, context)).find(value => value !== undefined);
  if ('when' in source && !holds(source.when, context.given)) return undefined;
  if ('value' in source) return typeof source.value === 'function' ? source.value(context) : source.value;
  if ('each' in source) return itemsOf(source, context);
  return 'from' in source ? converted(source, context) : undefined;
}

function itemsOf({ each, args = {}, item }: ListSource, context: ReadContext): unknown {
  const list = at(context.given, each);
  if (!Array.isArray(list)) return list;
  return list.map(one => {
    if (!isRecord(one)) return one;
    const inside = { ...context, given: one };
    return item === undefined ? argsOf({ args }, inside) : read(item, inside);
  });
}

function converted({ from, values, convert }: ArgumentSource, context: ReadContext): unknown {
  const value = at(context.given, from);
  if (value === undefined) return undefined;
  if (values && Object.hasOwn(values, String(value))) return values[String(value)];
  return convert ? convert(value, context) : value;
}

/** The member at a path such as `region.x0`. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inside, key) => (isRecord(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined),
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

function namesOf(name: string, tool: DialectTool, done: NativeCase, given: Args): ArgumentNames {
  const pairs = stepsOf(done).flatMap(({ args = {}, oneOf = [] }) => [
    ...Object.entries(args),
    ...oneOf.flat().flatMap(choice => Object.entries(choice)),
  ]);
  return {
    tool: name,
    names: Object.keys(tool.arguments),
    required: tool.required ?? [],
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

/** The schema of each tool, made with its first call. */
const schemas = new WeakMap<DialectTool, z.ZodType>();

/** The arguments of a strict dialect against the schema that it lists: no others get as far as the native tool. */
export function checkArguments(name: string, tool: DialectTool, args: Args): void {
  const { arguments: listed, unlistedArguments, required = [] } = tool;
  const schema = schemas.get(tool) ?? closed({ ...listed, ...unlistedArguments }, required);
  schemas.set(tool, schema);
  const { error } = schema.safeParse(args, { reportInput: true });
  if (!error) return;
  const names = Object.keys(listed);
  const issues = error.issues.flatMap(issue => describeIssue(issue, names));
  throw wrongArguments(issues, { tool: name, names, required });
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
