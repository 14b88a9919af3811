// Tools for sessions: browser states with tabs and logins of their own.
import { z } from 'zod';
import { ago } from '../../engine/amounts.ts';
import {
  closeSessions,
  createSession,
  listSessions,
  type SessionInfo,
  type SessionTab,
} from '../../session/manage-sessions.ts';
import { profileIn } from '../../session/names.ts';
import { counted } from '../effects-text.ts';
import { tool } from '../tool.ts';

const name = z.string().min(1).max(64);

export const session_create = tool({
  name: 'session_create',
  group: 'sessions',
  summary: 'Make or reuse a session: tabs and logins of its own. Name it in "session" of other calls.',
  on: 'server',
  effect: 'write',
  free: true,
  time: 'action',
  input: {
    name: name.optional().describe('With a name it is kept for later'),
    shared: z.boolean().optional().describe('For all callers'),
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
  name: 'session_list',
  group: 'sessions',
  summary: 'List your sessions and shared ones, with their tabs.',
  on: 'server',
  effect: 'read',
  free: true,
  time: 'action',
  input: {},
  async run(server, _input, limits) {
    return { sessions: await listSessions(server, limits.caller, limits) };
  },
  text: ({ sessions }) => (sessions.length > 0 ? sessions.map(sessionLines).join('\n') : 'No sessions.'),
});

export const session_close = tool({
  name: 'session_close',
  group: 'sessions',
  summary: 'Close a session of yours and forget its tabs and logins.',
  on: 'server',
  effect: 'write',
  free: true,
  time: 20_000,
  input: {
    session: name.optional(),
    all: z.literal(true).optional().describe('Of yours'),
    graceful: z.boolean().default(false).describe('Let running calls finish'),
  },
  oneOf: [['session', 'all']],
  async run(server, input, { caller }) {
    return { closed: await closeSessions(server, caller, input) };
  },
  text: ({ closed }) =>
    closed.length > 0 ? `Closed ${closed.join(', ')}: nothing of it is kept.` : 'No session to close.',
});
