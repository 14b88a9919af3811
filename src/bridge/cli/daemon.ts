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

/** Longest wait for a daemon that the CLI did not wait for; it may also never come. */
const WAIT_MS = 20_000;

/** Time between two looks at its socket. */
const LOOK_MS = 100;

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

/** Versions before 0.9 do not tell which socket they mean; 0.6 has it in the folder for temporary files. */
function usualSockets(session: string, env: BridgeSettings['env']): string[] {
  const { AGENT_BROWSER_SOCKET_DIR: own, XDG_RUNTIME_DIR: runtime, HOME: home, TMPDIR: temporary = tmpdir() } = env;
  const folder =
    own || (runtime && path.join(runtime, 'agent-browser')) || path.join(home ?? temporary, '.agent-browser');
  return [path.join(folder, `${session}.sock`), path.join(temporary, `agent-browser-${session}.sock`)];
}

/** Looks at them until one answers or the time is over. */
async function oneListens(sockets: readonly string[], ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  const ends = performance.now() + ms;
  while (sockets.length > 0 && performance.now() < ends && !signal?.aborted) {
    if ((await Promise.all(sockets.map(listens))).includes(true)) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

const listens = (socket: string): Promise<boolean> =>
  new Promise(resolve => {
    const line = connect(socket);
    line.once('error', () => resolve(false));
    line.once('connect', () => {
      line.destroy();
      resolve(true);
    });
  });
