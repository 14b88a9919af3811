// The known name closest to a mistyped one, for messages that say "did you mean".

/** Names that a person may well have meant, closest first; none when nothing is close. */
export function nearest(given: string, names: Iterable<string>): string[] {
  const wanted = given.toLowerCase();
  const most = Math.max(2, Math.floor(wanted.length / 3));
  return [...names]
    .map(name => ({ name, off: distance(wanted, name.toLowerCase()) }))
    .filter(({ name, off }) => off <= most && off < Math.max(name.length, wanted.length))
    .sort((a, b) => a.off - b.off)
    .map(({ name }) => name);
}

/** A hint for an unknown word: the known one that it is close to, or what else to do. */
export function suggestion(word: string, known: Iterable<string>, otherwise: string): string {
  const [close] = nearest(word.slice(0, 100), known);
  return close === undefined ? otherwise : `Did you mean ${close}?`;
}

/** Levenshtein: how many single letters must change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
