// A config file in TOML. Loaded only when there is one.
import { parse as parseToml, TomlError } from 'smol-toml';
import { Broken, type Parse } from './entry.ts';

export const parse: Parse = text => {
  try {
    return Object.entries(parseToml(text)).map(([key, value]) => ({ key, value, line: () => lineOf(text, key) }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new Broken(error.message.replace('Invalid TOML document', 'not valid TOML'), error.line);
  }
};

/** The parser keeps no lines: the first that begins with the key, as `key =`, `key.part =`, `[key]` or `[key.part]`. */
function lineOf(text: string, key: string): number | undefined {
  const name = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const start = new RegExp(`^\\s*(\\[{1,2}\\s*)?(["']?)${name}\\2\\s*[=.\\]]`);
  const index = text.split('\n').findIndex(line => start.test(line));
  return index < 0 ? undefined : index + 1;
}
