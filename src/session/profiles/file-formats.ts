// The file of profiles as text: JSON, or TOML with the keys of other programs in it, which stay.
import { isDeepStrictEqual } from 'node:util';

export interface Form {
  /** All keys of the file. */
  parse(text: string): Record<string, unknown>;
  /** The text with these profiles instead of those in it. */
  print(text: string, profiles: readonly object[]): string;
}

/** By the ending of the file. Its parser is loaded only then. */
export async function formOf(file: string): Promise<Form> {
  if (!/\.toml$/i.test(file)) return JSON_FORM;
  const { parse, stringify } = await import('smol-toml');
  return {
    parse,
    print(text, profiles) {
      const wanted = { ...parse(text), profiles };
      const edited = `${withoutTables(text)}${stringify({ profiles })}\n`;
      // Written in another way, such as in one line, they are still in what is left: then only the values are kept.
      return means(edited, wanted) ? edited : `${stringify(wanted)}\n`;
    },
  };

  function means(text: string, wanted: object): boolean {
    try {
      return isDeepStrictEqual(plain(parse(text)), plain(wanted));
    } catch {
      return false;
    }
  }
}

const JSON_FORM: Form = {
  parse: text => (text.trim() === '' ? {} : JSON.parse(text)),
  print: (text, profiles) => `${JSON.stringify({ ...JSON_FORM.parse(text), profiles }, undefined, 2)}\n`,
};

/** The rest of the text with its comments: without the tables [[profiles]] and those below them. */
function withoutTables(text: string): string {
  const kept: string[] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    const [, name] = /^\s*\[\[?\s*([^\]]*?)\s*\]/.exec(line) ?? [];
    if (name !== undefined) isInside = /^(?:profiles|"profiles"|'profiles')\s*(?:\.|$)/.test(name);
    if (!isInside) kept.push(line);
  }
  const rest = kept.join('\n').trimEnd();
  return rest === '' ? '' : `${rest}\n\n`;
}

/** Without the classes that parsers give to tables and times. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `${item}n` : item)));
