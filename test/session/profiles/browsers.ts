// Browsers of profiles outlive the servers that started them: tests end them from outside, and look at them there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';

/** Whether it runs; one that has ended and was not yet waited for does not. */
export function runs(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return false;
  }
}

/** The switches that a process was started with. */
export const switchesOf = (pid: number): string[] => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');

export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it had ended
  }
}

interface RunFile {
  path: string;
  pid: number;
  url?: string;
}

/** What the servers of a state folder have noted down about the browsers that they started. */
export function recordsIn(stateDir: string): RunFile[] {
  const folder = join(stateDir, 'running');
  const files = names(folder).filter(name => name.endsWith('.json'));
  return files.map(name => ({ path: join(folder, name), ...JSON.parse(readFileSync(join(folder, name), 'utf8')) }));
}

/** The process that started it. */
export function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Ends what the servers of a state folder have started, and waits until it is gone. */
export async function endAll(stateDir: string): Promise<void> {
  const pids = recordsIn(stateDir)
    .map(({ pid }) => pid)
    .filter(runs);
  pids.forEach(killGroup);
  await vi.waitUntil(() => !pids.some(runs), { timeout: 10_000 });
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was started
  }
}
