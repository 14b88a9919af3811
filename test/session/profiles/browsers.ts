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

/** Ends what the servers of a state folder have started, and waits until it is gone. */
export async function endAll(stateDir: string): Promise<void> {
  const folder = join(stateDir, 'running');
  const pids = names(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')).pid as number)
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
