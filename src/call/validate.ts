// Validate: the arguments of a call against the tool's schema. The only validation there is.
import { z } from 'zod';
import { describeIssue } from '../config/issues.ts';
import type { Row, Schema } from '../dialects/dialect.ts';
import type { Naming } from '../dialects/translation.ts';
import { Failure } from '../errors.ts';
import type { AnyTool } from '../tools/tool.ts';

export type Input = Record<string, unknown>;

/** More would not help: a caller who got so much wrong reads the list of arguments. */
const MOST_NAMED = 5;

const schemas = new WeakMap<AnyTool, z.ZodObject>();

/** The input for run(), with defaults filled in; or a Failure that names every wrong argument, as the caller calls it. */
export function validate(tool: AnyTool, args: Input, naming: Naming = ownNaming(tool)): Input {
  const parsed = schemaOf(tool).safeParse(args, { reportInput: true });
  const issues = parsed.error?.issues.flatMap(issue => describeIssue(named(issue, naming), naming.names)) ?? [];
  const wrong = [...issues, ...wrongChoices(tool, args, naming)];
  if (parsed.success && wrong.length === 0) return parsed.data;
  throw wrongArguments(wrong, naming);
}

/** The arguments of a strict dialect, against the schema that it lists: nothing else gets as far as our own. */
export function validateTheirs(tool: string, { takes: theirs, also, required = [] }: Row, args: Input): void {
  const { error } = closed({ ...theirs, ...also }, required).safeParse(args, { reportInput: true });
  const names = Object.keys(theirs);
  if (error)
    throw wrongArguments(
      error.issues.flatMap(issue => describeIssue(issue, names)),
      { tool, names, required },
    );
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

function wrongArguments(wrong: readonly string[], naming: Naming): Failure {
  const more = wrong.length > MOST_NAMED ? `; and ${wrong.length - MOST_NAMED} more` : '';
  return new Failure('bad_input', `${naming.tool}: ${wrong.slice(0, MOST_NAMED).join('; ')}${more}.`, takes(naming));
}

function ownNaming({ name, input }: AnyTool): Naming {
  const names = Object.keys(input);
  return { tool: name, names, required: names.filter(one => !isOptional(input[one])) };
}

/** The issue with the caller's name for the argument at its path. */
function named(issue: z.core.$ZodIssue, { argument }: Naming): z.core.$ZodIssue {
  return argument && issue.path.length > 0 ? { ...issue, path: [argument(issue.path.join('.'))] } : issue;
}

function schemaOf(tool: AnyTool): z.ZodObject {
  const known = schemas.get(tool);
  if (known) return known;
  const schema = z.strictObject(tool.input);
  schemas.set(tool, schema);
  return schema;
}

/** Exactly one of each list must be given. */
function wrongChoices(tool: AnyTool, args: Input, { argument = name => name }: Naming): string[] {
  return (tool.oneOf ?? []).flatMap(list => {
    const given = list.filter(name => args[name] !== undefined);
    if (given.length === 1) return [];
    const one = list.length > 2 ? 'exactly one of' : 'either';
    const said = given.length === 0 ? 'got none' : `got ${given.map(argument).join(' and ')}`;
    return [`give ${one} ${list.map(argument).join(' or ')}, ${said}`];
  });
}

/** The allowed names, the required ones first. */
function takes({ tool, names, required }: Naming): string {
  const optional = names.filter(name => !required.includes(name));
  const parts = [
    ...(required.length > 0 ? [`${required.join(', ')} (required)`] : []),
    ...(optional.length > 0 ? [`${optional.join(', ')} (optional)`] : []),
  ];
  return parts.length > 0 ? `${tool} takes: ${parts.join(', ')}.` : `${tool} takes no arguments.`;
}

const isOptional = (schema: unknown): boolean => schema instanceof z.ZodType && schema.isOptional();
