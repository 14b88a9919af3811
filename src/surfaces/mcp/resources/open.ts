// What is open: the sessions and tabs that a caller may see, by the names that it knows them by.
import type { EventEmitter } from 'node:events';
import type { ChangeSubject } from '../../../engine/tab/change-events.ts';
import type { Caller } from '../../../session/server.ts';
import type { Session } from '../../../session/session.ts';
import { KINDS, type Place } from './table.ts';

export interface Open {
  /** The tools that may be used. */
  readonly offered: ReadonlySet<string>;
  /** What changes in any session, from the first one on. */
  readonly changes: EventEmitter<{ change: [session: Session, subject: ChangeSubject, tabId?: number] }>;
  /** None before the first call: to look loads nothing. */
  sessions(): Promise<readonly Session[]>;
}

/** Each caller has a session without a name; all call theirs so. */
const DEFAULT = 'default';

/** How the caller names the session; undefined when it may not see it. */
export function nameFor(session: Session, caller: Caller): string | undefined {
  if (session.owner !== caller.id && !session.shared) return undefined;
  return session.name.startsWith(`${DEFAULT}@`) ? DEFAULT : session.name;
}

export interface OpenPlace extends Place {
  /** Of the page; empty for what belongs to the session. */
  url: string;
}

async function usableBy({ offered }: Open, { may }: Caller): Promise<(tool: string) => boolean> {
  if (!may) return tool => offered.has(tool);
  const { mayUse } = await import('../../listing/permitted.ts');
  return tool => offered.has(tool) && mayUse(may, tool);
}

/** All that the caller may read, session by session, tab by tab. */
export async function placesFor(open: Open, caller: Caller): Promise<OpenPlace[]> {
  const isUsable = await usableBy(open, caller);
  const kinds = KINDS.filter(({ tool }) => isUsable(tool));
  const ofTab = kinds.filter(({ of }) => of === 'tab');
  const ofSession = kinds.filter(({ of }) => of === 'session');
  return (await open.sessions()).flatMap(known => {
    const session = nameFor(known, caller);
    const tabs = [...known.context.tabs.values()];
    if (session === undefined || tabs.length === 0) return [];
    return [
      ...tabs.flatMap(({ id: tabId, url }) => ofTab.map(kind => ({ kind, session, tabId, url }))),
      ...ofSession.map(kind => ({ kind, session, url: '' })),
    ];
  });
}

export async function isOpen(open: Open, { kind, session, tabId }: Place, caller: Caller): Promise<boolean> {
  const known = (await open.sessions()).find(one => nameFor(one, caller) === session);
  return known !== undefined && open.offered.has(kind.tool) && (tabId === undefined || known.context.tabs.has(tabId));
}

/** To ask for it is a call, which is refused and recorded. */
export async function isOfAnother(open: Open, { session }: Place, caller: Caller): Promise<boolean> {
  return (await open.sessions()).some(one => one.name === session && nameFor(one, caller) === undefined);
}
