// Whether another browser holds a profile folder: it must not be started on it then, nor asked to open a window there.
import { readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isRunning } from './profile/process-identity.ts';

/** Chrome leaves this link in its profile while it runs: `HOST-PID`. On Windows there is none; there Chrome itself says it. */
const LOCK = 'SingletonLock';

const LOOK_MS = 50;

/** With patience, in ms: a browser that is just ending is waited for. */
export async function isInUse(folder: string, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (await isHeld(folder)) {
    if (performance.now() >= end) return true;
    await setTimeout(LOOK_MS);
  }
  return false;
}

async function isHeld(folder: string): Promise<boolean> {
  const holder = await readlink(join(folder, LOCK)).catch(() => undefined);
  const [, host, pid] = /^(.*)-(\d+)$/.exec(holder ?? '') ?? [];
  if (pid === undefined) return false;
  // Of another machine nobody can tell whether it still runs: Chrome takes it as in use, too.
  return host !== hostname() || isRunning(Number(pid));
}

/** What a Chrome says that found the profile in use. */
export const saysInUse = (words: string): boolean =>
  /ProcessSingleton|SingletonLock|profile.*in use|existing browser session/i.test(words) &&
  !/permission denied|read-only|no space/i.test(words);
