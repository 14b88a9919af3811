// What a session was shown last, for callers who name pages by their place in a list and elements by snapshot.

export class Shown {
  /** Tab ids, in the order in which the pages were listed. */
  pages: readonly number[] = [];
  /** The tab that was selected when the last answer was given. */
  selected: number | undefined;
  /** Snapshots are numbered; only the last one counts. */
  snapshot: { number: number; tab: number } | undefined;

  /** Counts a snapshot of that tab. */
  took({ id }: { id: number }): void {
    this.snapshot = { number: (this.snapshot?.number ?? 0) + 1, tab: id };
  }
}
