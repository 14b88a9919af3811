// Files that are written whole or not at all: a draft beside the file is filled, then takes its name in one step.
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../errors.ts';

/** How the name of a draft ends. */
export const DRAFT = '.part';

const draftOf = (file: string): string => `${file}.${randomBytes(4).toString('hex')}${DRAFT}`;

/** A draft this old was left by a process that was killed. */
const OLD_MS = 10 * 60_000;

/** Whether it is a folder, no link, that this user made: others may write to the folder for temporary files too. */
export async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined); // another server may have just removed it
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
}

/** Removes old files of the folder that were never finished: drafts, or others that the test names. */
export async function removeOldDrafts(
  folder: string,
  isDraft = (name: string): boolean => name.endsWith(DRAFT),
): Promise<void> {
  for (const file of (await readdir(folder)).filter(isDraft).map(name => join(folder, name))) {
    const found = await stat(file).catch(() => undefined); // its writer has just finished
    if (found && Date.now() - found.mtimeMs > OLD_MS) await rm(file, { force: true });
  }
}

/** Writes a file of the state folder, which only its owner may read. */
export async function writePrivate(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700); // it may have been there before
    await replaceFile(file, text);
    return file;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(
      'file_error',
      `${name} could not be written: ${why}.`,
      'Choose a folder that can be written with --state-dir.',
      { cause },
    );
  }
}

interface ReplaceOptions {
  /** The content is on the disk when the promise settles, also after a power cut. */
  durable?: boolean;
  /** The file that is replaced, whose mode and owner the new one gets; without it only the owner may read the file. */
  like?: Stats | undefined;
}

export async function replaceFile(
  file: string,
  text: string,
  { durable = false, like }: ReplaceOptions = {},
): Promise<void> {
  const draft = draftOf(file);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await fill(handle, text, durable, like).finally(() => handle.close());
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  if (durable) await syncFolder(dirname(file));
}

async function fill(handle: FileHandle, text: string, durable: boolean, like: Stats | undefined): Promise<void> {
  await handle.writeFile(text);
  if (like) await handle.chmod(like.mode);
  // Written by root, the file still belongs to its user.
  if (like && process.getuid?.() === 0) await handle.chown(like.uid, like.gid);
  if (durable) await handle.sync();
}

/** The folder holds the new name. Windows has no such sync. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** For a command line, which has nothing else to do meanwhile; also makes the folder. */
export function replaceFileSync(file: string, text: string, mode = 0o600): void {
  const draft = draftOf(file);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(draft, text, { flag: 'wx', mode });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
