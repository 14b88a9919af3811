// A config file in JSON; comments and trailing commas are allowed. Loaded only when there is one.
import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { Broken, NO_KEYS, type Parse } from './entry.ts';

export const parse: Parse = text => {
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error) throw new Broken(`not valid JSON: ${inWords(printParseErrorCode(error.error))}`, lineAt(error.offset));
  if (!root) return [];
  if (root.type !== 'object') throw new Broken(NO_KEYS, lineAt(root.offset));
  return (root.children ?? []).map(({ children: [name, value] = [], offset }) => ({
    key: String(name?.value),
    value: value && getNodeValue(value),
    line: () => lineAt(offset),
  }));
};

/** `CommaExpected` is "comma expected". */
export const inWords = (code: string): string => code.replace(/(?!^)[A-Z]/g, letter => ` ${letter}`).toLowerCase();
