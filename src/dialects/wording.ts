// How a dialect writes the names of tools, refs and tabs in our answers.
import type { Wording } from '../text.ts';
import type { Dialect } from './dialect.ts';

/** Who reads the answer. */
export interface Reader {
  /** The native tool that runs, and the name by which it was called. */
  called?: { tool: string; name: string };
  /** Ids of the open tabs, in order. */
  tabs: readonly number[];
  /** The number of the last snapshot. */
  snapshot: number;
}

/** For a caller of native tools by a name of another dialect: only the tool itself is named differently. */
export const aliasWording = (called: NonNullable<Reader['called']>): Wording => ({
  strict: false,
  tool: () => undefined,
  called: name => (name === called.tool ? called.name : name),
  ref: number => `@e${number}`,
  tab: id => `tab ${id}`,
  noun: word => word,
});

export function wordingOf(dialect: Dialect, { called, tabs, snapshot }: Reader): Wording {
  const { names, words = {}, session = 'session', strict = false, hasPage } = dialect;
  const prefix = refPrefix(dialect, snapshot);
  const tool = (name: string) => (Object.hasOwn(names, name) ? names[name] : undefined);
  return {
    strict,
    tool,
    called: name => (name === called?.tool ? called.name : tool(name)),
    ref: number => `${prefix}${number}`,
    tab: id => (hasPage ? pageName(tabs.indexOf(id)) : `tab ${id}`),
    noun: word => (word === 'session' ? session : (words[word] ?? word)),
  };
}

const pageName = (index: number): string => (index < 0 ? 'the page' : `page ${index}`);

/** What stands before the number of a ref in that snapshot. */
export const refPrefix = ({ ref, numbered }: Dialect, snapshot: number): string =>
  numbered ? `${snapshot}${ref}` : ref;
