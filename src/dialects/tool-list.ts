// The tools of a dialect: tools.json, which is what clients see, joined with how each tool is done.
import { defined } from '../defined.ts';
import type { DialectTool, Schema, ToolList, ToolMapping } from './definition.ts';

type ByTool<L extends ToolList, T> = Readonly<Record<keyof L['tools'] & string, T>>;

/** `mappings` has exactly the tools of the list. */
export function toolsFrom<L extends ToolList>(list: L, mappings: ByTool<L, ToolMapping>): ByTool<L, DialectTool> {
  const names = Object.keys(list.tools) as (keyof L['tools'] & string)[];
  const tools = names.map(name => [name, toolOf(list, name, mappings[name])] as const);
  return Object.fromEntries(tools) as ByTool<L, DialectTool>;
}

function toolOf({ tools, sharedArguments = {} }: ToolList, name: string, mapping: ToolMapping): DialectTool {
  const { summary = '', arguments: own = {}, unlistedArguments, ...listed } = tools[name] ?? {};
  const schemas = (members: Readonly<Record<string, Schema | string>>): Record<string, Schema> =>
    Object.fromEntries(
      Object.entries(members).map(([key, schema]) => [
        key,
        typeof schema === 'string' ? (sharedArguments[schema] ?? {}) : schema,
      ]),
    );
  return {
    summary,
    arguments: schemas(own),
    ...(unlistedArguments && { unlistedArguments: schemas(unlistedArguments) }),
    ...listed,
    ...withCases(mapping),
  };
}

function withCases(mapping: ToolMapping): Pick<DialectTool, 'cases'> {
  if ('cases' in mapping) return mapping;
  const { tool, args, oneOf, constants, ...behavior } = mapping;
  return { ...behavior, cases: [defined({ tool, args, oneOf, constants })] };
}
