// Runs regular expressions of callers, or over text of others: one that backtracks without end is stopped before it stops the server.
import { createContext, Script } from 'node:vm';
import { Failure } from '../errors.ts';

/** Where a text matches first: `text.slice(from, to)`. */
export interface TextMatch {
  from: number;
  to: number;
}

/** One realm for all searches: making one takes a millisecond. Nothing of a caller runs in it but the search. */
let realm: { regexes: readonly RegExp[]; texts: readonly string[] } | undefined;

const SEARCH = new Script(`regexes.map(regex => texts.map(text => {
  const found = regex.exec(text);
  return found ? { from: found.index, to: found.index + found[0].length } : undefined;
}))`);

/** For each expression, its first match in each of the texts. Throws when all of it takes longer than ms. */
export function search(regexes: readonly RegExp[], texts: readonly string[], ms: number): (TextMatch | undefined)[][] {
  realm ??= createContext({ regexes: [], texts: [] }) as typeof realm & object;
  Object.assign(realm, { regexes, texts });
  try {
    return SEARCH.runInContext(realm, { timeout: ms }) as (TextMatch | undefined)[][];
  } finally {
    Object.assign(realm, { regexes: [], texts: [] });
  }
}

export const isTimeout = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** The parts of an expression that is written with slashes: `/error/i`. */
export function regexLiteral(text: string): { source: string; flags: string } | undefined {
  const [, source, flags = ''] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : { source, flags };
}

/** @param quoted the pattern as the failure shows it */
export function compileRegex(compile: () => RegExp, quoted: string, hint: string): RegExp {
  try {
    return compile();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : cause;
    throw new Failure('bad_input', `${quoted} is not a regular expression: ${why}`, hint, { cause });
  }
}
