// An example of a call as it is typed, made from the places of a tool.
import type { Listed } from '../../listing/listing.ts';
import { type Arguments, readArguments } from './parse-words.ts';
import { placesOf } from './positionals.ts';

/** What an argument of that name may well be. */
const SAMPLES: Readonly<Record<string, string>> = {
  selector: '@e5',
  source: '@e3',
  target: '@e8',
  url: 'https://example.com',
  value: 'Ann',
  text: 'Hello',
  key: 'Enter',
  expression: 'document.title',
  calls: '[{"tool":"title"},{"tool":"snapshot"}]',
  fields: '[{"selector":"label:Email","value":"ann@example.com"}]',
  permissions: '[{"name":"camera","state":"granted"}]',
  chain: '[{"method":"role","value":"button"},{"method":"first"}]',
  files: 'photo.png',
  save_path: 'page.pdf',
};

/** Where the usual words make no sense together. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  query: ['role', 'button'],
  scroll: ['down', '500'],
  select: ['@e5', 'label=Japan'],
  snapshot: ['interactive'],
  wait: ['text', 'text=Welcome'],
};

export function exampleWords(listed: Listed): readonly string[] {
  const places = placesOf(listed);
  const needed = places.filter(({ needed }) => needed);
  const shown = needed.length > 0 ? needed : places.slice(0, 1).filter(({ name }) => name in SAMPLES);
  return WORDS[listed.tool.name] ?? shown.map(({ name, values }) => SAMPLES[name] ?? String(values[0] ?? 2));
}

export const exampleArguments = (listed: Listed): Arguments => readArguments(listed, exampleWords(listed));

/** The same call in plain words and as one JSON object. */
export function examplesOf(listed: Listed): string[] {
  const words = exampleWords(listed);
  const start = `tabwright call ${listed.tool.name}`;
  const json = JSON.stringify(exampleArguments(listed));
  const forms = words.length > 0 ? [words, [json]] : [words];
  return forms.map(form => [start, ...form.map(quoted)].join(' '));
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
