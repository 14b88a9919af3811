// The identity of a process: its id and its start time, because the system gives the id to another process later.
import { readdir, readFile } from 'node:fs/promises';
import { runProgram } from '../../run-program.ts';

export interface ProcessIdentity {
  pid: number;
  /** The start time, in the format of the system. */
  began: string;
}

const PS_MS = 5_000;

/** Undefined when no such process runs. A zombie does not run. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return fromProc(pid);
  // On Windows the start time is slow to get: the id alone must do, and the debugging port of the browser says more.
  if (process.platform === 'win32') return canBeSignalled(pid) ? 'alive' : undefined;
  return fromPs(pid);
}

/** Also a process of another user. */
export async function isRunning(pid: number): Promise<boolean> {
  const found = signalled(pid);
  // The start time of another user's process may be hidden.
  return found === 'of another user' || (found === 'ours' && (await startTimeOf(pid)) !== undefined);
}

export const isSameProcess = async ({ pid, began }: ProcessIdentity): Promise<boolean> =>
  (await startTimeOf(pid)) === began;

/** Whether any process of the group runs that this process led, itself included. */
export async function isGroupAlive(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false; // there are no groups
  if (process.platform !== 'linux') return canBeSignalled(-pid);
  // A zombie stays in its group until its parent has waited for it, which in a container may take long.
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const all = await Promise.all(pids.map(statOf));
  return all.some(stat => stat?.group === pid);
}

/** With the id of the boot: start times count from it. */
async function fromProc(pid: number): Promise<string | undefined> {
  const stat = await statOf(pid);
  if (!stat) return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''); // hidden in some containers
  return `${boot.trim()}/${stat.began}`;
}

/** Undefined when it has ended. */
async function statOf(pid: number | string): Promise<{ group: number; began: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // there is none
  // The name of the program stands in brackets, and may hold any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', , group] = fields;
  return /^[^ZXx]/.test(state) ? { group: Number(group), began: fields[19] ?? '' } : undefined;
}

async function fromPs(pid: number): Promise<string | undefined> {
  const { ok, output } = await runProgram('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    ms: PS_MS,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  const [, state, time] = /^\s*(\S+)\s+(.+)$/.exec(output) ?? [];
  return ok && state && !state.startsWith('Z') ? time : undefined;
}

/** Signals the group that the process was started to lead. False when there is none. */
export const signalGroup = (pid: number, name: NodeJS.Signals): boolean =>
  signalProcess(process.platform === 'win32' ? pid : -pid, name);

/** False when there is none. */
export function signalProcess(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export function canBeSignalled(pid: number): boolean {
  return signalled(pid) !== 'none';
}

function signalled(pid: number): 'ours' | 'of another user' | 'none' {
  try {
    process.kill(pid, 0);
    return 'ours';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'of another user' : 'none';
  }
}
