// The 26 tools as chrome-devtools-mcp 0.6.1 lists them, recorded from the real server without its descriptions.
import { readFileSync } from 'node:fs';

interface Schema {
  type?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface RecordedTool {
  name: string;
  annotations: { category: string; readOnlyHint: boolean };
  inputSchema: Schema & { properties: Record<string, Schema> };
}

export const RECORDED: RecordedTool[] = JSON.parse(
  readFileSync(new URL('recorded/chrome-devtools-mcp@0.6.1.json', import.meta.url), 'utf8'),
);

export const NAMES = RECORDED.map(({ name }) => name);

/** `tool`, `tool.argument`, `tool.list[].member`, and `tool.argument=value` for each value of a choice. */
export const toTry = ({ name, inputSchema }: RecordedTool): string[] => [name, ...inside(name, inputSchema)];

function inside(prefix: string, { properties = {}, items, enum: values = [] }: Schema): string[] {
  return [
    ...values.map(value => `${prefix}=${value}`),
    ...(items ? inside(`${prefix}[]`, items) : []),
    ...Object.entries(properties).flatMap(([key, schema]) => [
      `${prefix}.${key}`,
      ...inside(`${prefix}.${key}`, schema),
    ]),
  ];
}

/** A schema without the words that describe it. */
export function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value)]));
}
