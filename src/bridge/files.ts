// Files that a call names: below the folders of the server only, links followed.
import { realpath } from 'node:fs/promises';
import { type PlatformPath, posix, relative, sep, win32 } from 'node:path';
import { readablePath, writablePath } from '../engine/files.ts';
import { Failure } from '../errors.ts';
import { isInside } from '../policy/paths.ts';

/** What an argument that names a file becomes: its real path, or a Failure. */
export interface Files {
  readable(given: string): Promise<string>;
  writable(given: string): Promise<string>;
}

const STYLES: readonly PlatformPath[] = [posix, win32];

/** Why a path may not be written to, whatever system it was written for; undefined when it may. */
export function relativePathProblem(given: string): string | undefined {
  if (given.trim() === '') return 'it is empty';
  if (given.includes('\0')) return 'it holds a NUL character';
  if (STYLES.some(style => style.isAbsolute(given)) || /^[a-z]:/i.test(given) || given.startsWith('~'))
    return 'it is absolute';
  const steps = given.split(/[\\/]/);
  if (steps.includes('..')) return 'it leaves the folder';
  if (steps.some(isHidden)) return 'it names a hidden file or folder';
  if (/[\\/]$/.test(given) || steps.at(-1) === '.') return 'it names a folder';
  return undefined;
}

/** The real path of a relative path below the first folder; the folders on its way are made. */
export async function relativePath(given: string, folders: readonly string[]): Promise<string> {
  const [folder = '.'] = folders;
  const wrong = relativePathProblem(given);
  if (wrong)
    throw new Failure(
      'refused',
      `The path ${JSON.stringify(given.slice(0, 200))} is refused: ${wrong}. Rule "write only below the output folder".`,
      `Use a relative path, such as out/page.json; it counts from ${folder}.`,
    );
  return writablePath(given, [folder]);
}

const isHidden = (step: string): boolean => step.startsWith('.') && step !== '.';

/** The working folder may be the home folder, whose hidden files are keys and tokens. */
async function visibleFile(given: string, folders: readonly string[]): Promise<string> {
  const real = await readablePath(given, folders);
  const roots = await Promise.all(folders.map(folder => realpath(folder).catch(() => folder)));
  if (roots.some(root => isInside(real, [root]) && !relative(root, real).split(sep).some(isHidden))) return real;
  throw new Failure(
    'refused',
    `The path ${JSON.stringify(given.slice(0, 200))} is refused: it names a hidden file or folder. Rule "read no hidden files".`,
    'Copy the file to another place below the folder.',
  );
}

export const filesBelow = (folders: readonly string[]): Files => ({
  readable: given => visibleFile(given, folders),
  writable: given => relativePath(given, folders),
});
