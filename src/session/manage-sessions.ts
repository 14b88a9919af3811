// What a caller does with sessions as such: makes, shares, lists and closes them.
import { setTimeout } from 'node:timers/promises';
import type { Limits } from '../engine/limits.ts';
import { seenTabs } from '../engine/tab/list-tabs.ts';
import { Failure, refusedBy } from '../errors.ts';
import { phrase, toolName } from '../text.ts';
import { displayName, isDefault, keyOf, profileIn } from './names.ts';
import type { SavedSessionInfo } from './saved/directory.ts';
import type { Server } from './server.ts';
import type { Caller, Session } from './session.ts';
import { accessDenied, beingClosed, notFound, type Sessions } from './sessions.ts';

export interface SessionTab {
  tabId: number;
  url: string;
  title: string;
  active: boolean;
}

export interface SessionInfo {
  name: string;
  own: boolean;
  shared: boolean;
  /** Otherwise it is only kept, and opened when it is next used. */
  open: boolean;
  createdAt: string;
  lastActivity: string;
  /** When it ends, should no call come. */
  idleEnd?: string;
  tabs: SessionTab[];
}

/** How long calls that run may take to finish before a session is closed all the same. */
const GRACE_MS = 5_000;

export interface CreatedSession {
  name: string;
  shared: boolean;
  /** It was there before, open or kept. */
  reused: boolean;
  /** Tabs that come back at its first use. */
  waiting: number;
}

export async function createSession(
  server: Server,
  caller: Caller,
  { name, shared }: { name?: string | undefined; shared?: boolean | undefined },
): Promise<CreatedSession> {
  if (shared === true) checkSharing(server, caller, name);
  const known = server.list();
  const session = name === undefined ? server.sessions.unnamed(caller) : await server.session(name, caller);
  if (shared !== undefined) share(server, session, caller, shared);
  const keeper = session.context.kind.keeper;
  const waiting = keeper?.isPending ? (keeper.state?.tabs.length ?? 0) : 0;
  return {
    name: displayName(session.name),
    shared: session.shared,
    reused: known.includes(session) || keeper?.isPending === true,
    waiting,
  };
}

/** Before anything is made. */
function checkSharing({ options, sessions }: Server, caller: Caller, name: string | undefined): void {
  const key = name === undefined ? '' : keyOf(name, caller);
  if (isDefault(key))
    throw new Failure('bad_input', 'The default session is yours alone.', 'Share one that has a name of its own.');
  if (!options.sessionSharing && !sessions.isShared({ name: key, shared: false }))
    throw notShareable('Sessions are not shared here', '--no-session-sharing');
}

function share({ sessions }: Server, session: Session, caller: Caller, shared: boolean): void {
  const { name, owner } = session;
  if (session.shared === shared) return;
  if (owner !== caller.id) throw accessDenied(name, 'Only the caller who made it may stop sharing it.');
  if (sessions.isShared({ name, shared: false }))
    throw notShareable(`Session ${name} is shared with all`, '--shared-sessions');
  session.shared = shared;
  session.saver?.schedule();
}

/** Those of the caller and those that are shared: open ones, then kept ones, then browsers of profiles that wait for a call. */
export async function listSessions(
  { sessions, profiles }: Server,
  caller: Caller,
  limits: Limits,
): Promise<SessionInfo[]> {
  const mayUse = (one: { owner: string; shared: boolean }) => one.owner === caller.id || one.shared;
  const open = sessions.list().filter(session => mayUse(session) && !session.refusal);
  const asleep = (await sessions.listSaved()).map(row => ({ ...row, shared: sessions.isShared(row) }));
  return [
    ...(await Promise.all(open.map(session => openRow(session, sessions.endOf(session), caller, limits)))),
    ...asleep.filter(mayUse).map(row => keptRow(row, caller)),
    ...(await profiles.waiting()).map(row => keptRow(row, caller)),
  ];
}

async function openRow(
  session: Session,
  end: number | undefined,
  caller: Caller,
  limits: Limits,
): Promise<SessionInfo> {
  const { context } = session;
  const { keeper } = context.kind;
  const tabs = keeper?.isPending ? (keeper.state?.tabs ?? []).map(tabRow) : await seenTabs(context, limits);
  return {
    ...factsOf(session, caller),
    open: true,
    ...(end !== undefined && { idleEnd: iso(end) }),
    tabs: tabs.map(({ tabId, url, title, active }) => ({ tabId, url, title, active })),
  };
}

const keptRow = (row: SavedSessionInfo, caller: Caller): SessionInfo => ({
  ...factsOf(row, caller),
  open: false,
  tabs: row.tabs.map(tabRow),
});

const factsOf = (one: Omit<SavedSessionInfo, 'tabs'>, caller: Caller) => ({
  name: displayName(one.name),
  own: one.owner === caller.id,
  shared: one.shared,
  createdAt: iso(one.createdAt),
  lastActivity: iso(one.lastActivity),
});

const tabRow = ({ id, url, title, active }: SavedSessionInfo['tabs'][number]): SessionTab => ({
  tabId: id,
  url,
  title,
  active,
});

const iso = (ms: number): string => new Date(ms).toISOString();

export interface CloseRequest {
  session?: string | undefined;
  all?: boolean | undefined;
  /** Running calls may finish first. */
  graceful: boolean;
}

/** Closes them and forgets what was kept; gives their names. */
export async function closeSessions(server: Server, caller: Caller, wish: CloseRequest): Promise<string[]> {
  if (wish.session !== undefined) return [await closeNamed(server, caller, wish.session, wish.graceful)];
  const own = server
    .list()
    .filter(({ owner, refusal, context }) => owner === caller.id && !refusal && !context.isBorrowed);
  await Promise.all(own.map(session => closeOpen(server.sessions, session, wish.graceful)));
  return own.map(({ name }) => displayName(name));
}

async function closeNamed(server: Server, caller: Caller, name: string, graceful: boolean): Promise<string> {
  const { sessions, directory } = server;
  const key = keyOf(name, caller);
  const profile = profileIn(key);
  if (profile !== undefined) throw goesOn(profile);
  await sessions.idleEnd(key);
  const open = server.list().find(session => session.name === key);
  const one = open ?? (await sessions.readSaved(key));
  if (!one) throw notFound(key);
  if (one.owner !== caller.id) throw accessDenied(key, 'Only the caller who made it may close it.');
  if (open?.refusal) throw open.refusal;
  if (open?.context.isBorrowed) throw borrowed();
  if (open) await closeOpen(sessions, open, graceful);
  else await directory.remove(key);
  return displayName(key);
}

async function closeOpen(sessions: Sessions, session: Session, graceful: boolean): Promise<void> {
  const { name } = session;
  session.refuse(beingClosed(name));
  if (graceful) await Promise.race([session.idle(), setTimeout(GRACE_MS, undefined, { ref: false })]);
  await sessions.end(session, { forget: true, why: closedMeanwhile(name) });
}

const closedMeanwhile = (key: string): Failure =>
  new Failure(
    'cancelled',
    `Session ${displayName(key)} was closed during this call.`,
    'Nothing of it is left; use another session.',
  );

const notShareable = (why: string, rule: string): Failure =>
  refusedBy(rule, `${why}: rule "${rule}".`, 'Leave "shared" out.');

const borrowed = (): Failure =>
  refusedBy(
    'the browser keeps its own state',
    'The default session is that of the attached browser or profile: Tabwright does not close it.',
    phrase`Close its tabs with ${toolName('tab_close')}.`,
  );

const goesOn = (profile: string): Failure =>
  refusedBy(
    'the browser of a profile goes on',
    `The session of profile ${profile} is that of its browser, which goes on.`,
    phrase`End the browser with ${toolName('profile')} kill.`,
  );
