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
export function validateTheirs(tool: string, { takes: theirs, required = [] }: Row, args: Input): void {
  const shape = Object.entries(theirs).map(([name, schema]) => {
    const kind = kindOf(schema);
    return [name, required.includes(name) ? kind : kind.optional()] as const;
  });
  const { error } = z.strictObject(Object.fromEntries(shape)).safeParse(args, { reportInput: true });
  const names = Object.keys(theirs);
  if (error)
    throw wrongArguments(
      error.issues.flatMap(issue => describeIssue(issue, names)),
      { tool, names, required },
    );
}

const KINDS: Readonly<Record<string, z.ZodType>> = {
  string: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  array: z.array(z.unknown()),
};

const kindOf = ({ type, enum: values }: Schema): z.ZodType =>
  Array.isArray(values) ? z.enum(values as string[]) : (KINDS[String(type)] ?? z.unknown());

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
