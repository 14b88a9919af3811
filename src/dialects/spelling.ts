// Names with dots, which some clients refuse: how they are spelled for those, and found again.
import type { DialectDefinition, DialectTool } from './definition.ts';

/** `browser.navigate` → `browser_navigate`. */
export const safeName = (name: string): string => name.replaceAll('.', '_');

/** The row of a tool, by its name in either spelling. */
export function rowOf({ rows }: DialectDefinition, name: string): DialectTool | undefined {
  if (Object.hasOwn(rows, name)) return rows[name];
  const dotted = Object.keys(rows).find(known => known !== name && safeName(known) === name);
  return dotted === undefined ? undefined : rows[dotted];
}

/** The dialect as a caller spells it who called a tool by that name. */
export function spelledAs(dialect: DialectDefinition, name: string): DialectDefinition {
  const isSafe = !name.includes('.') && !Object.hasOwn(dialect.rows, name) && rowOf(dialect, name) !== undefined;
  if (!isSafe) return dialect;
  const names = Object.entries(dialect.names).map(([ours, theirs]) => [ours, safeName(theirs)]);
  return { ...dialect, names: Object.fromEntries(names) };
}
