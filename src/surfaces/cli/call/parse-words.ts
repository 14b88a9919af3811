// The words after `tabwright call TOOL` → the arguments of the tool, by its schema in the listing.
import { nearest } from '../../../config/nearest.ts';
import { isRecord } from '../../../defined.ts';
import { Failure } from '../../../errors.ts';
import type { JsonSchema, Listed } from '../../listing/listing.ts';
import { membersOf, propertiesOf } from '../../listing/parameters.ts';
import { isFile, type Positional, positionalsOf, takesAnyText, usageOf } from './positionals.ts';

export type Arguments = Record<string, unknown>;

/** `name=value`, or a value alone. */
interface Word {
  text: string;
  name?: string;
}

/** A JSON object, or plain words and name=value. What does not fit its type stays text: the call itself says what is wrong. */
export function readArguments(listed: Listed, words: readonly string[]): Arguments {
  const [first = '', next] = words;
  if (!first.startsWith('{')) return readWords(listed, words);
  if (next === undefined)
    return readObject(first, `Text that starts with { needs its name: ${asText(textPositionals(listed)[0], '{…')}.`);
  throw new Failure('bad_input', `Nothing may follow the JSON object, but ${quote(next)} does.`, usage(listed));
}

/** What came on stdin for "-": a JSON object, or the text itself for a tool that needs one text and nothing else. */
export function readStdin(listed: Listed, text: string): Arguments {
  const needed = positionalsOf(listed).filter(({ needed }) => needed);
  const [only] = needed.length === 1 ? needed.filter(takesAnyText) : [];
  if (!only) return readObject(text);
  try {
    return readObject(text);
  } catch {
    return { [only.name]: text };
  }
}

function readWords(listed: Listed, words: readonly string[]): Arguments {
  const schemas = propertiesOf(listed.tool.inputSchema);
  const read = words.map(word => readWord(listed, word, Object.keys(schemas)));
  const named = read.filter((word): word is Required<Word> => word.name !== undefined);
  const plain = read.filter(({ name }) => name === undefined).map(({ text }) => text);
  const taken = new Set(named.map(({ name }) => name));
  const free = positionalsOf(listed).filter(({ name, instead }) => ![name, ...instead].some(other => taken.has(other)));
  return gather([...assign(listed, free, plain), ...named], schemas);
}

/** Ways to name an element: ref=e5 and role=button are no slips. */
const NAMES_ELEMENT = /^(?:ref|role|text|css|xpath|id|title|alt|label|placeholder|testid)$/;

/** Only the name of an argument makes name=value: a url or a script may well have a = of its own. */
function readWord(listed: Listed, word: string, names: readonly string[]): Word {
  const [, name, text = ''] = /^([\w-]+)=(.*)$/s.exec(word) ?? [];
  if (name === undefined) return { text: word };
  if (names.includes(name)) return { name, text };
  if (NAMES_ELEMENT.test(name)) return { text: word };
  // A slip of the finger rarely takes the first letter.
  const close = nearest(name, names).find(other => other[0] === name[0]);
  if (close === undefined) return { text: word };
  const hint = `Did you mean ${close}? As text it needs its name: ${asText(textPositionals(listed).at(-1), `${name}=…`)}.`;
  throw new Failure('bad_input', `${listed.tool.name} has no argument ${name}.`, hint);
}

function assign(listed: Listed, positionals: readonly Positional[], words: readonly string[]): Required<Word>[] {
  const wanted = positionals.some(({ needed }) => needed) ? inOrder(positionals, words) : byFit(positionals, words);
  const extra = words[wanted.length];
  if (extra === undefined) return wanted;
  throw new Failure('bad_input', `${listed.tool.name}: ${quote(extra)} is one too many.`, usage(listed));
}

/** Each word to the next positional. Optional ones are used only when there are words enough for them. */
function inOrder(positionals: readonly Positional[], words: readonly string[]): Required<Word>[] {
  let spare = words.length - positionals.filter(({ needed }) => needed).length;
  const used = positionals.filter(({ needed }) => needed || spare-- > 0);
  const last = used.at(-1);
  const all = last?.takes === 'list' ? [...used, ...words.slice(used.length).map(() => last)] : used;
  return all.slice(0, words.length).map(({ name }, index) => ({ name, text: words[index] ?? '' }));
}

/** Names of what tools save. */
const FILE = /^(?!\w+:\/\/).+\.(?:png|jpe?g|webp|gif|webm|har|txt|md|json)$/i;

/** Each word to the first free positional that it fits: the listed values, a number, then any text. */
function byFit(positionals: readonly Positional[], words: readonly string[]): Required<Word>[] {
  const left = [...positionals];
  return words.slice(0, positionals.length).map(text => {
    const fits = [
      left.findIndex(one => isFile(one) && FILE.test(text)),
      left.findIndex(({ values }) => values.includes(text)),
      left.findIndex(({ takes }) => takes === 'number' && isNumber(text)),
      left.findIndex(one => takesAnyText(one) && !isFile(one)),
    ];
    const [{ name } = { name: '' }] = left.splice(fits.find(index => index >= 0) ?? 0, 1);
    return { name, text };
  });
}

/** An argument that is a list may be named again; any other only once. */
function gather(words: readonly Required<Word>[], schemas: Record<string, JsonSchema>): Arguments {
  const given: Arguments = {};
  for (const { name, text } of words) {
    const value = convert(schemas[name] ?? {}, text, name);
    const before = given[name];
    if (before === undefined) given[name] = value;
    else if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
    else throw new Failure('bad_input', `${name} is given twice.`);
  }
  return given;
}

/** A text by the types of the schema, the widest last: a list or object in JSON, a number, true or false, text. */
function convert(schema: JsonSchema, text: string, name: string): unknown {
  const members = membersOf(schema);
  const has = (...types: string[]) => members.find(({ type }) => types.includes(String(type)));
  const list = has('array');
  const isText = has('string') !== undefined;
  if (list && text.startsWith('[')) return fromJson(text, name, isText);
  if (has('object') && text.startsWith('{')) return fromJson(text, name, isText);
  if (has('number', 'integer') && isNumber(text)) return Number(text);
  if (has('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  if (members.some(({ type }) => type === undefined)) return fromJson(text, name, true);
  return list && members.length === 1 ? [convert((list.items ?? {}) as JsonSchema, text, name)] : text;
}

/** Where any text will do, text that is no JSON is meant as it stands. */
function fromJson(text: string, name: string, orText: boolean): unknown {
  try {
    return parseJson(text, name);
  } catch (error) {
    if (orText) return text;
    throw error;
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** How to give a text that looks like something else: as an argument that takes any text. */
const asText = (positional: Positional | undefined, text: string): string => `${positional?.name ?? 'name'}='${text}'`;

const textPositionals = (listed: Listed): Positional[] => positionalsOf(listed).filter(takesAnyText);

const usage = (listed: Listed): string => `Usage: ${usageOf(listed)}`;

const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** How much of the text before the fault is shown. */
const NEAR = 20;

/** The arguments of a call as one object. */
function readObject(text: string, hint?: string): Record<string, unknown> {
  const value = parseJson(text, 'The JSON', hint);
  if (isRecord(value)) return value;
  throw new Failure('bad_input', 'The arguments must be a JSON object.', `Write '{"argument": value, …}'.`);
}

function parseJson(text: string, what: string, hint?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure('bad_input', `${what} is broken: ${describeFault(text)}.`, hint, { cause });
  }
}

function describeFault(text: string): string {
  if (mayGoOn(text)) return 'it ends too early';
  const position = faultIn(text);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  const where = line > 1 ? `line ${line}, column ${column}` : `column ${column}`;
  const near = before.slice(-NEAR).split('\n').at(-1)?.trim();
  const found = JSON.stringify(String.fromCodePoint(text.codePointAt(position) ?? 0));
  return `unexpected ${found} at ${where}${near && `, after ${near}`}`;
}

/** Where the text stops being JSON. The engine names the place only in some of its messages. */
function faultIn(text: string): number {
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** True for the beginning of some JSON: what is wrong with it, if anything, is its end. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined ? /end of JSON/.test(String(error)) : Number(position) >= text.length;
  }
}
