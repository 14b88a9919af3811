// What tools/list says in fewer words than the full schema, because every model pays for it in every chat.
import type { JsonSchema, ToolEntry } from './listing.ts';
import { propertiesOf } from './parameters.ts';

/** Taken by every tool that can use them, and told once in the instructions; listed only where they matter most. */
const UNLISTED: Readonly<Record<string, readonly string[]>> = {
  frameId: [],
  timeout: ['wait'],
  wait_until: ['navigate'],
  modifiers: ['click'],
  windowId: ['tab_list'],
  wait_for_navigation: [],
  style: [],
  with_snapshot: [],
  whole: [],
  max_side: [],
  max_bytes: [],
  min_quality: [],
  target_id: [],
  keep_last: [],
  in_window: [],
  save_above: [],
  elements: [],
  since_navigation: [],
  types: [],
  offset: ['read'],
  touch: [],
  polling: [],
  auto_stop: [],
  max_capture_time: [],
  inactivity_time: [],
  details: [],
  frame: [],
  frames: [],
  wheel: [],
  nodes: [],
  plain: [],
  selectors: [],
  forget: [],
  change: [],
  grant: [],
  keep: [],
  // Of cookies: export and import.
  format: ['screenshot', 'pdf', 'record'],
  data: [],
};

/** How a target is written is said where a model meets it first. */
const EXPLAINS_TARGET = ['click', 'fill'];
const TARGET = /^@e5,/;

export function briefly(tool: ToolEntry): ToolEntry {
  const listed = Object.entries(propertiesOf(tool.inputSchema)).filter(([name]) => isListed(tool.name, name));
  const properties = Object.fromEntries(listed.map(([name, schema]) => [name, shorter(schema, tool.name)]));
  return { ...tool, inputSchema: { ...tool.inputSchema, properties } };
}

const isListed = (tool: string, name: string): boolean => UNLISTED[name]?.includes(tool) ?? true;

function shorter(schema: JsonSchema, tool: string): JsonSchema {
  const { default: usual, description, properties, required, items, additionalProperties, const: _, ...rest } = schema;
  const isTold = description !== undefined && !(TARGET.test(String(description)) && !EXPLAINS_TARGET.includes(tool));
  const objects = properties ? keys(schema) : isObject(items) ? `[${keys(items)}]` : '';
  const words = [isTold ? description : '', objects].filter(Boolean).join(' ');
  return {
    ...rest,
    ...(items !== undefined && { items: flat(items as JsonSchema) }),
    ...(words && { description: words }),
    ...(matters(usual, schema) && { default: usual }),
  };
}

/** What a list holds, without the keys of its objects. */
function flat(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map(flat) };
  return isObject(schema) ? { type: 'object' } : schema;
}

const isObject = (schema: unknown): schema is JsonSchema => Object(schema).properties !== undefined;

/** The first of a list is the one that is taken, and a number can be seen in the docs; a switch that is on must say so. */
const matters = (usual: unknown, { enum: values }: JsonSchema): boolean =>
  Array.isArray(values) ? usual !== undefined && usual !== values[0] : usual === true;

/** An object by its keys: {x, y}. */
function keys(schema: JsonSchema): string {
  const parts = Object.entries(propertiesOf(schema)).map(([name, inner]) => `${name}${hint(inner)}`);
  return `{${parts.join(', ')}}`;
}

function hint(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return `: ${schema.enum.join('|')}`;
  if (schema.properties) return `: ${keys(schema)}`;
  if (schema.type === 'array') return `: [${hint((schema.items ?? {}) as JsonSchema).slice(2)}]`;
  return schema.default === true ? '=true' : '';
}
