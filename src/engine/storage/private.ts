// Files of the state folder that only their owner may read, written whole or not at all.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../errors.ts';

export async function writePrivate(folder: string, name: string, text: string): Promise<string> {
  const file = join(folder, name);
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700); // it may have been there before
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
    return file;
  } catch (cause) {
    await rm(draft, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Failure(
      'file_error',
      `${name} could not be written: ${why}.`,
      'Choose a folder that can be written with --state-dir.',
      { cause },
    );
  }
}
