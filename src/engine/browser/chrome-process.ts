// A launched Chrome as a child process with CDP over a pipe: Chrome ends when the pipe does, however this process ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';
import type { Log } from '../../config/log.ts';
import type { BrowserProxy } from '../egress/browser-proxy.ts';
import { MessageReader, readZeroTerminated } from './message-reader.ts';
import { signalGroup } from './profile/process-identity.ts';

/** How the names of profile folders begin. */
export const PROFILE_PREFIX = 'tabwright-chrome-';
/** How long Chrome may take to end by itself. */
const END_MS = 3_000;
/** How many characters of Chrome's error output are kept for the message when it does not start. */
const STDERR_KEPT = 4_000;

export class ChromeProcess {
  readonly transport: ConnectOverCDPTransport;
  /** Settles when Chrome has ended and its files are gone. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #stderr = '';

  /** Starts it with a profile folder that lives as long as it does. */
  static async start(path: string, args: readonly string[], log: Log, proxy?: BrowserProxy): Promise<ChromeProcess> {
    const profile = await mkdtemp(join(tmpdir(), PROFILE_PREFIX));
    await proxy?.prepare(profile);
    return new ChromeProcess(path, [...args, `--user-data-dir=${profile}`], profile, log, proxy);
  }

  private constructor(path: string, args: string[], profile: string, log: Log, proxy: BrowserProxy | undefined) {
    this.#child = spawn(path, [...args, '--remote-debugging-pipe', '--no-startup-window'], {
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
    this.transport = this.#connect(proxy);
    const kill = () => this.#kill();
    process.once('exit', kill);
    this.ended = once(this.#child, 'exit')
      .catch(() => undefined) // it could not even be started; stderr says why
      .then(() => process.off('exit', kill))
      .then(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
      .catch(error => log.warn(`the profile of a browser that ended stays: ${error.message}`));
  }

  /** The end of Chrome's error output. */
  get stderr(): string {
    return this.#stderr.trim();
  }

  /** Asks it to end, and ends it when it does not. */
  async close(): Promise<void> {
    (this.#child.stdio[3] as Writable).end();
    const late = setTimeout(() => this.#kill(), END_MS);
    await this.ended.finally(() => clearTimeout(late));
  }

  /** With all processes of its group: a helper of Chrome must not outlive it. */
  #kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) signalGroup(pid, 'SIGKILL');
  }

  /** Messages are JSON with a zero byte behind each. */
  #connect(proxy: BrowserProxy | undefined): ConnectOverCDPTransport {
    const input = this.#child.stdio[3] as Writable;
    const output = this.#child.stdio[4] as Readable;
    const transport: ConnectOverCDPTransport = {
      send(message) {
        proxy?.amend(message);
        input.write(`${JSON.stringify(message)}\0`);
      },
      close: () => void input.end(),
    };
    // A pipe that breaks is the end of Chrome, which the close event below reports.
    input.on('error', () => undefined);
    output.on('error', () => undefined);
    output.once('close', () => transport.onclose?.());
    const reader = new MessageReader(message => transport.onmessage?.(message));
    output.on('data', (chunk: Buffer) => readZeroTerminated(reader, chunk));
    return transport;
  }
}
