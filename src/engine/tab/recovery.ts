// Brings tabs back that were lost with their browser, or kept from an earlier one: their state first, then their pages.
import { Failure } from '../../errors.ts';
import { type Limits, within } from '../limits.ts';
import type { Items } from '../storage/area.ts';
import { writeSession } from '../storage/login.ts';
import { siteOrigin } from '../storage/origins.ts';
import type { Returned, SessionState } from '../storage/session-state.ts';
import { reopen } from './reopen.ts';
import type { Tab } from './tab.ts';

/** A tab with a new, empty page, and what it showed. */
export interface LostTab {
  tab: Tab;
  url: string;
  session: Items;
}

type Lost = Pick<LostTab, 'url' | 'session'> & { id: number };

/** What is to come back: the tabs that are there without their pages, or those of an earlier server; one at least. */
export function lostTabs(
  tabs: Iterable<Tab>,
  keeper: SessionState | undefined,
): { lost: Lost[]; activeId?: number | undefined } {
  const kept = keeper?.isPending ? (keeper.state?.tabs ?? []) : undefined;
  const all = kept ?? Array.from(tabs, tab => ({ id: tab.id, url: keeper?.urlOf(tab) ?? tab.url }));
  const lost = all.map(({ id, url }) => ({ id, url, session: keeper?.sessionOf(id, url) ?? [] }));
  return {
    lost: lost.length > 0 ? lost : [{ id: 1, url: 'about:blank', session: [] }],
    activeId: kept?.find(({ active }) => active)?.id,
  };
}

/** For all pages together; each has less. */
const ALL_MS = 20_000;
/** Many pages that load at once only slow each other down. */
const AT_ONCE = 4;

/** Gives what the caller must be told. */
export async function restoreTabs(
  name: string,
  rows: LostTab[],
  keeper: SessionState | undefined,
  limits: Limits,
): Promise<string[]> {
  const wasKept = keeper?.isPending ?? false;
  // Should this attempt fail, the next one still knows what to open.
  for (const { tab, url } of rows) keeper?.miss(tab, url);
  const [first] = rows;
  const state = keeper?.state && first ? stateText(await keeper.bringBack(first.tab, limits)) : undefined;
  const notes = await openAll(rows, limits);
  if (keeper) keeper.isPending = false;
  if (wasKept) return [...notes, `Session "${name}" came back: ${counted(rows.length, 'tab')}, ${state}.`];
  const logins = state === undefined ? 'logins may be lost' : `back are ${state}`;
  return [
    ...notes,
    `The browser had ended and was started again: its pages were opened again, refs are void, ${logins}.`,
  ];
}

async function openAll(rows: LostTab[], limits: Limits): Promise<string[]> {
  const bound = within(limits, ALL_MS, () => new Failure('timeout', 'There was no time left.'));
  const rest = [...rows];
  const notes: string[] = [];
  const work = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) notes.push(...(await openAgain(next, bound, limits)));
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return notes;
  } finally {
    bound.done();
  }
}

async function openAgain({ tab, url, session }: LostTab, bound: Limits, limits: Limits): Promise<string[]> {
  try {
    if (session.length > 0) await writeSession(tab, siteOrigin(url), session, bound);
    return await reopen(tab, url, bound);
  } catch (error) {
    limits.signal.throwIfAborted();
    if (!bound.signal.aborted) throw error;
    return [`${url} was not opened again: there was no time left.`];
  }
}

/** Such as `5 cookies and the storage of 2 sites, as of 3 s ago`. */
function stateText({ at, cookies, expired, sites, missing }: Returned): string {
  const parts = [counted(cookies, 'cookie'), ...(sites > 0 ? [`the storage of ${counted(sites, 'site')}`] : [])];
  const lacks = [
    ...(expired > 0 ? [`${counted(expired, 'cookie')} had expired`] : []),
    ...(missing.length > 0 ? [`not brought back: ${missing.slice(0, 10).join(', ')}`] : []),
  ];
  const tail = lacks.length > 0 ? ` (${lacks.join('; ')})` : '';
  return `${parts.join(' and ')}, as of ${ago(Date.now() - at)} ago${tail}`;
}

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

const UNITS = [
  [24 * 3_600_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** Such as `3 min`. */
export function ago(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1_000, 's'];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}
