// A config file in JSON; comments and trailing commas are allowed. Loaded only when there is one.
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { FormatError, NO_KEYS, type Parse, prefixes, type ValuePath } from './entry.ts';

export const parse: Parse = text => {
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error)
    throw new FormatError(`not valid JSON: ${inWords(printParseErrorCode(error.error))}`, lineAt(error.offset));
  if (!root) return [];
  if (root.type !== 'object') throw new FormatError(NO_KEYS, lineAt(root.offset));
  for (const { children: [, value] = [] } of root.children ?? []) if (value) checkUnique(value, lineAt);
  return (root.children ?? []).map(({ children: [name, value] = [], offset }) => ({
    key: String(name?.value),
    value: value && getNodeValue(value),
    line: (part = []) => lineAt((value && offsetOf(value, part)) ?? offset),
  }));
};

/** Inside a value, the last of two equal keys would win in silence. */
function checkUnique({ type, children = [] }: Node, lineAt: (offset: number) => number): void {
  const seen = new Set<unknown>();
  for (const child of children) {
    const name: unknown = child.children?.[0]?.value;
    if (type === 'object' && seen.has(name))
      throw new FormatError(`not valid JSON: the key ${JSON.stringify(name)} stands twice`, lineAt(child.offset));
    seen.add(name);
    checkUnique(child, lineAt);
  }
}

/** `CommaExpected` is "comma expected". */
export const inWords = (code: string): string => code.replace(/(?!^)[A-Z]/g, letter => ` ${letter}`).toLowerCase();

function offsetOf(value: Node, part: ValuePath): number | undefined {
  for (const path of prefixes(part)) {
    const node = findNodeAtLocation(value, [...path]);
    if (node) return node.offset;
  }
  return undefined;
}
