// Which process it is: an id is given to another one later, so the time when it began belongs to it.
import { readdir, readFile } from 'node:fs/promises';
import { runProgram } from '../run-program.ts';

export interface ProcessIdentity {
  pid: number;
  /** When it began, in the words of the system. */
  began: string;
}

const PS_MS = 5_000;

/** Undefined when no such process runs; one that has ended and was not yet waited for does not. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return fromProc(pid);
  // Windows tells it only slowly: there the id alone must do, and the port of the browser tells more.
  if (process.platform === 'win32') return canBeSignalled(pid) ? 'alive' : undefined;
  return fromPs(pid);
}

/** Whosever it is. */
export async function isRunning(pid: number): Promise<boolean> {
  const found = signalled(pid);
  // Of another user's process the system may tell no more.
  return found === 'of another user' || (found === 'ours' && (await startTimeOf(pid)) !== undefined);
}

export const isSameProcess = async ({ pid, began }: ProcessIdentity): Promise<boolean> =>
  (await startTimeOf(pid)) === began;

/** Any process of the group that it led, itself included. */
export async function isGroupAlive(pid: number): Promise<boolean> {
  if (process.platform === 'win32') return false; // there are no groups
  if (process.platform !== 'linux') return canBeSignalled(-pid);
  // One that has ended stays in its group until it was waited for, which in a container may take long.
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const all = await Promise.all(pids.map(statOf));
  return all.some(stat => stat?.group === pid);
}

/** With the boot it counts from: after a restart of the machine the numbers begin anew. */
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

function canBeSignalled(pid: number): boolean {
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
