// Where the session is: history, sessions, the browser behind them, headers.
import { z } from 'zod';
import { headers } from '../argument-kinds.ts';
import { type BridgeTool, bridgeTool, DESTROYS, MOVES, READS } from './tool.ts';

/** One command without words of its own. */
const bare = (command: 'back' | 'forward' | 'reload', summary: string) =>
  bridgeTool({
    name: `agent_browser_${command}`,
    group: 'navigation',
    summary,
    hints: MOVES,
    input: {},
    argv: () => [command],
  });

const close = bridgeTool({
  name: 'agent_browser_close',
  group: 'navigation',
  core: true,
  summary: 'Close the browser of the session.',
  hints: DESTROYS,
  input: {},
  argv: () => ['close'],
});

const session = bridgeTool({
  name: 'agent_browser_session',
  group: 'sessions',
  summary: 'Name of the session that calls use.',
  hints: READS,
  free: true,
  input: {},
  argv: () => ['session'],
});

const sessionList = bridgeTool({
  name: 'agent_browser_session_list',
  group: 'sessions',
  summary: 'List the sessions that have a browser.',
  hints: READS,
  free: true,
  input: {},
  argv: () => ['session', 'list'],
});

const connect = bridgeTool({
  name: 'agent_browser_connect',
  group: 'sessions',
  summary: 'Attach the session to a running Chrome by its debugging port; later calls need no cdp_port.',
  hints: MOVES,
  input: { cdp_port: z.int().min(1).max(65_535) },
  argv: ({ cdp_port }) => ['connect', String(cdp_port)],
});

const setHeaders = bridgeTool({
  name: 'agent_browser_set_headers',
  group: 'sessions',
  summary: 'Send these headers with every request of the session, to all domains.',
  hints: MOVES,
  input: { headers },
  argv: ({ headers }) => ['set', 'headers', JSON.stringify(headers)],
});

export const NAVIGATION: readonly BridgeTool[] = [
  bare('back', 'Go back in history.'),
  bare('forward', 'Go forward in history.'),
  bare('reload', 'Load the page again.'),
  close,
  session,
  sessionList,
  connect,
  setHeaders,
];
