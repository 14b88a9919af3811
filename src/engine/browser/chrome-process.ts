// A launched Chrome as a child process with CDP over a pipe: Chrome ends when the pipe does, however this process ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { PipeTransport } from '../../cdp/pipe.ts';
import type { Log } from '../../config/log.ts';
import { signalGroup } from './profile/process-identity.ts';

/** How the names of profile folders begin. */
export const PROFILE_PREFIX = 'tabwright-chrome-';
/** How long Chrome may take to end by itself. */
const END_MS = 3_000;
/** How many characters of Chrome's error output are kept for the message when it does not start. */
const STDERR_KEPT = 4_000;

export class ChromeProcess {
  readonly transport: PipeTransport;
  /** Settles when Chrome has ended and its files are gone. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #stderr = '';

  /** Starts it with a profile folder that lives as long as it does. */
  static async start(
    path: string,
    args: readonly string[],
    log: Log,
    prepare?: (folder: string) => Promise<void>,
  ): Promise<ChromeProcess> {
    const profile = await mkdtemp(join(tmpdir(), PROFILE_PREFIX));
    await prepare?.(profile);
    const remove = () => rm(profile, { recursive: true, force: true, maxRetries: 5 });
    return new ChromeProcess(path, [...args, '--no-startup-window'], profile, log, remove);
  }

  constructor(
    path: string,
    args: readonly string[],
    readonly profile: string,
    log: Log,
    /** Called when it has ended. */
    ended: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#child = spawn(path, [...args, `--user-data-dir=${profile}`, '--remote-debugging-pipe'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C in the terminal is for this process, which then ends Chrome in order.
      detached: process.platform !== 'win32',
    });
    this.#child.stderr?.on('data', chunk => {
      this.#stderr = (this.#stderr + String(chunk)).slice(-STDERR_KEPT);
    });
    this.#child.once('error', error => {
      this.#stderr += `\n${error.message}`;
    });
    this.transport = new PipeTransport(this.#child.stdio[3] as Writable, this.#child.stdio[4] as Readable);
    const kill = () => this.#kill();
    process.once('exit', kill);
    this.ended = once(this.#child, 'exit')
      .catch(() => undefined) // it could not even be started; stderr says why
      .then(() => process.off('exit', kill))
      .then(ended)
      .catch(error => log.warn(`the profile of a browser that ended stays: ${error.message}`));
  }

  get isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid !== undefined && exitCode === null && signalCode === null;
  }

  /** The end of Chrome's error output. */
  get stderr(): string {
    return this.#stderr.trim();
  }

  /** Asks it to end, and ends it when it does not. */
  async close(): Promise<void> {
    this.transport.close();
    const late = setTimeout(() => this.#kill(), END_MS);
    await this.ended.finally(() => clearTimeout(late));
  }

  /** With all processes of its group: a helper of Chrome must not outlive it. */
  #kill(): void {
    if (this.isRunning && this.#child.pid !== undefined) signalGroup(this.#child.pid, 'SIGKILL');
  }
}
