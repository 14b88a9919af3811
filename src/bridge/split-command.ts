// One command of a batch as a list of words: a JSON list, or words with quotes as in a shell.
import { Failure } from '../errors.ts';
import { parseJson } from './cli/output.ts';

const PIECE = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)/gs;

export function splitWords(text: string): string[] {
  if (text.trimStart().startsWith('[')) return listed(text);
  const words: string[] = [];
  let open = false;
  let end = 0;
  for (const piece of text.matchAll(PIECE)) {
    if (piece.index !== end) break;
    end += piece[0].length;
    const [, double, single, escaped, plain] = piece;
    const part = double?.replace(/\\(.)/gs, '$1') ?? single ?? escaped ?? plain;
    if (part === undefined) open = false;
    else if (open) words.push(`${words.pop()}${part}`);
    else words.push(part);
    open = part !== undefined;
  }
  if (end !== text.length) throw wrong(text, 'a quote is not closed');
  if (words.length === 0) throw wrong(text, 'it is empty');
  return words;
}

function listed(text: string): string[] {
  const value = parseJson(text);
  if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')) return value;
  throw wrong(text, 'it is no list of texts');
}

const wrong = (text: string, why: string): Failure =>
  new Failure('bad_input', `The command ${JSON.stringify(text.slice(0, 60))} of the batch cannot be read: ${why}.`);
