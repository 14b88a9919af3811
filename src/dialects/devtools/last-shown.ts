// What the caller was shown last, and what it means by naming it: pages by their place in the list, elements by snapshot.
import type { Limits } from '../../engine/limits.ts';
import { Failure } from '../../errors.ts';
import { defaultKey } from '../../session/names.ts';
import type { Caller, Server } from '../../session/server.ts';
import type { Session } from '../../session/session.ts';
import { NOTHING_SHOWN } from '../decode.ts';
import type { LastShown, ReadContext } from '../definition.ts';
import type { RunningCall } from '../dialect.ts';

/** The session of the caller need not be open yet. */
export function lastShown(server: Server, caller: Caller): LastShown {
  const key = defaultKey(caller);
  const session = server.list().find(({ name }) => name === key);
  if (!session) return NOTHING_SHOWN;
  const { pages, snapshot } = session.shown;
  const { tabs, active } = session.context;
  return { pages, snapshot, open: [...tabs.keys()], active: active?.id };
}

/** When the page that was selected has been closed, the caller is told so once. */
export function checkSelected({ shown, context }: Session): void {
  const { selected } = shown;
  if (selected === undefined || context.tabs.has(selected)) return;
  shown.selected = undefined;
  const now = context.active;
  throw new Failure(
    'no_tab',
    `The selected page has been closed.${now ? ` Selected now: ${now.url.slice(0, 200)}` : ''}`,
    'Call list_pages to see which pages are open, then go on.',
  );
}

/** There is always a page, as in a browser that was started with one. */
export async function openPage({ context }: Session, limits: Limits): Promise<void> {
  if (context.tabs.size > 0) return;
  // A browser that somebody else started has pages of its own.
  await context.open(limits);
  if (context.tabs.size === 0) await context.tab(undefined, limits);
}

/** After a page was closed, the first one is selected. */
export function selectFirst({ session }: RunningCall, data: unknown): void {
  const [first] = session?.context.tabs.values() ?? [];
  const { closed } = Object(data);
  if (first && Array.isArray(closed) && closed.length > 0) session?.context.activate(first);
}

/** What a uid of that snapshot begins with. */
export const uidPrefix = (snapshot: number): string => `${snapshot}_`;

/** `3_12` is element 12 of snapshot 3: a ref, when that is the latest and of the page that is selected. */
export function refOfUid(uid: unknown, { shown: { snapshot, active } }: ReadContext): unknown {
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
export function tabOfPage(index: unknown, { shown: { pages, open } }: ReadContext): unknown {
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
