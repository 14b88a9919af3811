// Removes the profile folders of browsers that were killed together with their Tabwright.
import { readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOwnFolder } from '../../config/private-files.ts';
import { PROFILE_PREFIX } from './chrome-process.ts';
import { isRunning } from './profile/process-identity.ts';
import { lockHolder } from './profile-lock.ts';

/** So many at a time: a clean-up is no reason to keep the disk busy. */
const MOST = 20;

/** Gives the names of those that it removed. */
export async function removeStaleProfiles(folder: string = tmpdir()): Promise<string[]> {
  const names = (await readdir(folder)).filter(name => name.startsWith(PROFILE_PREFIX));
  const orphans: string[] = [];
  for (const name of names)
    if ((await isOwnFolder(join(folder, name))) && (await isOrphan(join(folder, name)))) orphans.push(name);
  const removed = orphans.slice(0, MOST);
  for (const name of removed) await rm(join(folder, name), { recursive: true, force: true });
  return removed;
}

/** A container that shares the folder is another machine: whether its process still runs is not known here. */
async function isOrphan(profile: string): Promise<boolean> {
  const holder = await lockHolder(profile);
  return holder?.host === hostname() && !(await isRunning(holder.pid));
}
