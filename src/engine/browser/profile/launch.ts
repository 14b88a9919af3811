// Starts the browser of a profile with a keeper, a process of its own: both outlive this one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import type { Log } from '../../../config/log.ts';
import type { Options } from '../../../config/options.ts';
import { Failure } from '../../../errors.ts';
import { type Limits, under } from '../../limits.ts';
import { ownProgram } from '../../own-program.ts';
import { notStarted } from '../browser.ts';
import { findBrowser } from '../find-browser.ts';
import { saysInUse } from '../profile-lock.ts';
import { environmentOf, type ProfileStart, switchesOf } from './command.ts';
import type { KeeperMessage } from './keeper/keeper.ts';
import { setPageSize } from './page-size.ts';
import { type ProcessIdentity, signalGroup, startTimeOf } from './process-identity.ts';

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
  /** Notes the browser down for other servers: as soon as it runs, and again with its address. */
  record(one: ProcessIdentity & { url?: string }): Promise<void>;
}

/** Settles when the browser accepts CDP connections; a browser that does not is killed. */
export async function launchBrowser(
  { start, options, log, stderrFile, record }: ProfileLaunch,
  limits: Limits,
): Promise<void> {
  const path = findBrowser(options);
  const sandbox = !options.noSandbox && process.getuid?.() !== 0;
  await mkdir(start.folder, { recursive: true, mode: 0o700 }).catch(cause => {
    throw new Failure('file_error', `The folder ${start.folder} cannot be made: ${cause.code}.`, undefined, { cause });
  });
  log.info(`starting ${path} for a profile${sandbox ? '' : ', without its sandbox'}`);
  const keeper = new Keeper([path, ...switchesOf(start, sandbox)], environmentOf(start, process.env), stderrFile);
  try {
    const pid = await keeper.told('pid', limits);
    const one = { pid, began: (await startTimeOf(pid)) ?? '' };
    await record(one);
    const url = await keeper.told('url', limits);
    if (start.headless && !start.args.some(isWindowSize)) await setPageSize(url, options.viewport, limits);
    await record({ ...one, url });
    await keeper.release();
  } catch (error) {
    keeper.kill();
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

interface Told {
  pid?: number;
  url?: string;
}

/** The process that holds the pipe to the browser. Until it is released, it ends with this process. */
class Keeper {
  readonly #child;
  readonly #told: Told = {};
  /** Rejects when it ends. */
  readonly #ended: Promise<never>;

  /** In a process group of its own; this process does not wait for its end. */
  constructor(command: string[], env: NodeJS.ProcessEnv, stderrFile: string) {
    const program = ownProgram('./browser/profile/keeper/keeper.ts');
    const stderr = openSync(stderrFile, TRUNCATED, 0o600);
    try {
      this.#child = spawn(process.execPath, [...program, ...command], {
        detached: true,
        stdio: ['ignore', 'ignore', stderr, 'ipc'],
        env,
        windowsHide: true,
      });
    } finally {
      closeSync(stderr);
    }
    const child = this.#child;
    child.unref();
    child.on('message', (message: KeeperMessage) => Object.assign(this.#told, message));
    this.#ended = new Promise((_resolve, reject) => {
      child.once('error', error => reject(new Ended(error.message, false)));
      child.once('exit', (code, name) => reject(new Ended(`It ended at once (${name ?? code}).`, code === 0)));
    });
    this.#ended.catch(() => undefined); // after the launch nobody waits for it
  }

  async told<K extends keyof Told>(what: K, { signal }: Limits): Promise<NonNullable<Told[K]>> {
    for (;;) {
      const value = this.#told[what];
      if (value !== undefined) return value;
      await under(signal, Promise.race([once(this.#child, 'message', { signal }), this.#ended]));
    }
  }

  async release(): Promise<void> {
    await new Promise(resolve => this.#child.send('release', resolve));
  }

  /** With the browser and all its processes. */
  kill(): void {
    this.#child.kill('SIGKILL');
    const { pid } = this.#told;
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
  }
}

/** The end of the file; '' when there is nothing to read. */
const endOf = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8').catch(() => '')).slice(-STDERR_READ).trim();
