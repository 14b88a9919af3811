// What the kind of an argument tells: the urls, files and scripts that a call touches, and the texts that nobody else may read.
import { z } from 'zod';
import { scriptInUrl } from '../policy/scripts.ts';

/**
 * What a call reaches by an argument: the page to open instead of the one in the tab, another url, the host of cookies; a file that is
 * read or written; a script of the caller; a session, saved login or profile by its name. typed: may be a secret, so that the journal
 * keeps its length only. plain: a text that is none of the others.
 */
export type ArgumentKind =
  | ('page' | 'url' | 'host' | 'read' | 'write' | 'script' | 'session' | 'login' | 'profile')
  | ('typed' | 'plain');

/** What an argument is, beside its type. */
interface Mark {
  kinds: readonly ArgumentKind[];
  /** Where in the value they are; the value itself when left out. */
  within?(value: unknown): string[];
}

export interface Touches {
  urls: string[];
  /** Whose cookies are meant, at all ports and paths. */
  hosts: string[];
  /** One of the urls or hosts is the page that is meant, instead of the one in the tab. */
  elsewhere: boolean;
  /** Files that are read, as the caller names them; a relative path counts from the output folder. */
  reads: string[];
  /** Files that are written. */
  writes: string[];
  scripts: string[];
}

const marks = z.registry<Mark>();

export function marked<S extends z.ZodType>(
  schema: S,
  kinds: ArgumentKind | readonly ArgumentKind[],
  within?: Mark['within'],
): S {
  marks.add(schema as z.ZodType, { kinds: [kinds].flat(), ...(within && { within }) });
  return schema;
}

/** The arguments after validation, which fit the schemas. */
export function touchesOf(input: z.ZodRawShape, given: Readonly<Record<string, unknown>>): Touches {
  const found: Touches = { urls: [], hosts: [], elsewhere: false, reads: [], writes: [], scripts: [] };
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

function note({ kinds, within }: Mark, value: unknown, found: Touches): void {
  const texts = within ? within(value) : typeof value === 'string' ? [value] : [];
  const is = (...any: ArgumentKind[]) => any.some(kind => kinds.includes(kind));
  if (is('page', 'url')) {
    found.urls.push(...texts);
    found.scripts.push(...texts.flatMap(url => scriptInUrl(url) ?? []));
  }
  if (is('host')) found.hosts.push(...texts);
  if (is('page', 'host') && texts.length > 0) found.elsewhere = true;
  if (is('read')) found.reads.push(...texts);
  if (is('write')) found.writes.push(...texts);
  if (is('script')) found.scripts.push(...texts);
}

interface ArgumentFacts {
  /** What each argument is, with all that may be inside it. */
  kinds: Record<string, ArgumentKind[]>;
  typed: string[];
  /** Arguments that may hold text of which no kind was declared. */
  undeclared: string[];
  /** One of them runs a script of the caller. */
  takesScript: boolean;
}

const argumentFacts = new WeakMap<z.ZodRawShape, ArgumentFacts>();

/** What the schemas say of the arguments, also of those inside others; typed are those whose values the journal must not keep. */
export function factsOf(input: z.ZodRawShape): ArgumentFacts {
  const known = argumentFacts.get(input);
  if (known) return known;
  const found: ArgumentFacts = { kinds: {}, typed: [], undeclared: [], takesScript: false };
  for (const [name, schema] of Object.entries(input)) {
    const kinds: ArgumentKind[] = [];
    gather(name, schema as z.ZodType, found, kinds);
    found.kinds[name] = [...new Set(kinds)];
  }
  argumentFacts.set(input, found);
  return found;
}

function gather(name: string, schema: z.ZodType, found: ArgumentFacts, kinds: ArgumentKind[]): void {
  const mark = marks.get(schema);
  if (mark) {
    kinds.push(...mark.kinds);
    if (mark.kinds.includes('typed')) found.typed.push(name);
    if (mark.kinds.includes('script')) found.takesScript = true;
    return;
  }
  const { innerType, in: before, out, element, valueType, options = [], shape = {} } = schema._zod.def as Definition;
  if (['string', 'unknown', 'any'].includes(schema._zod.def.type)) found.undeclared.push(name);
  for (const inner of [innerType, before, out, element, valueType, ...options])
    if (inner) gather(name, inner, found, kinds);
  for (const [key, inner] of Object.entries(shape)) gather(key, inner, found, kinds);
}
