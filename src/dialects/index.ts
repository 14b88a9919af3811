// The dialects by the name that --dialect gives them, each loaded when it is needed.
import { adapterOf } from './adapter.ts';
import type { DialectDefinition } from './definition.ts';
import type { Dialect } from './dialect.ts';

const DIALECTS: Readonly<Record<string, () => Promise<DialectDefinition>>> = {
  chrome: async () => (await import('./chrome/chrome.ts')).CHROME,
  vision: async () => (await import('./vision/vision.ts')).VISION,
  devtools: async () => (await import('./devtools/devtools.ts')).DEVTOOLS,
  browsion: async () => (await import('./browsion/browsion.ts')).BROWSION,
};

/** Undefined of the native names. */
export const definitionOf = async (name = 'native'): Promise<DialectDefinition | undefined> =>
  Object.hasOwn(DIALECTS, name) ? DIALECTS[name]?.() : undefined;

const adapters = new Map<string, Dialect>();

export async function adapterFor(name: string): Promise<Dialect | undefined> {
  const definition = adapters.has(name) ? undefined : await definitionOf(name);
  if (definition) adapters.set(name, adapterOf(name, definition));
  return adapters.get(name);
}

/** The dialect whose tools native callers may use too. */
export const oldNames = (): Promise<Dialect | undefined> => adapterFor('chrome');
