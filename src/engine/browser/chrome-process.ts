// A Chrome of our own as a child process, spoken to through a pipe: it ends when the pipe does, however this process ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';
import type { Log } from '../../config/log.ts';

/** How the names of profile folders begin. */
export const PROFILE_PREFIX = 'tabwright-chrome-';
/** How long Chrome may take to end by itself. */
const END_MS = 3_000;
/** How much of what Chrome says on stderr is kept, for the message when it does not start. */
const WORDS_KEPT = 4_000;

/** What a browser that is held to rules needs beside its switches. */
export interface Held {
  /** Makes the folder of its profile ready. */
  prepare(profile: string): Promise<void>;
  /** Changes a message to Chrome before it is sent: for what Playwright cannot say. */
  amend(message: { method?: string; params?: unknown }): void;
}

export class ChromeProcess {
  readonly transport: ConnectOverCDPTransport;
  /** Settles when Chrome has ended and its files are gone. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #words = '';

  /** Starts it with a profile folder that lives as long as it does. */
  static async start(path: string, args: readonly string[], log: Log, held?: Held): Promise<ChromeProcess> {
    const profile = await mkdtemp(join(tmpdir(), PROFILE_PREFIX));
    await held?.prepare(profile);
    return new ChromeProcess(path, [...args, `--user-data-dir=${profile}`], profile, log, held);
  }

  private constructor(path: string, args: string[], profile: string, log: Log, held: Held | undefined) {
    this.#child = spawn(path, [...args, '--remote-debugging-pipe', '--no-startup-window'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C in the terminal is for this process, which then ends Chrome in order.
      detached: process.platform !== 'win32',
    });
    this.#child.stderr?.on('data', chunk => {
      this.#words = (this.#words + String(chunk)).slice(-WORDS_KEPT);
    });
    this.#child.once('error', error => {
      this.#words += `\n${error.message}`;
    });
    this.transport = this.#speak(held);
    const kill = () => this.#kill();
    process.once('exit', kill);
    this.ended = once(this.#child, 'exit')
      .catch(() => undefined) // it could not even be started; its words tell why
      .then(() => process.off('exit', kill))
      .then(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
      .catch(error => log.warn(`the profile of a browser that ended stays: ${error.message}`));
  }

  /** What Chrome said last. */
  get words(): string {
    return this.#words.trim();
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
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      if (process.platform === 'win32') this.#child.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // It has just ended by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Messages are JSON with a zero byte behind each. */
  #speak(held: Held | undefined): ConnectOverCDPTransport {
    const input = this.#child.stdio[3] as Writable;
    const output = this.#child.stdio[4] as Readable;
    const transport: ConnectOverCDPTransport = {
      send(message) {
        held?.amend(message);
        input.write(`${JSON.stringify(message)}\0`);
      },
      close: () => void input.end(),
    };
    // A pipe that breaks is the end of Chrome, which the event below tells.
    input.on('error', () => undefined);
    output.on('error', () => undefined);
    output.once('close', () => transport.onclose?.());
    let parts: Buffer[] = [];
    output.on('data', (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
        const text = Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8');
        parts = [];
        start = end + 1;
        // Each in a turn of its own, as Playwright expects: what one message started must not see the next one too early.
        setImmediate(() => transport.onmessage?.(JSON.parse(text)));
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
    });
    return transport;
  }
}
