// An example of a call as it is typed: that of the tool, or one made from its arguments.
import type { Listed } from '../../listing/listing.ts';
import { type Arguments, readArguments } from './parse-words.ts';
import { commandOf, positionalsOf } from './positionals.ts';

/** For tools of other dialects, which come without an example: what an argument of that name may well be. */
const SAMPLES: Readonly<Record<string, string>> = {
  selector: '@e5',
  url: 'https://example.com',
  value: 'Ann',
  text: 'Hello',
  key: 'Enter',
  expression: 'document.title',
};

export function exampleWords(listed: Listed): readonly string[] {
  if (listed.example) return listed.example;
  const positionals = positionalsOf(listed);
  const needed = positionals.filter(({ needed }) => needed);
  const shown = needed.length > 0 ? needed : positionals.slice(0, 1).filter(({ name }) => name in SAMPLES);
  return shown.map(({ name, values }) => SAMPLES[name] ?? String(values[0] ?? 2));
}

export const exampleArguments = (listed: Listed): Arguments => readArguments(listed, exampleWords(listed));

/** The same call in plain words and as one JSON object. */
export function examplesOf(listed: Listed): string[] {
  const words = exampleWords(listed);
  const start = commandOf(listed.tool);
  const json = JSON.stringify(exampleArguments(listed));
  const forms = words.length > 0 ? [words, [json]] : [words];
  return forms.map(form => [start, ...form.map(quoted)].join(' '));
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
