// The daemon of a session. Old versions of the CLI wait five seconds for the one that they start, and then give up on it although it
// comes; asked again too early, they start a second one that takes the place of the first, with an empty browser.
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_TIMEOUT_MS } from '../constants.ts';
import type { BridgeSettings, CliRunRequest, CliRunResult } from '../types.ts';
import { sessionName } from './arguments.ts';
import { runAgentBrowser } from './run.ts';

/** Longest wait for a daemon that the CLI gave up on; the daemon may never come. */
const WAIT_MS = 20_000;

/** Time between two tries to connect to its socket. */
const RETRY_MS = 100;

/** Runs the command, and once more when all that was missing was its daemon: nothing has been done until then. */
export async function runWithDaemon(request: CliRunRequest, settings: BridgeSettings): Promise<CliRunResult> {
  const timeoutMs = request.globals?.timeout_ms ?? settings.defaults.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const ends = performance.now() + timeoutMs;
  const left = () => Math.ceil(ends - performance.now());
  const result = await runAgentBrowser(request, settings);
  const sockets = result.ok ? [] : lateSockets(result, request, settings);
  if (!(await oneListens(sockets, Math.min(left(), WAIT_MS), request.signal)) || left() <= 0) return result;
  return runAgentBrowser({ ...request, globals: { ...request.globals, timeout_ms: left() } }, settings);
}

/** Where the daemon will listen that came too late for this run; nowhere when the run failed for another reason. */
function lateSockets(
  { stdout, stderr }: CliRunResult,
  { globals = {} }: CliRunRequest,
  settings: BridgeSettings,
): string[] {
  const [late, named] = /Daemon failed to start(?: \(socket: ([^)]+)\))?/.exec(stdout + stderr) ?? [];
  if (late === undefined || settings.platform === 'win32') return [];
  return named === undefined ? usualSockets(sessionName(globals, settings) ?? 'default', settings.env) : [named];
}

/** Versions before 0.9 do not print their socket; 0.6 has it in the folder for temporary files. */
function usualSockets(session: string, env: BridgeSettings['env']): string[] {
  const { AGENT_BROWSER_SOCKET_DIR: own, XDG_RUNTIME_DIR: runtime, HOME: home, TMPDIR: temporary = tmpdir() } = env;
  const folder =
    own || (runtime && path.join(runtime, 'agent-browser')) || path.join(home ?? temporary, '.agent-browser');
  return [path.join(folder, `${session}.sock`), path.join(temporary, `agent-browser-${session}.sock`)];
}

/** Tries to connect to the sockets until one answers or the time is over. */
async function oneListens(sockets: readonly string[], ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  const ends = performance.now() + ms;
  while (sockets.length > 0 && performance.now() < ends && !signal?.aborted) {
    if ((await Promise.all(sockets.map(listens))).includes(true)) return true;
    await sleep(RETRY_MS);
  }
  return false;
}

const listens = (socket: string): Promise<boolean> =>
  new Promise(resolve => {
    const connection = connect(socket);
    connection.once('error', () => resolve(false));
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
  });
