// Validate: the arguments of a call against the tool's schema. The only validation there is.
import { z } from 'zod';
import { type ArgumentNames, describeIssue, wrongArguments } from '../config/issues.ts';
import type { AnyTool } from '../tools/tool.ts';

export type Input = Record<string, unknown>;

const schemas = new WeakMap<AnyTool, z.ZodObject>();

/** The input for run(), with defaults filled in; or a Failure that names every wrong argument, as the caller calls it. */
export function validate(tool: AnyTool, args: Input, dialectNames?: ArgumentNames): Input {
  const parsed = schemaOf(tool).safeParse(args, { reportInput: true });
  const choices = wrongChoices(tool, args, dialectNames);
  if (parsed.success && choices.length === 0) return parsed.data;
  const names = dialectNames ?? nativeNames(tool);
  const issues = parsed.error?.issues.flatMap(issue => describeIssue(named(issue, names), names.names)) ?? [];
  throw wrongArguments([...issues, ...choices], names);
}

function nativeNames({ name, input }: AnyTool): ArgumentNames {
  const names = Object.keys(input);
  return { tool: name, names, required: names.filter(one => !isOptional(input[one])) };
}

/** The issue with the caller's name for the argument at its path. */
function named(issue: z.core.$ZodIssue, { argument }: ArgumentNames): z.core.$ZodIssue {
  return argument && issue.path.length > 0 ? { ...issue, path: [argument(issue.path.join('.'))] } : issue;
}

function schemaOf(tool: AnyTool): z.ZodObject {
  const known = schemas.get(tool);
  if (known) return known;
  const schema = z.strictObject(tool.input);
  schemas.set(tool, schema);
  return schema;
}

/** Exactly one of each list must be given, or at least one where they are tried in order. */
function wrongChoices(tool: AnyTool, args: Input, names?: ArgumentNames): string[] {
  const argument = names?.argument ?? (name => name);
  return (tool.oneOf ?? []).flatMap(list => {
    const given = list.filter(name => args[name] !== undefined);
    if (given.length === 1 || (given.length > 1 && tool.inOrder)) return [];
    const one = list.length > 2 ? 'exactly one of' : 'either';
    const said = given.length === 0 ? 'got none' : `got ${given.map(argument).join(' and ')}`;
    return [`give ${one} ${list.map(argument).join(' or ')}, ${said}`];
  });
}

const isOptional = (schema: unknown): boolean => schema instanceof z.ZodType && schema.isOptional();
