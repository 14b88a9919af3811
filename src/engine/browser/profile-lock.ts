// Whether another browser holds a profile folder: it must not be started on it then, nor asked to open a window there.
import { readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isRunning } from './profile/process-identity.ts';

/** Chrome leaves this link in its profile while it runs: `HOST-PID`. On Windows there is none: Chrome reports it. */
const LOCK = 'SingletonLock';

const LOOK_MS = 50;

/** A browser that is just ending is waited for, at most `patience` ms. */
export async function isInUse(folder: string, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (await isHeld(folder)) {
    if (performance.now() >= end) return true;
    await setTimeout(LOOK_MS);
  }
  return false;
}

/** The machine and the process that the lock of the profile names; undefined without a lock. */
export async function lockHolder(folder: string): Promise<{ host: string; pid: number } | undefined> {
  const link = await readlink(join(folder, LOCK)).catch(() => '');
  const [, host, pid] = /^(.*)-(\d+)$/.exec(link) ?? [];
  return host === undefined ? undefined : { host, pid: Number(pid) };
}

async function isHeld(folder: string): Promise<boolean> {
  const holder = await lockHolder(folder);
  if (!holder) return false;
  // Whether a process of another machine still runs is not known here: Chrome takes the profile as in use, too.
  return holder.host !== hostname() || isRunning(holder.pid);
}

/** Whether Chrome's error output says that it found the profile in use. */
export const saysInUse = (stderr: string): boolean =>
  /ProcessSingleton|SingletonLock|profile.*in use|existing browser session/i.test(stderr) &&
  !/permission denied|read-only|no space/i.test(stderr);
