// One run of a program: no shell, a deadline, and an end for the whole tree of processes that it starts.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { OUTPUT_LIMIT } from '../constants.ts';

/** Why a run was ended from here. */
export type KillReason = 'timeout' | 'cancelled' | 'flood';

export interface ChildExit {
  exitCode: number | null;
  signal: string | null;
  cut?: KillReason;
  /** It could not be started. */
  error?: NodeJS.ErrnoException;
}

export interface ChildOptions {
  bin: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  stdin?: string | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
}

/** How long a pipe may stay silent after the program has ended: a daemon that it left behind may hold the pipe for ever. */
const SILENCE_MS = 200;

/** How long a killed program may take to be gone. */
const KILL_MS = 5_000;

export function runChild(start: ChildOptions): Promise<ChildExit> {
  // Some errors of a start are thrown, the others are told by an event.
  return new Promise<ChildExit>(resolve => new Run(start, resolve)).catch((error: NodeJS.ErrnoException) => ({
    exitCode: null,
    signal: null,
    error,
  }));
}

class Run {
  readonly #child: ChildProcess;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #start: ChildOptions;
  readonly #resolve: (ended: ChildExit) => void;
  #written = 0;
  #cut: KillReason | undefined;

  constructor(start: ChildOptions, resolve: (ended: ChildExit) => void) {
    this.#start = start;
    this.#resolve = resolve;
    const { bin, args, env, cwd, stdin } = start;
    this.#child = spawn(bin, [...args], {
      shell: false,
      env,
      cwd,
      windowsHide: true,
      // A group of its own, so that all of it can be killed at once.
      detached: process.platform !== 'win32',
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.#listen();
    this.#feed(stdin);
  }

  #listen(): void {
    const { signal, timeoutMs, stdout, stderr } = this.#start;
    this.#child.once('error', (error: NodeJS.ErrnoException) => this.#end({ exitCode: null, signal: null, error }));
    this.#child.once('exit', (exitCode, killedBy) => this.#drain({ exitCode, signal: killedBy }));
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk, stdout));
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#take(chunk, stderr));
    this.#after(timeoutMs, () => this.#kill('timeout'));
    signal?.addEventListener('abort', this.#cancel, { once: true });
  }

  /** A program that does not read its input is no fault. */
  #feed(stdin: string | undefined): void {
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stdin?.end(stdin);
  }

  readonly #cancel = (): void => this.#kill('cancelled');

  #take(chunk: Buffer, keep: (chunk: Buffer) => void): void {
    this.#written += chunk.length;
    if (this.#written > OUTPUT_LIMIT) this.#kill('flood');
    else keep(chunk);
  }

  #kill(why: KillReason): void {
    if (this.#cut) return;
    this.#cut = why;
    killTree(this.#child);
    this.#after(KILL_MS, () => this.#end({ exitCode: null, signal: 'SIGKILL' }));
  }

  /** What it wrote before its end is still in the pipes. */
  #drain(ended: ChildExit): void {
    const { stdout, stderr } = this.#child;
    this.#child.once('close', () => this.#end(ended));
    let heard = 0;
    for (const stream of [stdout, stderr]) stream?.on('data', () => heard++);
    const listen = (before: number): void => {
      this.#after(SILENCE_MS, () => {
        // A timer may come before the data that has long been waiting; what follows the next look at the pipes does not.
        setImmediate(() => (heard === before ? this.#end(ended) : listen(heard)));
      });
    };
    listen(heard);
  }

  #after(ms: number, run: () => void): void {
    this.#timers.add(setTimeout(run, ms));
  }

  #end(ended: ChildExit): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#start.signal?.removeEventListener('abort', this.#cancel);
    for (const stream of [this.#child.stdout, this.#child.stderr]) (stream as Readable | null)?.destroy();
    this.#resolve({ ...ended, ...(this.#cut && { cut: this.#cut }) });
  }
}

function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(child.pid), '/T', '/F'], () => undefined);
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already, or is not ours to end: then at least the program itself.
    child.kill('SIGKILL');
  }
}
