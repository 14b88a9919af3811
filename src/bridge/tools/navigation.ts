// Where the session is: history, sessions, the browser behind them, headers.
import { z } from 'zod';
import { headers } from '../argument-kinds.ts';
import { type BridgeTool, DESTROYS, MOVES, READS, toolsOf } from './tool.ts';

const navigation = toolsOf('navigation');
const sessions = toolsOf('sessions');

export const NAVIGATION: readonly BridgeTool[] = [
  navigation({ name: 'back', summary: 'Go back in history.', hints: MOVES, input: {} }),
  navigation({ name: 'forward', summary: 'Go forward in history.', hints: MOVES, input: {} }),
  navigation({ name: 'reload', summary: 'Load the page again.', hints: MOVES, input: {} }),
  navigation({
    name: 'close',
    core: true,
    summary: 'Close the browser of the session.',
    hints: DESTROYS,
    input: {},
  }),
  sessions({
    name: 'session',
    summary: 'Name of the session that calls use.',
    hints: READS,
    free: true,
    input: {},
  }),
  sessions({
    name: 'session_list',
    summary: 'List the sessions that have a browser.',
    hints: READS,
    free: true,
    input: {},
  }),
  sessions({
    name: 'connect',
    summary: 'Attach the session to a running Chrome by its debugging port; later calls need no cdp_port.',
    hints: MOVES,
    input: { cdp_port: z.int().min(1).max(65_535) },
  }),
  sessions({
    name: 'set_headers',
    summary: 'Send these headers with every request of the session, to all domains.',
    hints: MOVES,
    input: { headers },
    words: ({ headers }) => [JSON.stringify(headers)],
  }),
];
