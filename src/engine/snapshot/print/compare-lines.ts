// Compares the lines of two snapshots: what appeared, changed, moved and went.
import { type KeptLine, type KeptLines, ROOT } from './kept-lines.ts';

/** Signs of a line: it appeared, says something else, is at another place. */
export type Sign = '+' | '~' | '>';

export interface Difference {
  /** Of the lines of now that are different, by key. */
  signs: ReadonlyMap<string, Sign>;
  /** Lines that went while what they were below stayed: by the key of that line now, in their old order. */
  went: ReadonlyMap<string, string[]>;
  /** Whether a line of before is still there. */
  isThere(key: string): boolean;
}

const textOf = ({ before, after }: KeptLine): string => before + after;

export function compareLines(before: KeptLines, now: KeptLines): Difference {
  const signs = new Map<string, Sign>();
  const stayed = pairs(before, now);
  for (const [key, line] of now) {
    const old = before.get(stayed.get(key) ?? '');
    if (!old) signs.set(key, '+');
    else if (textOf(old) !== textOf(line)) signs.set(key, '~');
    else if (old.parent !== (stayed.get(line.parent) ?? '')) signs.set(key, '>');
  }
  for (const [key, line] of now) {
    const old = before.get(stayed.get(key) ?? '');
    if (old) for (const moved of outOfOrder(line, old, stayed)) if (!signs.has(moved)) signs.set(moved, '>');
  }
  const there = new Map([...stayed].map(([key, old]) => [old, key]));
  return { signs, went: goneLines(before, there), isThere: key => there.has(key) };
}

/** Key of now → key of before. A line without a ref is the same one when it says the same at the same place. */
function pairs(before: KeptLines, now: KeptLines): Map<string, string> {
  const stayed = new Map<string, string>([[ROOT, ROOT]]);
  for (const [key, { children }] of now) {
    const old = before.get(stayed.get(key) ?? '');
    const gone = (old?.children ?? []).filter(child => !now.has(child));
    const byText = new Map<string, string[]>();
    for (const child of gone) {
      const line = before.get(child) as KeptLine;
      if (!line.element) addTo(byText, textOf(line), child);
    }
    for (const child of children) {
      const line = now.get(child) as KeptLine;
      const same = before.has(child) ? child : line.element ? undefined : byText.get(textOf(line))?.shift();
      if (same !== undefined) stayed.set(child, same);
    }
  }
  return stayed;
}

/** The children that stayed below a line but not in their old order: as few as possible. */
function outOfOrder({ children }: KeptLine, old: KeptLine, stayed: ReadonlyMap<string, string>): string[] {
  const placeOf = new Map(old.children.map((child, place) => [child, place]));
  const here = children.flatMap(child => {
    const place = placeOf.get(stayed.get(child) ?? '');
    return place === undefined ? [] : [{ child, place }];
  });
  if (here.every(({ place }, at) => at === 0 || place > (here[at - 1]?.place ?? 0))) return [];
  const inOrder = longestRise(here.map(({ place }) => place));
  return here.flatMap(({ child }, at) => (inOrder.has(at) ? [] : [child]));
}

/** The indexes of a longest rising subsequence. */
function longestRise(values: number[]): Set<number> {
  /** Where the rises of each length end that end lowest, and what comes before each value in its rise. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = ends[low - 1];
    ends[low] = at;
  });
  const rise = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) rise.add(at);
  return rise;
}

/** `there`: key of before → key of now. */
function goneLines(before: KeptLines, there: ReadonlyMap<string, string>): Map<string, string[]> {
  const went = new Map<string, string[]>();
  for (const [key, { parent }] of before) {
    const above = there.get(parent);
    if (!there.has(key) && above !== undefined) addTo(went, above, key);
  }
  return went;
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
