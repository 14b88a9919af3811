// What tools/list says about each tool, computed from the tool table.
import { z } from 'zod';
import { defined } from '../../defined.ts';
import { toolsOf } from '../../dialects/decode.ts';
import type { DialectDefinition } from '../../dialects/definition.ts';
import type { AnyTool } from '../../tools/tool.ts';
import { factsOf } from '../../tools/touches.ts';
import type { DialectListing, JsonSchema, Listed, ServerIdentity, ToolEntry } from './listing.ts';
import { propertiesOf } from './parameters.ts';

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

/** The rows of the table, in their order. */
export const list = (tools: readonly AnyTool[]): Listed[] =>
  tools.map(({ name, group, core, summary, effect, input, oneOf, example = [], answer }) => {
    const annotations = factsOf(input).takesScript ? undefined : ANNOTATIONS[effect];
    return {
      group,
      core: core === true,
      ...defined({ oneOf, answer }),
      example,
      tool: { name, description: summary, inputSchema: inputSchema(input), ...(annotations && { annotations }) },
      brief: briefSchema(input),
    };
  });

/** The tools of a dialect that ours can do, each in the group of what is behind it. */
export function listDialect({ tools, strict, closed }: DialectDefinition, native: readonly AnyTool[]): Listed[] {
  return Object.entries(tools).flatMap(([name, tool]) => {
    const behind = native.filter(one => toolsOf(tool).includes(one.name));
    const [first] = behind;
    if (!first || tool.unlisted) return [];
    const { arguments: properties, required = [] } = tool;
    const schema = {
      properties,
      ...(required.length > 0 && { required }),
      ...(closed && { additionalProperties: false }),
    };
    // What is taken exactly is listed exactly.
    const inputSchema = strict ? schema : strip(schema);
    const isRead = behind.every(({ effect }) => effect === 'read');
    const { category } = tool;
    const annotations = closed
      ? { ...(category !== undefined && { category }), readOnlyHint: tool.readOnly ?? isRead }
      : isRead && ANNOTATIONS.read;
    return {
      group: first.group,
      core: behind.some(({ core }) => core === true),
      tool: {
        name,
        description: tool.summary,
        inputSchema: { ...inputSchema, type: 'object' },
        ...(annotations && { annotations }),
      },
    };
  });
}

export const dialectListing = (definition: DialectDefinition, tools: readonly AnyTool[]): DialectListing => ({
  listed: listDialect(definition, tools),
  instructions: definition.instructions,
  identity: identityOf(definition),
});

const identityOf = ({ server, strict, picturesFirst, unknownToolCode }: DialectDefinition): ServerIdentity => ({
  ...(server && { server }),
  ...(strict && { strict }),
  ...(unknownToolCode !== undefined && { unknownToolCode }),
  ...(picturesFirst && { picturesFirst }),
});

const jsonSchema = (input: z.ZodRawShape): JsonSchema =>
  z.toJSONSchema(z.object(input), { io: 'input', unrepresentable: 'any' }) as JsonSchema;

/** JSON Schema of a tool's arguments, as a caller writes them, with all that is told about each. */
export function inputSchema(input: z.ZodRawShape): ToolEntry['inputSchema'] {
  const schema = jsonSchema(input);
  const properties = Object.entries(propertiesOf(schema)).map(([name, { docs, ...property }]) => [
    name,
    docs === undefined ? property : { ...property, description: docs },
  ]);
  return { ...strip({ ...schema, properties: Object.fromEntries(properties) }), type: 'object' };
}

function strip(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword, value]) => KEYWORDS.has(keyword) && says(keyword, value));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, inside(keyword, value)]));
}

/** Further properties matter only where they have a schema: in a map. A switch that is off by default need not say so, and the keys of an object say theirs. */
const says = (keyword: string, value: unknown): boolean => {
  if (keyword === 'default') return value !== false && !isSchema(value);
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

/** The same in fewer words, without the arguments that few calls need. */
function briefSchema(input: z.ZodRawShape): ToolEntry['inputSchema'] {
  const schema = jsonSchema(input);
  const listed = Object.entries(propertiesOf(schema)).filter(([, { unlisted }]) => !unlisted);
  const properties = Object.fromEntries(listed.map(([name, property]) => [name, shorter(strip(property))]));
  return { ...strip({ ...schema, properties: {} }), type: 'object', properties };
}

/** Without what a map holds, and without `required` where it names all keys: whoever gives a point gives x and y. */
function shorter({ additionalProperties, required, ...rest }: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = rest;
  const isPartlyRequired = Array.isArray(required) && required.length < Object.keys(propertiesOf(rest)).length;
  const within = Object.entries(propertiesOf(rest)).map(([name, schema]) => [name, shorter(schema)]);
  return {
    ...rest,
    ...(properties !== undefined && { properties: Object.fromEntries(within) }),
    ...(isSchema(items) && { items: shorter(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(shorter) }),
    ...(isPartlyRequired && { required }),
  };
}
