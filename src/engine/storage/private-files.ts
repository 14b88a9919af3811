// Files of the state folder that only their owner may read, written whole or not at all.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../../errors.ts';

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

/** How a file that is not yet whole ends. */
export const DRAFT = '.part';

/** Puts the text in the place of the file in one step. A durable one is on the disk when this settles, also after a power cut. */
export async function replaceFile(file: string, text: string, { durable = false } = {}): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}${DRAFT}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  if (durable) await syncFolder(dirname(file));
}

/** The new name is kept by the folder. Windows keeps it by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
