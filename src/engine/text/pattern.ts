// A pattern of a caller (plain text or /regex/) over many texts, stopped when it takes too long.
import { createContext, runInContext } from 'node:vm';
import { Failure } from '../../errors.ts';
import { quoteSelector } from '../elements/resolve.ts';

/** Where a text matches first. */
export interface Hit {
  /** Which text. */
  at: number;
  from: number;
  to: number;
}

/** A regular expression may go round for ever: it gets this long, in ms, for all texts together. */
const MOST_MS = 500;

/** The texts that match, in order. Blanks of plain text match any white space. */
export function hitsIn(texts: string[], pattern: string, matchCase: boolean): Hit[] {
  const regex = regexOf(pattern, matchCase);
  const context = createContext({ texts, source: regex.source, flags: regex.flags });
  try {
    return JSON.parse(runInContext(SEARCH, context, { timeout: MOST_MS })) as Hit[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Failure(
      'bad_input',
      `${quoteSelector(pattern)} takes too long on this page.`,
      'Write a simpler regular expression, without repeats inside repeats, or plain text.',
    );
  }
}

const SEARCH = `(() => {
  const regex = new RegExp(source, flags);
  const hits = [];
  for (let at = 0; at < texts.length; at++) {
    const found = regex.exec(texts[at]);
    if (found) hits.push({ at, from: found.index, to: found.index + found[0].length });
  }
  return JSON.stringify(hits);
})()`;

function regexOf(pattern: string, matchCase: boolean): RegExp {
  const [, source, given = ''] = /^\/(.+)\/([imsu]*)$/s.exec(pattern) ?? [];
  // A text has its parts (name, value) in lines: ^ and $ stand for the ends of each.
  const flags = [...new Set([...given, ...(matchCase ? 'mu' : 'imu')])].join('');
  try {
    return source === undefined ? new RegExp(plain(pattern), flags) : regexWith(source, flags);
  } catch (error) {
    throw new Failure(
      'bad_input',
      `${quoteSelector(pattern)} is not a regular expression: ${error instanceof Error ? error.message : error}`,
      'Mend it, or leave the slashes out to look for plain text.',
    );
  }
}

/** Strict reading refuses harmless escapes such as \-: then it is read as browsers read it. */
function regexWith(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    return new RegExp(source, flags.replace('u', ''));
  }
}

const plain = (text: string): string =>
  text
    .trim()
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
