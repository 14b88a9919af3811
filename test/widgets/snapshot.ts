// Reads the snapshot of any of the servers as a tree, and finds in it what a person named.
import type { Target } from './job.ts';

export interface Seen {
  role: string;
  /** Name and text of its line. */
  words: string[];
  /** Of a field. */
  value: string;
  ref: string | undefined;
  parent: Seen | undefined;
  children: Seen[];
}

/** Found, or why not. */
export type Found = { ref: string } | { why: string };

const QUOTED = /"((?:[^"\\]|\\.)*)"/g;
const UID = /^uid=(\S+) ?/;
const BRACKETS = /\[[^\]]*\]/g;

const tidy = (text: string): string => text.replaceAll('\\"', '"').replace(/\s+/g, ' ').trim();

/** `- role "name" [ref=e1]: text`, or `uid=1_2 role "name" key="value"`. */
function readLine(line: string, refIn: RegExp): Omit<Seen, 'parent' | 'children'> | undefined {
  const body = line
    .trim()
    .replace(/^- /, '')
    .replace(/^'(.*)'(?=:|$)/, '$1');
  if (body === '' || body === '```yaml' || body === '```') return undefined;
  const ref = refIn.exec(body)?.[1];
  const plain = body.replace(UID, '');
  const role = /^[\w-]+/.exec(plain)?.[0] ?? 'text';
  const rest = plain.slice(/^[\w-]+/.exec(plain)?.[0].length ?? 0);
  const unquoted = /:\s+([^"\s].*)$/.exec(rest.replace(QUOTED, '').replace(BRACKETS, ''))?.[1];
  const quoted = [
    ...rest
      .replace(/\b[\w-]+="[^"]*"/g, '')
      .replace(BRACKETS, '')
      .matchAll(QUOTED),
  ].map(([, text]) => text ?? '');
  // A row of a table is one line: `row: "Ada | London"`.
  const words = [...quoted, ...(unquoted === undefined ? [] : [unquoted])].flatMap(text => text.split(' | '));
  const value = tidy(/\bvalue="((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? '');
  return { role, words: words.map(tidy).filter(Boolean), value, ref };
}

export function readSnapshot(text: string, refIn: RegExp): Seen[] {
  const all: Seen[] = [];
  const open: { indent: number; seen: Seen }[] = [];
  for (const line of text.split('\n')) {
    const indent = line.length - line.trimStart().length;
    const read = readLine(line, refIn);
    if (!read) continue;
    while (open.length > 0 && open[open.length - 1]!.indent >= indent) open.pop();
    const parent = open[open.length - 1]?.seen;
    const seen: Seen = { ...read, parent, children: [] };
    parent?.children.push(seen);
    all.push(seen);
    open.push({ indent, seen });
  }
  return all;
}

interface Wish {
  role: string | undefined;
  name: string | undefined;
  beside: string | undefined;
  place: number;
}

const TARGET = /^([\w-]+)? ?(?:"([^"]*)")?(?: in "([^"]*)")?(?: #(\d+))?$/;

function readTarget(target: Target): Wish {
  const match = TARGET.exec(target);
  if (!match) throw new Error(`not a target: ${target}`);
  const [, role, name, beside, place] = match;
  return { role, name, beside, place: Number(place ?? 1) };
}

const wordsBelow = (seen: Seen): string[] => [...seen.words, ...seen.children.flatMap(wordsBelow)];

/** Its own ref, else that of an ancestor which has nothing else in it. */
function refOf(seen: Seen): string | undefined {
  let one: Seen | undefined = seen;
  const words = wordsBelow(seen).length;
  for (; one && wordsBelow(one).length === words; one = one.parent) if (one.ref !== undefined) return one.ref;
  return undefined;
}

/** How much else is said in the smallest part that holds both it and the words beside it. */
function distance(seen: Seen, words: string): number {
  for (let one: Seen | undefined = seen; one; one = one.parent) {
    const all = wordsBelow(one);
    if (all.some(text => text.includes(words))) return all.length;
  }
  return Number.POSITIVE_INFINITY;
}

/** Those nearest to the words. */
function nearest(found: Seen[], words: string): Seen[] {
  const far = new Map(found.map(seen => [seen, distance(seen, words)]));
  const least = Math.min(...far.values());
  return found.filter(seen => far.get(seen) === least && least < Number.POSITIVE_INFINITY);
}

const unique = (refs: (string | undefined)[]): string[] => [...new Set(refs.filter(ref => ref !== undefined))];

/** The ones a reader would take first: same name and role, then same name, then one of that role beside these words, then same value, then a name that has the words in it, the shortest first. */
function candidates(all: Seen[], { role, name }: Wish): Seen[] {
  const ofRole = (seen: Seen): boolean => role === undefined || seen.role.toLowerCase() === role.toLowerCase();
  if (name === undefined) return all.filter(ofRole);
  // Buttons may be in capitals by their style alone.
  const said = name.toLowerCase();
  const same = all.filter(({ words }) => words.some(word => word.toLowerCase() === said));
  const roleToo = same.filter(ofRole);
  if (roleToo.some(seen => refOf(seen) !== undefined)) return roleToo;
  if (same.some(seen => refOf(seen) !== undefined)) return same;
  const besideIt =
    role !== undefined && same.length > 0
      ? nearest(
          all.filter(seen => ofRole(seen) && seen.ref !== undefined),
          name,
        )
      : [];
  if (besideIt.length > 0) return besideIt;
  const holdingValue = all.filter(seen => ofRole(seen) && seen.value.toLowerCase() === said);
  if (holdingValue.length > 0) return holdingValue;
  const size = ({ words }: Seen): number => words.join(' ').length;
  const holding = all
    .filter(({ words }) => ` ${words.join(' ')} `.toLowerCase().includes(` ${said} `))
    .sort((one, other) => size(one) - size(other));
  const holdingOfRole = holding.filter(ofRole);
  return [holdingOfRole, holding, same].find(some => some.length > 0) ?? [];
}

export function findIn(text: string, target: Target, refIn: RegExp): Found {
  const wish = readTarget(target);
  const all = readSnapshot(text, refIn);
  let found = candidates(all, wish);
  const { beside } = wish;
  if (beside !== undefined) found = nearest(found, beside);
  if (found.length === 0) return { why: `${target} is not in the snapshot` };
  const ref = unique(found.map(refOf))[wish.place - 1];
  return ref === undefined ? { why: `${target} is printed, but has no ref` } : { ref };
}
