// Where native arguments come from that several tools share: elements by uid, pages by number, times.
import type { ReadContext, Source, Sources } from '../definition.ts';
import { refOfUid, tabOfPage } from './last-shown.ts';

/** An element of the latest snapshot. */
export const element = (from: string): Source => ({ from, convert: refOfUid });
const snapshotTab = { value: ({ shown }: ReadContext) => shown.snapshot?.tab };
/** The tab that the latest snapshot showed. */
export const onSnapshotTab: Sources = { tabId: snapshotTab };
/** The same, only when an element is named by that argument. */
export const onTabOf = (argument: string): Sources => ({
  tabId: { ...snapshotTab, when: { [argument]: { is: 'given' } } },
});
export const timeout: Source = {
  from: 'timeout',
  convert: ms => (typeof ms === 'number' && ms <= 0 ? undefined : ms),
};
export const page: Source = { from: 'pageIdx', convert: tabOfPage };
