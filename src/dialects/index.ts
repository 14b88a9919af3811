// Loads the dialects by name, each when it is needed.
import { adapterOf } from './adapter.ts';
import type { DialectDefinition } from './definition.ts';
import type { Dialect } from './dialect.ts';
import { entryOf, OLD_NAMES } from './registry.ts';

/** Undefined of the native names. */
export async function definitionOf(name?: string): Promise<DialectDefinition | undefined> {
  if (!entryOf(name)) return undefined;
  const { DEFINITION }: { DEFINITION: DialectDefinition } = await import(`./${name}/definition.ts`);
  return DEFINITION;
}

const adapters = new Map<string, Dialect>();

export async function adapterFor(name: string): Promise<Dialect | undefined> {
  const definition = adapters.has(name) ? undefined : await definitionOf(name);
  if (definition) adapters.set(name, adapterOf(name, definition));
  return adapters.get(name);
}

export const oldNames = (): Promise<Dialect | undefined> => adapterFor(OLD_NAMES);
