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
import { playwright } from '../playwright.ts';
import { saysInUse } from '../profile-lock.ts';
import { environmentOf, type ProfileStart, switchesOf } from './command.ts';
import { signalGroup } from './end.ts';
import { type DebugEndpoint, forgetDebugEndpoint, readDebugEndpoint } from './port.ts';
import { type ProcessIdentity, startTimeOf } from './process-identity.ts';

const LOOK_MS = 20;
/** Whatever writes to it writes at its end, also after it was cut. */
const ANEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;
/** How much of what Chrome says is read for the message when it does not start. */
const WORDS = 4_000;

export interface ProfileLaunch {
  start: ProfileStart;
  options: Options;
  log: Log;
  /** Takes what Chrome says: a pipe would end with this process. */
  wordsFile: string;
  /** Told as soon as it runs, before it is ready: should this process be killed now, another one knows of it. */
  begun(one: ProcessIdentity): Promise<void>;
}

/** Settles when the browser can be spoken to; when it cannot, nothing of it is left. */
export async function launchBrowser(
  { start, options, log, wordsFile, begun }: ProfileLaunch,
  limits: Limits,
): Promise<DebugEndpoint> {
  const path = findBrowser(options, () => playwright().chromium.executablePath());
  const sandbox = !options.noSandbox && process.getuid?.() !== 0;
  await mkdir(start.folder, { recursive: true, mode: 0o700 }).catch(cause => {
    throw new Failure('file_error', `The folder ${start.folder} cannot be made: ${cause.code}.`, undefined, { cause });
  });
  await forgetDebugEndpoint(start.folder);
  log.info(`starting ${path} for a profile${sandbox ? '' : ', without its sandbox'}`);
  const child = spawned(path, switchesOf(start, sandbox), environmentOf(start, process.env), wordsFile);
  try {
    const began = child.pid === undefined ? undefined : await startTimeOf(child.pid);
    if (child.pid !== undefined && began !== undefined) await begun({ pid: child.pid, began });
    return await ready(start.folder, () => child.end, limits);
  } catch (error) {
    if (child.pid !== undefined && child.end === undefined) signalGroup(child.pid, 'SIGKILL');
    if (!(error instanceof Ended)) throw error;
    const words = await wordsIn(wordsFile);
    throw error.isHandedOver || saysInUse(words) ? held(start.folder) : notStarted(path, words || error.message);
  }
}

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

/** A group of its own, whose end is noticed and waited for by nobody. */
function spawned(path: string, args: string[], env: NodeJS.ProcessEnv, wordsFile: string) {
  const words = openSync(wordsFile, ANEW, 0o600);
  try {
    const child = spawn(path, args, { detached: true, stdio: ['ignore', 'ignore', words], env, windowsHide: true });
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
    closeSync(words);
  }
}

async function ready(folder: string, end: () => Ended | undefined, { signal }: Limits): Promise<DebugEndpoint> {
  for (;;) {
    const door = await readDebugEndpoint(folder);
    if (door) return door;
    const why = end();
    if (why) throw why;
    await pause(signal, LOOK_MS);
  }
}

/** The end of it; '' when there is nothing to read. */
const wordsIn = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8').catch(() => '')).slice(-WORDS).trim();
