// Runs another program without a shell, within bounds of time and output; whatever it started ends with it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Why a program was killed: its time was over, the call was cancelled, or it wrote too much. */
export type KillReason = 'timeout' | 'cancelled' | 'flood';

export interface ProgramOptions {
  ms: number;
  signal?: AbortSignal | undefined;
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  /** What the program reads from stdin; stdin is empty otherwise. */
  stdin?: string | undefined;
  /** How long the program may take to end on SIGTERM, in ms, before it is killed. */
  grace?: number;
  /** Most bytes that the program may write; past them it is killed. */
  mostBytes?: number;
  /** Receives stdout and stderr as they come; without it the result has the end of both. */
  chunk?: (bytes: Buffer, stream: 'stdout' | 'stderr') => void;
  /** Receives each line of stdout and stderr. */
  line?: (text: string) => void;
  /** Opens a fourth stream and receives each line of it: how apt reports its progress. */
  status?: (text: string) => void;
}

/** How a program ended. */
interface ProgramExit {
  exitCode: number | null;
  signal: string | null;
  /** Why the system could not start the program: ENOENT, EACCES… */
  startError?: NodeJS.ErrnoException;
}

export interface ProgramResult extends ProgramExit {
  ok: boolean;
  killed?: KillReason;
  /** The end of stdout and stderr together. */
  output: string;
  /** Why it is not ok, in words. */
  problem: string;
}

const MOST_OUTPUT = 64_000;

/** How long a pipe may stay silent after the program has ended: a daemon that it left behind may hold the pipe for ever. */
const SILENCE_MS = 200;

/** How long a killed program may take to be gone. */
const KILL_MS = 5_000;

/** Never rejects. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  // Some errors of a start are thrown, the others come as an event.
  return new Promise<ProgramResult>(resolve => new Run(command, args, options, resolve)).catch(startError => ({
    ...NOT_STARTED,
    problem: startError.message,
    startError,
  }));
}

const NOT_STARTED = { ok: false, exitCode: null, signal: null, output: '' };

class Run {
  readonly #child: ChildProcess;
  readonly #options: ProgramOptions;
  readonly #resolve: (result: ProgramResult) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #bytes = 0;
  #output = '';
  #killed: KillReason | undefined;

  constructor(
    command: string,
    args: readonly string[],
    options: ProgramOptions,
    resolve: (result: ProgramResult) => void,
  ) {
    const { env = process.env, cwd, stdin, status } = options;
    this.#options = options;
    this.#resolve = resolve;
    this.#child = spawn(command, args, {
      env,
      cwd,
      windowsHide: true,
      // A group of its own, so that all of it can be killed at once.
      detached: process.platform !== 'win32',
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', status ? 'pipe' : 'ignore'],
    });
    this.#listen();
    // A program that does not read its input is no fault.
    this.#child.stdin?.on('error', () => undefined).end(stdin);
  }

  #listen(): void {
    const { ms, signal, status } = this.#options;
    const child = this.#child;
    this.#read(child.stdout, 'stdout');
    this.#read(child.stderr, 'stderr');
    if (status) createInterface({ input: child.stdio[3] as Readable }).on('line', status);
    child.once('error', startError => this.#end({ exitCode: null, signal: null, startError }));
    child.once('exit', (exitCode, killedBy) => {
      child.once('close', () => this.#end({ exitCode, signal: killedBy }));
      this.#drain({ exitCode, signal: killedBy });
    });
    this.#after(ms, () => this.#stop('timeout'));
    signal?.addEventListener('abort', this.#cancel, { once: true });
    if (signal?.aborted) this.#cancel();
  }

  #read(input: Readable | null, stream: 'stdout' | 'stderr'): void {
    const { chunk, line, mostBytes = Number.POSITIVE_INFINITY } = this.#options;
    input?.on('data', (bytes: Buffer) => {
      this.#bytes += bytes.length;
      if (this.#bytes > mostBytes) this.#stop('flood');
      else chunk?.(bytes, stream);
    });
    if (!input || chunk) return;
    createInterface({ input }).on('line', text => {
      this.#output = `${this.#output}${text}\n`.slice(-MOST_OUTPUT);
      line?.(text);
    });
  }

  readonly #cancel = (): void => this.#stop('cancelled');

  #stop(why: KillReason): void {
    if (this.#killed) return;
    this.#killed = why;
    const { grace = 0 } = this.#options;
    const kill = () => {
      killTree(this.#child, 'SIGKILL');
      this.#after(KILL_MS, () => this.#end({ exitCode: null, signal: 'SIGKILL' }));
    };
    if (grace > 0) {
      killTree(this.#child, 'SIGTERM');
      this.#after(grace, kill);
    } else kill();
  }

  /** What the program wrote before its end is still in the pipes. */
  #drain(exit: ProgramExit): void {
    const before = this.#bytes;
    this.#after(SILENCE_MS, () => {
      // A timer may come before the data that has long been waiting; what follows the next look at the pipes does not.
      setImmediate(() => (this.#bytes === before ? this.#end(exit) : this.#drain(exit)));
    });
  }

  #after(ms: number, run: () => void): void {
    this.#timers.add(setTimeout(run, ms));
  }

  #end(exit: ProgramExit): void {
    const { signal, ms } = this.#options;
    for (const timer of this.#timers) clearTimeout(timer);
    signal?.removeEventListener('abort', this.#cancel);
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.destroy();
    const problem = this.#killed ? PROBLEMS[this.#killed](ms) : problemOf(exit);
    const killed = this.#killed && { killed: this.#killed };
    this.#resolve({ ...exit, ...killed, ok: problem === '', problem, output: this.#output.trim() });
  }
}

const PROBLEMS: Record<KillReason, (ms: number) => string> = {
  timeout: ms => `it did not end within ${Math.ceil(ms / 1000)} s`,
  cancelled: () => 'it was interrupted',
  flood: () => 'it wrote too much',
};

function problemOf({ exitCode, signal, startError }: ProgramExit): string {
  if (startError) return startError.message;
  if (exitCode === 0) return '';
  return signal ? `it was ended by ${signal}` : `it ended with code ${exitCode}`;
}

function killTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(child.pid), '/T', '/F'], () => undefined);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has just ended, or is not ours to end: then at least the program itself.
    child.kill(signal);
  }
}
