// A lock among processes: a file that names its holder. A lock of a process that was killed counts as free.
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isSameProcess, startTimeOf } from '../../engine/browser/profile/process-identity.ts';
import { type Limits, pause } from '../../engine/limits.ts';

const LOOK_MS = 20;

/** Runs the work while it holds the lock, against this process and others. Waits as long as the limits allow. */
export async function locked<T>(file: string, limits: Limits, work: () => Promise<T>): Promise<T> {
  const key = randomBytes(6).toString('hex');
  const mine = `${process.pid} ${key} ${await startTimeOf(process.pid)}`;
  // Written under another name, then linked: no process sees a lock without its holder.
  const draft = `${file}.${key}`;
  await writeFile(draft, mine, { mode: 0o600, flag: 'wx' });
  try {
    while (!(await linked(draft, file))) if (!(await freed(file))) await pause(limits.signal, LOOK_MS);
  } finally {
    await rm(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    // Somebody may have taken it for one of a dead process.
    if ((await holder(file)) === mine) await rm(file, { force: true });
  }
}

async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const holder = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined); // it was released

/** True when the lock may be free now: released, or held by a process that is gone. */
async function freed(file: string): Promise<boolean> {
  const seen = await holder(file);
  if (seen === undefined) return true;
  const [, pid, began = ''] = /^(\d+) \w+ (.*)$/.exec(seen) ?? [];
  if (await isSameProcess({ pid: Number(pid), began })) return false;
  // Two may see this at once: who moves another lock than the one it saw puts it back.
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const isMoved = await rename(file, aside).then(
    () => true,
    () => false, // another one was first
  );
  if (!isMoved) return true;
  if ((await holder(aside)) !== seen) await link(aside, file).catch(() => undefined); // taken again meanwhile
  await rm(aside, { force: true });
  return true;
}
