// What tools/list says about each tool, computed from the tool table.
import { z } from 'zod';
import { toolsOf } from '../../dialects/decode.ts';
import type { DialectDefinition } from '../../dialects/definition.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { JsonSchema, Listed, ServerIdentity } from './listing.ts';

/**
 * What a model can use before it calls. Bounds are left out: they guard against nonsense, cost many characters,
 * and the message of a call that breaks one names it.
 */
const KEYWORDS = new Set([
  ...['type', 'description', 'enum', 'const', 'default', 'properties', 'required', 'items', 'prefixItems'],
  ...['anyOf', 'oneOf', 'allOf', 'additionalProperties'],
]);

/** Only what differs from the protocol's defaults (not read-only, destructive, open world): what a click does, the page decides. */
const ANNOTATIONS = {
  read: { readOnlyHint: true },
  write: undefined,
  danger: undefined,
} as const;

/** The rows of the table as tools/list shows them, in the order of the table. */
export function list(tools: readonly AnyTool[]): Listed[] {
  return tools.map(({ name, group, core, summary, effect, input, oneOf }) => {
    const annotations = ANNOTATIONS[effect];
    return {
      group,
      core: core === true,
      ...(oneOf && { oneOf }),
      tool: { name, description: summary, inputSchema: inputSchema(input), ...(annotations && { annotations }) },
    };
  });
}

/** The tools of a dialect that ours can do, each in the group of what is behind it. */
export function listDialect({ rows, strict, closed }: DialectDefinition, tools: readonly AnyTool[]): Listed[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const behind = tools.filter(tool => toolsOf(row).includes(tool.name));
    const [first] = behind;
    if (!first || row.unlisted) return [];
    const { takes: properties, required = [] } = row;
    const schema = {
      properties,
      ...(required.length > 0 && { required }),
      ...(closed && { additionalProperties: false }),
    };
    // What is taken exactly is listed exactly.
    const inputSchema = strict ? schema : strip(schema);
    const isRead = behind.every(({ effect }) => effect === 'read');
    const annotations = closed ? { readOnlyHint: row.readOnly ?? isRead } : isRead && ANNOTATIONS.read;
    return {
      group: first.group,
      core: behind.some(({ core }) => core === true),
      tool: {
        name,
        description: row.summary,
        inputSchema: { ...inputSchema, type: 'object' },
        ...(annotations && { annotations }),
      },
    };
  });
}

/** How a server bears itself that speaks the dialect. */
export const bearingOf = ({ server, strict, picturesFirst, noTool }: DialectDefinition): ServerIdentity => ({
  ...(server && { server }),
  ...(strict && { strict }),
  ...(noTool !== undefined && { noTool }),
  ...(picturesFirst && { picturesFirst }),
});

/** JSON Schema of a tool's arguments, as a caller writes them. */
export function inputSchema(input: z.ZodRawShape): JsonSchema & { type: 'object' } {
  const schema = z.toJSONSchema(z.object(input), { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return { ...strip(schema), type: 'object' };
}

function strip(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword, value]) => KEYWORDS.has(keyword) && says(keyword, value));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, inside(keyword, value)]));
}

/** Further properties matter only where they have a schema: in a map. A switch that is off by default need not say so. */
const says = (keyword: string, value: unknown): boolean => {
  if (keyword === 'default') return value !== false;
  return keyword !== 'additionalProperties' || (isSchema(value) && Object.keys(value).length > 0);
};

/** Strips the schemas that a keyword holds; values such as enums and defaults stay as they are. */
function inside(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' && isSchema(value))
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, strip(schema as JsonSchema)]));
  if (['items', 'additionalProperties'].includes(keyword) && isSchema(value)) return strip(value);
  if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword) && Array.isArray(value)) return value.map(strip);
  return value;
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
