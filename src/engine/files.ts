// Paths that a caller names: resolved with their links, and refused outside the allowed folders.
import { lstat, mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Options } from '../config/options.ts';
import { Failure, refusedBy } from '../errors.ts';
import { isInside, malformedPath, outsideFolders } from '../policy/paths.ts';
import type { CallerFolders } from './limits.ts';

/**
 * The real path of an existing file that the caller may read: in its output folder, from which a relative path counts,
 * below --upload-dirs, or where the command line of the owner runs; whatever these are, nothing else of the state folder, and no output of other callers.
 */
export async function callerFile(
  given: string,
  { output: own, work }: CallerFolders,
  options: Options,
): Promise<string> {
  const { outputDir, uploadDirs, stateDir } = options;
  const roots = [...(work === undefined ? [] : [work]), own, ...uploadDirs];
  const real = await allowed(given, 'read', roots);
  const [output = '', ...closed] = await Promise.all(
    [own, outputDir, stateDir, ...ownFiles(options)].map(one => resolveLinks(path.resolve(one), one)),
  );
  const isClosed = (file: string) => isInside(file, [...closed, ...SYSTEM]) && !isInside(file, [output]);
  if (isClosed(real) || (await otherNames(real, closed)).some(isClosed)) throw outsideFolders(given, 'read', roots);
  return existingFile(given, real);
}

/** Linux shows the memory and the variables of programs there, also those of this one. */
const SYSTEM = process.platform === 'linux' ? ['/proc', '/sys', '/dev'] : [];

/** The names below the folders that are hard links to the same file; few files have any. */
async function otherNames(file: string, folders: readonly string[]): Promise<string[]> {
  const meant = await stat(file).catch(() => undefined); // the caller is told later that it is missing
  if (!meant?.isFile() || meant.nlink === 1) return [];
  const lists = folders.map(folder => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []));
  const inside = (await Promise.all(lists)).flat().filter(entry => entry.isFile());
  const names = [...folders, ...inside.map(entry => path.join(entry.parentPath, entry.name))];
  const stats = await Promise.all(names.map(name => lstat(name).catch(() => undefined)));
  return names.filter((_, at) => stats[at]?.ino === meant.ino && stats[at]?.dev === meant.dev);
}

/** Files with secrets or records of the server, which may lie outside of the state folder. */
const ownFiles = ({ tokenFile, tokensFile, journalFile, profilesFile, policy }: Options): string[] =>
  [tokenFile, tokensFile, journalFile, profilesFile, policy].filter(file => file !== undefined);

/** The real path of an existing file below one of the roots. A relative path counts from the first root. */
export async function readablePath(given: string, roots: readonly string[]): Promise<string> {
  return existingFile(given, await allowed(given, 'read', roots));
}

async function existingFile(given: string, real: string): Promise<string> {
  const found = await stat(real).catch(fileError(given));
  // A device or a pipe could be read for ever.
  if (!found.isFile()) throw new Failure('file_error', `${quote(given)} is not a file.`, 'Name a file.');
  return real;
}

/** The real path of a file to write below one of the roots; the folders on its way are made. */
export async function writablePath(given: string, roots: readonly string[]): Promise<string> {
  const real = await allowed(given, 'write', roots);
  const found = await stat(real).catch(unlessMissing(given));
  if (/[\\/]$/.test(given) || (found && !found.isFile()))
    throw new Failure('file_error', `${quote(given)} is not a file.`, 'Name a file, not a folder.');
  await mkdir(path.dirname(real), { recursive: true, mode: 0o700 }).catch(fileError(given));
  return real;
}

/** Writes a file for the user alone: pages show what is private. */
export const saveFile = (file: string, content: string | Uint8Array, signal?: AbortSignal): Promise<void> =>
  writeFile(file, content, { mode: 0o600, ...(signal && { signal }) }).catch((error: NodeJS.ErrnoException) => {
    signal?.throwIfAborted();
    fileError(path.basename(file))(error);
  });

/** The real path of a folder below one of the roots; it need not exist yet. */
export async function folderPath(given: string, roots: readonly string[]): Promise<string> {
  const real = await allowed(given, 'write', roots);
  const found = await stat(real).catch(unlessMissing(given));
  if (found && !found.isDirectory())
    throw new Failure('file_error', `${quote(given)} is not a folder.`, 'Name a folder.');
  return real;
}

/** Which file is meant, allowed or not: as it is named, and where its links lead. For rules about paths. */
export async function touched(given: string, folder: string): Promise<{ named: string; real: string }> {
  const text = given.startsWith('file:') ? fromUrl(given) : given;
  const named = absolute(text, folder);
  // What cannot be followed will not be read or written either.
  return { named, real: await resolveLinks(named, given).catch(() => named) };
}

async function allowed(given: string, doing: 'read' | 'write', roots: readonly string[]): Promise<string> {
  const text = given.startsWith('file:') ? fromUrl(given) : given;
  const malformed = malformedPath(text, process.platform);
  if (malformed) throw new Failure('bad_input', `${quote(given)} is no path: ${malformed}.`);
  const full = absolute(text, roots[0] ?? '.');
  const folders = await Promise.all(roots.map(root => resolveLinks(path.resolve(root), root)));
  const real = await resolveLinks(full, given).catch(error => {
    // Outside, not even the reason is given: it would reveal what exists there.
    throw isInside(full, [...roots, ...folders]) ? error : outsideFolders(given, doing, roots);
  });
  if (!isInside(real, folders)) throw outsideFolders(given, doing, roots);
  return real;
}

function absolute(text: string, root: string): string {
  return /^~[\\/]/.test(text) ? path.join(homedir(), text.slice(2)) : path.resolve(root, text);
}

function fromUrl(given: string): string {
  try {
    return fileURLToPath(given);
  } catch (cause) {
    throw new Failure('bad_input', `${quote(given)} is no path on this machine.`, undefined, { cause });
  }
}

/** The real path; of what does not exist yet, the real path of its nearest existing folder and the rest. */
async function resolveLinks(full: string, given: string): Promise<string> {
  const real = await realpath(full).catch(unlessMissing(given));
  if (real !== undefined) return real;
  const found = await lstat(full).catch(unlessMissing(given));
  // A link that leads nowhere would be followed by whoever writes to it.
  if (found?.isSymbolicLink())
    throw refusedBy(
      'no links that lead nowhere',
      `${quote(given)} is refused: rule "no links that lead nowhere".`,
      'Name another file.',
    );
  if (found) return realpath(full).catch(fileError(given)); // it was made between the two looks
  const parent = path.dirname(full);
  return parent === full ? full : path.join(await resolveLinks(parent, given), path.basename(full));
}

const unlessMissing = (given: string) => (error: NodeJS.ErrnoException) =>
  error.code === 'ENOENT' ? undefined : fileError(given)(error);

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of it is a file, not a folder',
  EACCES: 'the server may not touch it',
  EPERM: 'the server may not touch it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'it is too long',
};

const fileError =
  (given: string) =>
  (cause: NodeJS.ErrnoException): never => {
    const why = REASONS[cause.code ?? ''] ?? cause.code ?? cause.message;
    throw new Failure('file_error', `${quote(given)}: ${why}.`, undefined, { cause });
  };

const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
