// A config file in TOML. Loaded only when there is one.
import { parse as parseToml, TomlError } from 'smol-toml';
import { FormatError, type Parse, type ValuePath } from './entry.ts';

export const parse: Parse = text => {
  try {
    return Object.entries(parseToml(text)).map(([key, value]) => ({
      key,
      value,
      line: part => partLine(text, key, part) ?? lineOf(text, key),
    }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new FormatError(error.message.replace('Invalid TOML document', 'not valid TOML'), error.line);
  }
};

/** The parser keeps no lines: the first that begins with the key, as `key =`, `key.part =`, `[key]` or `[key.part]`. */
const lineOf = (text: string, key: string): number | undefined =>
  lineWhere(text, new RegExp(`^\\s*(\\[{1,2}\\s*)?(["']?)${escaped(key)}\\2\\s*[=.\\]]`));

/** A key of one of the tables of a list: `[[key]]` as often as the list has items. */
function partLine(text: string, key: string, [index, name]: ValuePath = []): number | undefined {
  if (typeof index !== 'number') return undefined;
  const head = new RegExp(`^\\s*\\[\\[\\s*(["']?)${escaped(key)}\\1\\s*\\]\\]`);
  const lines = text.split('\n');
  const heads = lines.flatMap((line, at) => (head.test(line) ? [at] : []));
  const start = heads[index];
  if (start === undefined) return undefined;
  const own = lines.slice(start, heads[index + 1]).join('\n');
  return start + (name === undefined ? 1 : (lineOf(own, String(name)) ?? 1));
}

function lineWhere(text: string, start: RegExp): number | undefined {
  const index = text.split('\n').findIndex(line => start.test(line));
  return index < 0 ? undefined : index + 1;
}

const escaped = (key: string): string => key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
