// What a caller was shown last, and what it means by naming it: pages by their place in the list, elements by snapshot.
import { Failure } from '../errors.ts';

export interface ShownNow {
  /** Tab ids, in the order in which the pages were listed last. */
  pages: readonly number[];
  /** Those that are open now. */
  open: readonly number[];
  /** The tab that calls mean which name none. */
  active?: number | undefined;
  /** The last snapshot, and the tab that it showed. */
  snapshot?: { number: number; tab: number } | undefined;
}

export const NOTHING_SHOWN: ShownNow = { pages: [], open: [] };

/** `3_12` is element 12 of snapshot 3: our ref, when that is the latest and of the page that is selected. */
export function refOfUid(uid: unknown, { snapshot, active }: ShownNow): unknown {
  if (typeof uid !== 'string') return uid;
  if (!snapshot)
    throw new Failure('stale_ref', 'There is no snapshot yet.', 'Call take_snapshot and use a uid from it.');
  const [, number, element] = /^(\d{1,9})_(\d{1,9})$/.exec(uid.trim()) ?? [];
  const named = JSON.stringify(uid.slice(0, 40));
  if (element === undefined)
    throw new Failure('stale_ref', `${named} is no uid.`, 'Call take_snapshot and use a uid from it.');
  if (Number(number) !== snapshot.number)
    throw stale(`uid ${named} is from a stale snapshot; the latest one is ${snapshot.number}.`);
  if (active !== undefined && snapshot.tab !== active)
    throw stale(`uid ${named} is from a stale snapshot: another page is selected now.`);
  return `@e${element}`;
}

const stale = (message: string): Failure =>
  new Failure('stale_ref', message, 'Call take_snapshot to get a fresh snapshot, and use its uids.');

/** The tab at that place of the list, as it was shown: never another one that has come to stand there. */
export function tabOfPage(index: unknown, { pages, open }: ShownNow): unknown {
  if (typeof index !== 'number') return index;
  const list = pages.length === 0 ? open : pages;
  const tab = list[index];
  if (tab !== undefined && open.includes(tab)) return tab;
  const why =
    tab !== undefined
      ? 'it has been closed since the pages were listed'
      : list.length === 0
        ? 'no pages were listed yet'
        : `the last list went from 0 to ${list.length - 1}`;
  throw new Failure('no_tab', `No page found at ${index}: ${why}.`);
}
