// The check for browsers whose Tabwright is gone. It only names them: whether they may end is for a person to decide.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { PROFILE_PREFIX } from '../../../engine/browser/chrome-process.ts';
import { runProgram } from '../../../engine/run-program.ts';
import { type Check, type DoctorInput, fine, warning } from './check.ts';

export interface Process {
  pid: number;
  parent: number;
  args: string[];
}

const PROFILE_SWITCH = '--user-data-dir=';

/** The folder of its profile, when it is a browser that Tabwright started, or a part of one. */
export const profileOf = ({ args }: Process): string | undefined =>
  args
    .find(arg => arg.startsWith(PROFILE_SWITCH) && arg.includes(`${sep}${PROFILE_PREFIX}`))
    ?.slice(PROFILE_SWITCH.length);

/** Undefined where there is no simple way to list them. */
export async function listProcesses({ host, proc }: DoctorInput, signal: AbortSignal): Promise<Process[] | undefined> {
  if (host.platform === 'win32') return undefined;
  if (host.platform === 'linux')
    return readdirSync(proc)
      .filter(name => /^\d+$/.test(name))
      .flatMap(pid => fromProc(proc, pid));
  const ran = await runProgram('ps', ['-axww', '-o', 'pid=,ppid=,command='], { ms: 10_000, signal });
  return ran.output.split('\n').map(line => {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), args };
  });
}

function fromProc(proc: string, pid: string): Process[] {
  try {
    const args = readFileSync(join(proc, pid, 'cmdline'), 'utf8').split('\0');
    const parent = /^PPid:\s*(\d+)/m.exec(readFileSync(join(proc, pid, 'status'), 'utf8'))?.[1];
    return [{ pid: Number(pid), parent: Number(parent), args }];
  } catch {
    // It has just ended, or is not for this user to see.
    return [];
  }
}

const isBrowser = (process: Process): boolean =>
  profileOf(process) !== undefined && !process.args.some(arg => arg.startsWith('--type='));

/** Orphans go to the first process, or to that of the user's session; in a container the first may be Tabwright itself. */
function isOrphan({ parent }: Process, all: Process[]): boolean {
  const { args = [] } = all.find(({ pid }) => pid === parent) ?? {};
  if (args.some(arg => arg.includes('tabwright'))) return false;
  return parent <= 1 || /(^|\/)(systemd|init|launchd)$/.test(args[0] ?? '');
}

export const stale: Check = async (machine, signal) => {
  const all = await listProcesses(machine, signal);
  if (!all) return fine('not looked for on this system');
  const pids = all.filter(one => isBrowser(one) && isOrphan(one, all)).map(({ pid }) => pid);
  if (pids.length === 0) return fine('none');
  return warning(`${pids.length} whose Tabwright is gone`, `kill ${pids.join(' ')}`);
};
