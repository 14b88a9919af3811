// Starts the browser of a profile: a process of its own, which outlives this one.
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import type { Log } from '../../../config/log.ts';
import type { Options } from '../../../config/options.ts';
import { Failure } from '../../../errors.ts';
import { type Limits, pause } from '../../limits.ts';
import { notStarted } from '../browser.ts';
import { findBrowser } from '../find-browser.ts';
import { saysInUse } from '../profile-lock.ts';
import { environmentOf, type ProfileStart, switchesOf } from './command.ts';
import { setPageSize } from './page-size.ts';
import { type DebugEndpoint, freeDebugPort, readDebugEndpoint } from './port.ts';
import { type ProcessIdentity, signalGroup, startTimeOf } from './process-identity.ts';

const LOOK_MS = 20;
/** Emptied when it is opened; Chrome appends to it, also after it was truncated. */
const TRUNCATED = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;
/** How many characters of Chrome's error output are read for the message when it does not start. */
const STDERR_READ = 4_000;

export interface ProfileLaunch {
  start: ProfileStart;
  options: Options;
  log: Log;
  /** Takes Chrome's error output: a pipe would end with this process. */
  stderrFile: string;
  /** Called as soon as the browser runs, before it is ready: should this process be killed now, another server finds the browser. */
  begun(one: ProcessIdentity): Promise<void>;
}

/** Settles when the browser accepts CDP connections; a browser that does not is killed. */
export async function launchBrowser(
  { start, options, log, stderrFile, begun }: ProfileLaunch,
  limits: Limits,
): Promise<DebugEndpoint> {
  const path = findBrowser(options);
  const sandbox = !options.noSandbox && process.getuid?.() !== 0;
  await mkdir(start.folder, { recursive: true, mode: 0o700 }).catch(cause => {
    throw new Failure('file_error', `The folder ${start.folder} cannot be made: ${cause.code}.`, undefined, { cause });
  });
  log.info(`starting ${path} for a profile${sandbox ? '' : ', without its sandbox'}`);
  const args = switchesOf(start, await freeDebugPort(), sandbox);
  const child = spawned(path, args, environmentOf(start, process.env), stderrFile);
  try {
    const began = child.pid === undefined ? undefined : await startTimeOf(child.pid);
    if (child.pid !== undefined && began !== undefined) await begun({ pid: child.pid, began });
    const endpoint = await ready(stderrFile, () => child.end, limits);
    if (start.headless && !start.args.some(isWindowSize)) await setPageSize(endpoint.url, options.viewport, limits);
    return endpoint;
  } catch (error) {
    if (child.pid !== undefined && child.end === undefined) signalGroup(child.pid, 'SIGKILL');
    if (!(error instanceof Ended)) throw error;
    const stderr = await endOf(stderrFile);
    throw error.isHandedOver || saysInUse(stderr) ? held(start.folder) : notStarted(path, stderr || error.message);
  }
}

const isWindowSize = (arg: string): boolean => /^--(?:window-size|start-maximized|kiosk)\b/.test(arg);

/** It ended before it was ready; all being well when another browser that holds the folder was asked to open a window. */
class Ended extends Error {
  constructor(
    message: string,
    readonly isHandedOver: boolean,
  ) {
    super(message);
  }
}

const held = (folder: string): Failure =>
  new Failure('profile_taken', `The folder ${folder} is in use by another browser.`, 'End that browser first.');

/** In a process group of its own; this process does not wait for its end. */
function spawned(path: string, args: string[], env: NodeJS.ProcessEnv, stderrFile: string) {
  const stderr = openSync(stderrFile, TRUNCATED, 0o600);
  try {
    const child = spawn(path, args, { detached: true, stdio: ['ignore', 'ignore', stderr], env, windowsHide: true });
    const started: { pid: number | undefined; end?: Ended } = { pid: child.pid };
    child.once('error', error => {
      started.end = new Ended(error.message, false);
    });
    child.once('exit', (code, name) => {
      started.end = new Ended(`It ended at once (${name ?? code}).`, code === 0);
    });
    child.unref();
    return started;
  } finally {
    closeSync(stderr);
  }
}

async function ready(stderrFile: string, end: () => Ended | undefined, { signal }: Limits): Promise<DebugEndpoint> {
  for (;;) {
    const endpoint = await readDebugEndpoint(stderrFile);
    if (endpoint) return endpoint;
    const why = end();
    if (why) throw why;
    await pause(signal, LOOK_MS);
  }
}

/** The end of the file; '' when there is nothing to read. */
const endOf = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8').catch(() => '')).slice(-STDERR_READ).trim();
