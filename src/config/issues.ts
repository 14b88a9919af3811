// What is wrong with the arguments of a call, in words: which one, what was expected, what was got.
import type { z } from 'zod';
import { Failure } from '../errors.ts';
import { nearest } from './nearest.ts';

type Issue = z.core.$ZodIssue;

const LONGEST = 60;
const MOST_CHOICES = 20;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** One phrase, or several when one issue names several arguments. */
export function describeIssue(issue: Issue, names: readonly string[]): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(key => unknown(key, issue.path, names));
  const where = pathText(issue.path);
  if (issue.input === undefined) return [`${where} is missing (${expectation(issue) ?? 'required'})`];
  const expected = expectation(issue);
  if (expected !== undefined) return [`${where} must be ${expected}, got ${valueText(issue.input)}`];
  if (issue.code === 'invalid_union') return insideUnion(issue, names);
  return [`${where}: ${issue.message}`];
}

function unknown(key: string, path: PropertyKey[], names: readonly string[]): string {
  const named = JSON.stringify(cut(key));
  if (path.length > 0) return `unknown ${named} in ${pathText(path)}`;
  const [close] = nearest(key.slice(0, LONGEST), names);
  return `unknown argument ${named}${close ? ` (did you mean ${close}?)` : ''}`;
}

/** What was expected; undefined when the schema's own message says it better. */
function expectation(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return choices(issue.values);
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'invalid_union':
      return unionExpectation(issue);
    default:
      return undefined;
  }
}

function choices(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_CHOICES).map(value => JSON.stringify(value));
  const more = values.length > MOST_CHOICES ? ', …' : '';
  return shown.length === 1 ? `${shown[0]}` : `one of ${shown.join(', ')}${more}`;
}

const UNITS: Readonly<Record<string, [type: string, unit: string]>> = {
  string: ['text', 'characters'],
  array: ['a list', 'items'],
};

function bound(origin: string, how: string, limit: number | bigint): string {
  const [type, unit] = UNITS[origin] ?? [];
  return type ? `${type} with ${how} ${limit} ${unit}` : `${how} ${limit}`;
}

/** When no member of the union takes the value itself: all that they expect, "text or a list". */
function unionExpectation(issue: Issue & { code: 'invalid_union' }): string | undefined {
  const firsts = issue.errors.map(errors => errors[0]);
  if (firsts.length === 0 || firsts.some(first => !first || first.path.length > 0)) return undefined;
  const expected = firsts.map(first => first && expectation(first));
  return expected.includes(undefined) ? undefined : [...new Set(expected)].join(' or ');
}

/** When a member takes the value but not what is inside: what is wrong inside. */
function insideUnion(issue: Issue & { code: 'invalid_union' }, names: readonly string[]): string[] {
  const fitting = issue.errors.find(errors => errors.every(({ path }) => path.length > 0)) ?? issue.errors[0];
  if (!fitting) return [`${pathText(issue.path)}: ${issue.message}`];
  return fitting.flatMap(inner => describeIssue({ ...inner, path: [...issue.path, ...inner.path] } as Issue, names));
}

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${plain(String(part))}`))
    .join('');

/** A key as a caller wrote it, on one line. */
const plain = (key: string): string => (/^[\w-]+$/.test(key) ? cut(key) : JSON.stringify(cut(key)));

/** Never the whole of a large value. */
function valueText(value: unknown): string {
  if (typeof value === 'string') {
    const length = value.length > LONGEST ? ` (${value.length} characters)` : '';
    return `the text ${JSON.stringify(cut(value))}${length}`;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** How the caller names a tool and its arguments, for messages about them. */
export interface ArgumentNames {
  tool: string;
  /** All arguments of the tool. */
  names: readonly string[];
  required: readonly string[];
  /** The caller's name for an argument of the native tool; absent where both are the same. */
  argument?(path: string): string;
}

/** More would not help: a caller who got so much wrong reads the list of arguments. */
const MOST_NAMED = 5;

/** The failure of a call with wrong arguments; the hint lists the right ones, the required first. */
export function wrongArguments(wrong: readonly string[], { tool, names, required }: ArgumentNames): Failure {
  const more = wrong.length > MOST_NAMED ? `; and ${wrong.length - MOST_NAMED} more` : '';
  const optional = names.filter(name => !required.includes(name));
  const parts = [
    ...(required.length > 0 ? [`${required.join(', ')} (required)`] : []),
    ...(optional.length > 0 ? [`${optional.join(', ')} (optional)`] : []),
  ];
  const takes = parts.length > 0 ? `${tool} takes: ${parts.join(', ')}.` : `${tool} takes no arguments.`;
  return new Failure('bad_input', `${tool}: ${wrong.slice(0, MOST_NAMED).join('; ')}${more}.`, takes);
}
