// Our answers in the words of a dialect: its refs, and its tools where ours are named.
import type { Dialect } from './dialect.ts';

/** Far more than any answer holds. */
const MOST_VALUES = 20_000;

/** Refs that we print. What stands in quotes comes from the page and stays as it is. */
const REF = /\[ref=@e(\d+)\]|"(?:[^"\\\n]|\\.)*"|(?<![\w@"])@e(\d+)\b/g;

export const withRefs = ({ ref }: Dialect, text: string): string =>
  text.replace(REF, (whole, inBrackets?: string, bare?: string) => {
    if (inBrackets !== undefined) return `[ref=${ref}${inBrackets}]`;
    return bare === undefined ? whole : `${ref}${bare}`;
  });

/** Our numbers of tabs, as places in the list of pages. */
export const withPages = (text: string, tabs: readonly number[]): string =>
  text
    .split(FOREIGN)
    .map((part, at) =>
      at % 2 === 0 ? part.replace(TAB, (_, first: string, id: string) => pageOf(first, tabs, Number(id))) : part,
    )
    .join('');

const TAB = /\b([tT])ab (\d+)\b/g;

function pageOf(first: string, tabs: readonly number[], id: number): string {
  const at = tabs.indexOf(id);
  const word = first === 'T' ? 'Page' : 'page';
  return at < 0 ? `${first === 'T' ? 'The' : 'the'} page` : `${word} ${at}`;
}

/** The same for data: a text that is a ref and nothing else. */
export function refsInData({ ref }: Dialect, data: unknown): unknown {
  let left = MOST_VALUES;
  const visit = (value: unknown): unknown => {
    if (left-- <= 0) return value;
    if (typeof value === 'string') return value.replace(/^@e(\d+)$/, `${ref}$1`);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)]));
  };
  return visit(data);
}

/**
 * Where our words name a tool. Many names are also everyday words, so that only these places count:
 * names with an underscore, "the dialog tool", "See …", "Use …", "Call …", and what a batch says before each step.
 */
const NAMED: readonly RegExp[] = [
  /\b(?:[tT]he )([a-z_]+)(?: (?:or|and) ([a-z_]+))? tool\b/g,
  /(?<=\b(?:[Ss]ee|[Uu]se|[Cc]all|[Tt]ry|with) )([a-z_]+)\b(?! tool)/g,
  /\b([a-z]+_[a-z]+)\b/g,
  /(?<=^\d+\. |Call \d+ of \d+, |in call \d+, |none was run\. )([a-z_]+)\b/gm,
  /^([a-z_]+)(?= takes)/g,
];
const SNAPSHOT = /\b([tT])ake a (new )?snapshot\b/g;

/** What is not ours to say in other words: texts in quotes, addresses, names of sessions. */
const FOREIGN = /("(?:[^"\\\n]|\\.)*"|\bhttps?:\/\/[^\s"]*[^\s".;,:)]|(?<=\b[Ss]ession(?: not found)?: )\S+)/;

/**
 * For hints, failures and what an action caused: our own words, but for what a page says.
 * `ours` are the names of our tools: what names one that a strict dialect has not is left out, because it helps nobody.
 */
export function withNames(dialect: Dialect, text: string, ours: ReadonlySet<string> = NONE): string {
  const parts = text
    .split(FOREIGN)
    .map((part, at) => (at % 2 === 0 ? renamed(dialect, useful(dialect, part, ours)) : part));
  return parts.join('').replace(/^[\s.;]+$/, '');
}

const NONE: ReadonlySet<string> = new Set();

const CLAUSE = /([.;](?:\s+|$)|^)((?:[^.;]|[.;](?!\s|$))*)/g;

function useful({ strict, names }: Dialect, text: string, ours: ReadonlySet<string>): string {
  if (!strict) return text;
  const isLacking = (name: unknown) => typeof name === 'string' && ours.has(name) && !Object.hasOwn(names, name);
  const namesLacking = (clause: string) =>
    NAMED.some(place => [...clause.matchAll(place)].some(([, ...found]) => found.some(isLacking)));
  return text.replace(CLAUSE, (whole, _lead: string, clause: string) => (namesLacking(clause) ? '' : whole));
}

function renamed({ names, words = {} }: Dialect, given: string): string {
  const text = given.replace(/\b[a-z]+\b/g, word => (Object.hasOwn(words, word) ? (words[word] ?? word) : word));
  const theirs = (ours: unknown) => (typeof ours === 'string' && Object.hasOwn(names, ours) ? [names[ours]] : []);
  const named = NAMED.reduce(
    (said, place) =>
      said.replace(place, (whole: string, first: string, second: unknown) => {
        const found = new Set([first, second].flatMap(theirs));
        return found.size > 0 ? [...found].join(' or ') : whole;
      }),
    text,
  );
  return named.replace(
    SNAPSHOT,
    (_, letter: string, isNew?: string) =>
      `${letter === 'T' ? 'Call' : 'call'} ${names.snapshot}${isNew ? ' again' : ''}`,
  );
}
