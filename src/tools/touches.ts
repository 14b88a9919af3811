// What a call touches: the urls, files and scripts in its arguments. The kind of an argument tells; rules are applied in one place.
import { z } from 'zod';
import { scriptInUrl } from '../policy/scripts.ts';

/** What an argument may be, beside its type. */
export interface Mark {
  kind: 'page' | 'url' | 'read' | 'write' | 'script';
  /** Where in the value they are; the value itself when left out. */
  within?(value: unknown): string[];
}

export interface Touches {
  urls: string[];
  /** One of the urls is the page that is meant, instead of the one in the tab. */
  elsewhere: boolean;
  /** Files that are read, as the caller names them; a relative path counts from the working folder. */
  reads: string[];
  /** Files that are written; a relative path counts from the output folder. */
  writes: string[];
  scripts: string[];
}

const marks = z.registry<Mark>();

export function marked<S extends z.ZodType>(schema: S, kind: Mark['kind'], within?: Mark['within']): S {
  marks.add(schema as z.ZodType, { kind, ...(within && { within }) });
  return schema;
}

/** The arguments after validation, which fit the schemas. */
export function touchesOf(input: z.ZodRawShape, given: Readonly<Record<string, unknown>>): Touches {
  const found: Touches = { urls: [], elsewhere: false, reads: [], writes: [], scripts: [] };
  for (const [name, schema] of Object.entries(input)) visit(schema as z.ZodType, given[name], found);
  return found;
}

/** The parts of the definitions of zod that hold other schemas. */
interface Definition {
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: readonly z.ZodType[];
  shape?: Readonly<Record<string, z.ZodType>>;
}

function visit(schema: z.ZodType, value: unknown, found: Touches): void {
  if (value === undefined || value === null) return;
  const mark = marks.get(schema);
  if (mark) {
    note(mark, value, found);
    return;
  }
  const { innerType, in: before, out, element, valueType, options, shape } = schema._zod.def as Definition;
  for (const inner of [innerType, before, out, ...(options ?? [])]) if (inner) visit(inner, value, found);
  if (element && Array.isArray(value)) for (const item of value) visit(element, item, found);
  if (typeof value !== 'object') return;
  if (valueType) for (const item of Object.values(value)) visit(valueType, item, found);
  for (const [key, inner] of Object.entries(shape ?? {})) visit(inner, Object(value)[key], found);
}

function note({ kind, within }: Mark, value: unknown, found: Touches): void {
  const texts = within ? within(value) : typeof value === 'string' ? [value] : [];
  if (kind === 'page' || kind === 'url') {
    found.urls.push(...texts);
    found.scripts.push(...texts.flatMap(url => scriptInUrl(url) ?? []));
  }
  if (kind === 'page' && texts.length > 0) found.elsewhere = true;
  if (kind === 'read') found.reads.push(...texts);
  if (kind === 'write') found.writes.push(...texts);
  if (kind === 'script') found.scripts.push(...texts);
}
