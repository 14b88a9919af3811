// A line of commands → its words, quoted as in a shell: '…' and "…" and a backslash; nothing else has a meaning, and # begins a comment.
import { Failure } from '../../../errors.ts';

const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsy;

export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  PART.lastIndex = 0;
  for (let found = PART.exec(line); found; found = PART.exec(line)) {
    const [, single, double, escaped, plain, space] = found;
    end = PART.lastIndex;
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (word === undefined && plain?.startsWith('#')) {
      return words;
    } else {
      word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain);
    }
  }
  if (end < line.length) throw new Failure('bad_input', `A quote is not closed: ${line.slice(end, end + 20)}.`);
  return word === undefined ? words : [...words, word];
}
