// Removes the profile folders of browsers that were killed together with their Tabwright.
import { readdir, readlink, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILE_PREFIX } from './chrome-process.ts';

/** So many at a time: a clean-up is no reason to keep the disk busy. */
const MOST = 20;

/** Gives the names of those that it removed. */
export async function removeStaleProfiles(folder: string = tmpdir()): Promise<string[]> {
  const names = (await readdir(folder)).filter(name => name.startsWith(PROFILE_PREFIX));
  const orphans: string[] = [];
  for (const name of names) if (await isOrphan(join(folder, name))) orphans.push(name);
  const removed = orphans.slice(0, MOST);
  for (const name of removed) await rm(join(folder, name), { recursive: true, force: true });
  return removed;
}

/** Chrome's lock names the machine and the process that hold a profile; a container that shares the folder is another machine. */
async function isOrphan(profile: string): Promise<boolean> {
  const holder = await readlink(join(profile, 'SingletonLock')).catch(() => '');
  const [, host, pid] = /^(.*)-(\d+)$/.exec(holder) ?? [];
  return host === hostname() && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process is alive too, although it may not be asked.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
