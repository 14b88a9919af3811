// What a caller does with sessions as such: makes, shares, lists and closes them.
import { setTimeout } from 'node:timers/promises';
import type { Limits } from '../engine/limits.ts';
import { seenTabs } from '../engine/tab/list-tabs.ts';
import { Failure, refusedBy } from '../errors.ts';
import { phrase, toolName } from '../text.ts';
import { type Caller, isSameCaller } from './callers.ts';
import { displayName, isDefault, isOwn, profileIn } from './names.ts';
import type { SavedSessionInfo } from './saved/directory.ts';
import type { Server } from './server.ts';
import type { Session } from './session.ts';
import { accessDenied, beingClosed, type Sessions } from './sessions.ts';

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
  /** False for a session that is only saved, and opened when it is next used. */
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
  /** The session was there before, open or saved. */
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
  const sessionState = session.context.kind.sessionState;
  const waiting = sessionState?.isPending ? (sessionState.state?.tabs.length ?? 0) : 0;
  return {
    name: server.sessions.nameFor(session.name, caller),
    shared: session.shared,
    reused: known.includes(session) || sessionState?.isPending === true,
    waiting,
  };
}

/** Before anything is made. */
function checkSharing({ options, sessions }: Server, caller: Caller, name: string | undefined): void {
  const key = name === undefined ? '' : sessions.keyOf(name, caller);
  if (isDefault(key))
    throw new Failure('bad_input', 'The default session is yours alone.', 'Share one that has a name of its own.');
  if (!options.sessionSharing && !sessions.isShared({ name: key, shared: false }))
    throw notShareable('Sessions are not shared here', '--no-session-sharing');
}

function share({ sessions }: Server, session: Session, caller: Caller, shared: boolean): void {
  const { name, owner } = session;
  if (session.shared === shared) return;
  const shown = sessions.nameFor(name, caller);
  if (!isSameCaller(owner, caller.id)) throw accessDenied(shown, 'Only the caller who made it may stop sharing it.');
  if (sessions.isShared({ name, shared: false }))
    throw notShareable(`Session ${shown} is shared with all`, '--shared-sessions');
  session.shared = shared;
  session.saver?.schedule();
}

/** The caller's own sessions and shared ones: open ones, then saved ones, then those of profiles that no call has used yet. */
export async function listSessions(
  { sessions, profiles }: Server,
  caller: Caller,
  limits: Limits,
): Promise<SessionInfo[]> {
  const mayUse = (one: { name: string; owner: string; shared: boolean }) => isOwn(one, caller) || one.shared;
  const open = sessions.list().filter(session => mayUse(session) && !session.refusal);
  const saved = (await sessions.listSaved()).map(row => ({ ...row, shared: sessions.isShared(row) }));
  return [
    ...(await Promise.all(open.map(session => openRow(session, sessions, caller, limits)))),
    ...[...saved, ...(await profiles.waiting())].filter(mayUse).map(row => savedRow(row, sessions, caller)),
  ];
}

async function openRow(session: Session, sessions: Sessions, caller: Caller, limits: Limits): Promise<SessionInfo> {
  const end = sessions.endOf(session);
  const { context } = session;
  const { sessionState } = context.kind;
  const tabs = sessionState?.isPending ? (sessionState.state?.tabs ?? []).map(tabRow) : await seenTabs(context, limits);
  return {
    ...factsOf(session, sessions, caller),
    open: true,
    ...(end !== undefined && { idleEnd: iso(end) }),
    tabs: tabs.map(({ tabId, url, title, active }) => ({ tabId, url, title, active })),
  };
}

const savedRow = (row: SavedSessionInfo, sessions: Sessions, caller: Caller): SessionInfo => ({
  ...factsOf(row, sessions, caller),
  open: false,
  tabs: row.tabs.map(tabRow),
});

const factsOf = (one: Omit<SavedSessionInfo, 'tabs'>, sessions: Sessions, caller: Caller) => ({
  name: sessions.nameFor(one.name, caller),
  own: isSameCaller(one.owner, caller.id),
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

/** Closes them and deletes what was saved; gives their names. */
export async function closeSessions(server: Server, caller: Caller, request: CloseRequest): Promise<string[]> {
  if (request.session !== undefined) return [await closeNamed(server, caller, request.session, request.graceful)];
  const own = server
    .list()
    .filter(session => isOwn(session, caller) && !session.refusal && !session.context.isBorrowed);
  await Promise.all(own.map(session => closeOpen(server.sessions, session, request.graceful)));
  return own.map(({ name }) => displayName(name));
}

async function closeNamed(server: Server, caller: Caller, name: string, graceful: boolean): Promise<string> {
  const { sessions, directory } = server;
  const key = sessions.keyOf(name, caller);
  const profile = profileIn(key);
  if (profile !== undefined) throw profileSessionStays(profile);
  await sessions.idleEnd(key);
  const open = server.list().find(session => session.name === key);
  const one = open ?? (await sessions.readSaved(key));
  if (!one) throw sessions.missing(key, caller);
  if (!isSameCaller(one.owner, caller.id))
    throw accessDenied(sessions.nameFor(key, caller), 'Only the caller who made it may close it.');
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

const profileSessionStays = (profile: string): Failure =>
  refusedBy(
    'the browser of a profile goes on',
    `The session of profile ${profile} is that of its browser, which goes on.`,
    phrase`End the browser with ${toolName('profile')} kill.`,
  );
