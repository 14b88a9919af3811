// Names with dots, which some clients refuse: how they are spelled for those, and found again.
import type { DialectDefinition, DialectTool } from './definition.ts';

/** `browser.navigate` → `browser_navigate`. */
export const safeName = (name: string): string => name.replaceAll('.', '_');

/** A tool by its name in either spelling. */
export function toolNamed({ tools }: DialectDefinition, name: string): DialectTool | undefined {
  if (Object.hasOwn(tools, name)) return tools[name];
  const dotted = Object.keys(tools).find(known => known !== name && safeName(known) === name);
  return dotted === undefined ? undefined : tools[dotted];
}

/** The dialect as a caller spells it who called a tool by that name. */
export function spelledAs(dialect: DialectDefinition, name: string): DialectDefinition {
  const isSafe = !name.includes('.') && !Object.hasOwn(dialect.tools, name) && toolNamed(dialect, name) !== undefined;
  if (!isSafe) return dialect;
  const names = Object.entries(dialect.names).map(([ours, theirs]) => [ours, safeName(theirs)]);
  return { ...dialect, names: Object.fromEntries(names) };
}
