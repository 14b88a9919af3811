// The overview: which sessions a person may see, and what happens in them now.

import { defined } from '../../../defined.ts';
import { knownTitle } from '../../../engine/actions/effects.ts';
import { tryFor, unlimited } from '../../../engine/limits.ts';
import type { Tab } from '../../../engine/tab/tab.ts';
import { redact } from '../../../policy/mask.ts';
import { showsFile } from '../../../policy/urls.ts';
import { type Caller, isOwner } from '../../../session/callers.ts';
import { displayName, profileIn } from '../../../session/names.ts';
import type { People, WaitingCall } from '../../../session/people.ts';
import type { Server } from '../../../session/server.ts';
import type { Session } from '../../../session/session.ts';
import type { TimelineEntry } from '../../../session/timeline.ts';
import type { Overview, SessionCard } from '../protocol.ts';
import { maySee, rightsOf } from './rights.ts';

/** A tab that does not answer is shown without its title. */
const TITLE_MS = 500;

interface Watcher {
  caller: Caller;
  /** Ids of leases, by the key of their session. */
  leases: ReadonlyMap<string, string>;
}

export async function overviewFor(server: Server, people: People, { caller, leases }: Watcher): Promise<Overview> {
  const mine = server.list().filter(session => maySee(caller, session) && !session.refusal);
  const rights = rightsOf(caller);
  const mayAct = rights.includes('act');
  const isSeen = ({ session, caller: of }: WaitingCall) =>
    session === undefined ? isOwner(caller.id) || of === caller.id : mine.some(({ name }) => name === session);
  const sessions = await Promise.all(mine.map(session => cardOf(server, session, mayAct, leases.get(session.name))));
  return {
    sessions: sessions.sort((a, b) => b.lastActivity - a.lastActivity),
    approvals: people.waiting.filter(isSeen).map(one => approvalRow(one, rights.includes('approve'))),
    asks: [],
  };
}

async function cardOf({ timeline }: Server, session: Session, mayAct: boolean, own?: string): Promise<SessionCard> {
  const { name, owner, shared, createdAt, lastActivity, context, lease } = session;
  const calls = timeline.of(name);
  const ended = calls.filter(({ ms }) => ms !== undefined);
  const failure = ended.at(-1)?.failure;
  const tabs = [...context.tabs.values()].filter(({ url }) => !showsFile(url));
  return {
    id: name,
    name: displayName(name),
    caller: owner,
    ...defined({ profile: profileIn(name) }),
    shared,
    mayAct,
    tabs: await Promise.all(tabs.map(tab => tabRow(tab, tab === context.active))),
    running: calls.filter(({ ms }) => ms === undefined).map(runningRow),
    since: createdAt,
    lastActivity,
    calls: ended.length,
    failures: ended.filter(one => one.failure).length,
    ...(lease.state && {
      lease: { holder: lease.state.holder, mine: lease.isHeldBy(own), since: lease.state.since },
    }),
    ...(failure && { lastError: { code: failure.code, message: failure.message } }),
  };
}

/** What it is called with stands in the question. */
const approvalRow = (
  { id, session, caller, tool, rule, question, asked, until }: WaitingCall,
  mayAnswer: boolean,
): Overview['approvals'][number] => ({
  id,
  ...defined({ session }),
  caller,
  tool,
  args: null,
  rule,
  question,
  asked,
  until,
  mayAnswer,
});

const tabRow = async (tab: Tab, active: boolean): Promise<SessionCard['tabs'][number]> => ({
  id: tab.id,
  title: tab.gone ? '' : ((await tryFor(unlimited(), TITLE_MS, limits => knownTitle(tab, limits))) ?? ''),
  url: redact(tab.url),
  active,
});

const runningRow = ({ id, tool, target, began }: TimelineEntry): SessionCard['running'][number] => ({
  call: id,
  tool,
  target,
  since: began,
});
