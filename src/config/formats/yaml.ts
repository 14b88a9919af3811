// A config file in YAML. Loaded only when there is one.
import { isCollection, isMap, isNode, isScalar, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { FormatError, NO_KEYS, type Parse, prefixes, type ValuePath } from './entry.ts';

export const parse: Parse = text => {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const lineAt = (offset = 0): number => lineCounter.linePos(offset).line;
  const [error] = [...document.errors.filter(isNotOnTop(document.contents)), ...document.warnings];
  if (error?.code === 'MULTIPLE_DOCS') throw new FormatError('a second document begins here', lineAt(error.pos[0]));
  if (error) throw new FormatError(`not valid YAML: ${error.message}`, lineAt(error.pos[0]));
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return [];
  if (!isMap(root)) throw new FormatError(NO_KEYS, lineAt(root.range?.[0]));
  return root.items.map(({ key, value }) => {
    const line = (part: ValuePath = []) => {
      const offset = offsetOf(value, part) ?? (isNode(key) ? key.range?.[0] : undefined);
      return offset === undefined ? undefined : lineAt(offset);
    };
    const plain = isNode(value) ? inLine(line, () => value.toJS(document)) : value;
    return { key: String(isScalar(key) ? key.value : key), value: plain, line };
  });
};

/** A top-level key that stands twice is reported by the reader of the entries, alike for all formats. */
const isNotOnTop = (root: unknown) => {
  const keys = isMap(root) ? root.items.flatMap(({ key }) => (isNode(key) ? [key.range?.[0]] : [])) : [];
  return ({ code, pos }: YAMLError) => code !== 'DUPLICATE_KEY' || !keys.includes(pos[0]);
};

function offsetOf(value: unknown, part: ValuePath): number | undefined {
  if (!isCollection(value)) return undefined;
  for (const path of prefixes(part)) {
    const node = value.getIn(path, true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

/** Errors that come up only when a value is built, such as too many aliases, get its line. */
function inLine<T>(line: () => number | undefined, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new FormatError(`not valid YAML: ${cause instanceof Error ? cause.message : cause}`, line());
  }
}
