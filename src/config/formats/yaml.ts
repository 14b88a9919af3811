// A config file in YAML. Loaded only when there is one.
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { Broken, NO_KEYS, type Parse } from './entry.ts';

export const parse: Parse = text => {
  const lineCounter = new LineCounter();
  // A key that stands twice is told by whoever reads the entries, alike for all formats.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const lineAt = (offset = 0): number => lineCounter.linePos(offset).line;
  const [error] = [...document.errors, ...document.warnings];
  if (error?.code === 'MULTIPLE_DOCS') throw new Broken('a second document begins here', lineAt(error.pos[0]));
  if (error) throw new Broken(`not valid YAML: ${error.message}`, lineAt(error.pos[0]));
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return [];
  if (!isMap(root)) throw new Broken(NO_KEYS, lineAt(root.range?.[0]));
  return root.items.map(({ key, value }) => {
    const line = () => (isNode(key) ? lineAt(key.range?.[0]) : undefined);
    const plain = isNode(value) ? inLine(line, () => value.toJS(document)) : value;
    return { key: String(isScalar(key) ? key.value : key), value: plain, line };
  });
};

/** What goes wrong only when a value is put together, such as too many aliases, is told with its line. */
function inLine<T>(line: () => number | undefined, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Broken(`not valid YAML: ${cause instanceof Error ? cause.message : cause}`, line());
  }
}
