// Globs: `*` stands for anything but a slash, `**` for anything, `**/` for any folders or none. No glob backtracks.

type Star = '*' | '**' | '**/';

/** Where the rest of a text may begin after a star, given where the star may begin; both ascending. */
const AFTER: Readonly<Record<Star, (text: string, starts: readonly number[]) => number[]>> = {
  '**': (text, [first = 0]) => range(first, text.length),
  '**/': (text, starts) => {
    const [first = 0] = starts;
    const known = new Set(starts);
    return range(first, text.length).filter(at => known.has(at) || (at > first && text[at - 1] === '/'));
  },
  '*': (text, starts) =>
    starts.flatMap((start, index) => {
      const slash = text.indexOf('/', start);
      const end = slash === -1 ? text.length : slash;
      return range(start, Math.min(end, (starts[index + 1] ?? Number.POSITIVE_INFINITY) - 1));
    }),
};

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Tells whether the glob matches the whole text. */
export function globMatcher(glob: string): (text: string) => boolean {
  const parts = glob.split(/(\*\*\/|\*\*|\*)/);
  return text => {
    let places = [0];
    for (const [index, part] of parts.entries()) {
      places =
        index % 2 === 1
          ? AFTER[part as Star](text, places)
          : places.filter(at => text.startsWith(part, at)).map(at => at + part.length);
      if (places.length === 0) return false;
    }
    return places.at(-1) === text.length;
  };
}
