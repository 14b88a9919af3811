// Runs another program within bounds: its time and its output, and whatever it started ends with it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ProgramBounds {
  ms: number;
  signal?: AbortSignal;
  env?: NodeJS.ProcessEnv;
  /** How long it may take to end itself when it is told to, in ms, before it is killed. */
  grace?: number;
  /** Hears each line of its output. */
  line?: (text: string) => void;
  /** Gives it a fourth stream, and hears each line of that: how apt tells its progress. */
  status?: (text: string) => void;
  /** It has the terminal, and may ask questions there. */
  terminal?: boolean;
}

export interface ProgramResult {
  ok: boolean;
  /** The end of what it wrote, both streams together. */
  output: string;
  /** Why it is not ok, in words. */
  problem: string;
  /** The error of the system, when it could not be started: ENOENT, EACCES… */
  unstarted?: string;
}

const MOST_OUTPUT = 64_000;

/** A stream may stay open after its program ended, in the hands of a child; nobody waits for that longer than this. */
const DRAIN_MS = 500;

/** Never rejects. */
export async function runProgram(
  command: string,
  args: readonly string[],
  bounds: ProgramBounds,
): Promise<ProgramResult> {
  const { terminal = false, status } = bounds;
  // A group of its own, so that its children end with it; but who reads the terminal must stay in ours.
  const grouped = !terminal && process.platform !== 'win32';
  const child = spawn(command, args, {
    env: bounds.env ?? process.env,
    detached: grouped,
    windowsHide: true,
    stdio: [...(terminal ? INHERITED : CAUGHT), status ? 'pipe' : 'ignore'],
  });
  const output = listen(child, bounds);
  const stopped = stopInTime(child, grouped, bounds);
  const end = await endOf(child);
  const problem = stopped() || end.problem;
  return { ...end, ok: problem === '', problem, output: output() };
}

const INHERITED = ['inherit', 'inherit', 'inherit'] as const;
const CAUGHT = ['ignore', 'pipe', 'pipe'] as const;

/** Gives what has been heard until then. */
function listen(child: ChildProcess, { line, status }: ProgramBounds): () => string {
  let output = '';
  const hear = (text: string) => {
    output = `${output}${text}\n`.slice(-MOST_OUTPUT);
    line?.(text);
  };
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', hear);
  if (status) createInterface({ input: child.stdio[3] as Readable }).on('line', status);
  return () => output.trim();
}

/** Ends it when its time is over or the signal aborts. The returned function is for its end, and says why it was stopped. */
function stopInTime(child: ChildProcess, grouped: boolean, { ms, signal, grace = 0 }: ProgramBounds): () => string {
  let why = '';
  let killer: NodeJS.Timeout | undefined;
  const stop = (reason: string) => {
    why ||= reason;
    if (grace > 0) kill(child, grouped, 'SIGTERM');
    killer ??= setTimeout(() => kill(child, grouped, 'SIGKILL'), grace);
  };
  const timer = setTimeout(() => stop(`it did not end within ${Math.ceil(ms / 1000)} s`), ms);
  const abort = () => stop('it was interrupted');
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  return () => {
    clearTimeout(timer);
    clearTimeout(killer);
    signal?.removeEventListener('abort', abort);
    return why;
  };
}

function endOf(child: ChildProcess): Promise<Pick<ProgramResult, 'problem' | 'unstarted'>> {
  return new Promise(resolve => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ problem: error.message, unstarted: error.code ?? error.message }),
    );
    child.once('exit', (code, signal) => {
      const problem = code === 0 ? '' : signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
      const drained = setTimeout(() => resolve({ problem }), DRAIN_MS);
      child.once('close', () => {
        clearTimeout(drained);
        resolve({ problem });
      });
    });
  });
}

function kill(child: ChildProcess, grouped: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (grouped) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch (error) {
    // It ended by itself just before.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
