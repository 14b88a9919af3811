// Tools for sessions: browser states with tabs and logins of their own.
import { z } from 'zod';
import { ago, counted } from '../../engine/amounts.ts';
import {
  closeSessions,
  createSession,
  listSessions,
  type SessionInfo,
  type SessionTab,
} from '../../session/manage-sessions.ts';
import { profileIn } from '../../session/names.ts';
import { about, off } from '../arguments.ts';
import { tool } from '../tool.ts';
import { marked } from '../touches.ts';

/** NAME@CALLER is a shared one of another caller. */
const name = marked(z.string().min(1).max(129), 'session');

export const session_create = tool({
  summary: 'Make or reuse a session: tabs and logins of its own. Name it in "session" of other calls.',
  on: 'server',
  effect: 'write',
  free: true,
  input: {
    name: name.optional().describe('With a name it is kept for later'),
    shared: about('All callers may use it', z.boolean().optional(), 'For all callers'),
  },
  run: (server, input, { caller }) => createSession(server, caller, input),
  text({ name: made, shared, reused, waiting }) {
    const tabs =
      waiting > 0 ? `; ${counted(waiting, 'tab')} of it ${waiting === 1 ? 'comes' : 'come'} back at its first use` : '';
    return `${reused ? 'Using' : 'Made'} session ${made}${shared ? ', shared with all callers' : ''}${tabs}.`;
  },
});

const tabLine = ({ tabId, url, title, active }: SessionTab): string =>
  `  ${active ? '*' : '-'} ${tabId}: ${url.slice(0, 200)}${title ? ` ${JSON.stringify(title)}` : ''}`;

function sessionLines({ name: session, own, shared, open, lastActivity, idleEnd, tabs }: SessionInfo): string {
  const isProfile = profileIn(session) !== undefined;
  const marks = [
    isProfile ? 'browser of a profile' : own ? 'yours' : "another caller's",
    ...(shared ? ['shared'] : []),
    ...(open ? [] : [isProfile ? 'not used yet' : 'not open, kept']),
  ];
  const times = [
    `last call ${ago(Date.now() - Date.parse(lastActivity))} ago`,
    ...(idleEnd === undefined ? [] : [`ends in ${ago(Date.parse(idleEnd) - Date.now())} without a call`]),
  ];
  return [
    `${session} (${marks.join(', ')}): ${counted(tabs.length, 'tab')}, ${times.join(', ')}`,
    ...tabs.map(tabLine),
  ].join('\n');
}

export const session_list = tool({
  summary: 'List your sessions and shared ones, with their tabs.',
  on: 'server',
  effect: 'read',
  free: true,
  input: {},
  async run(server, _input, limits) {
    return { sessions: await listSessions(server, limits.caller, limits) };
  },
  text: ({ sessions }) => (sessions.length > 0 ? sessions.map(sessionLines).join('\n') : 'No sessions.'),
});

export const session_close = tool({
  summary: 'Close a session of yours and forget its tabs and logins.',
  example: ['work'],
  on: 'server',
  effect: 'write',
  free: true,
  time: 20_000,
  input: {
    session: about('Which session', name.optional()),
    all: about('All sessions of yours', z.literal(true).optional(), 'Of yours'),
    graceful: off.describe('Let running calls finish'),
  },
  oneOf: [['session', 'all']],
  async run(server, input, { caller }) {
    return { closed: await closeSessions(server, caller, input) };
  },
  text: ({ closed }) =>
    closed.length > 0 ? `Closed ${closed.join(', ')}: nothing of it is kept.` : 'No session to close.',
});
