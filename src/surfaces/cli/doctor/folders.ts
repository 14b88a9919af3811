// Checks of files and folders: state, token, config, and the temporary folder with what browsers left there.
import { accessSync, constants, existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROFILE_PREFIX } from '../../../engine/browser/chrome-process.ts';
import { type Check, type Finding, fine, problem, size, warning } from './check.ts';
import { listProcesses, profileOf } from './processes.ts';

/** Bytes that should be free, and that must be. */
const GOOD_SPACE = 500e6;
const LEAST_SPACE = 50e6;

/** Undefined also where a part of the path is a file. */
const entry = (path: string): Stats | undefined => (existsSync(path) ? statSync(path) : undefined);

/** The folder itself, or the nearest above it that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

async function spaceIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whether it can be used; with what is to be done about space when there is little. */
async function usable(folder: string, other: string): Promise<Finding> {
  const nearest = existing(folder);
  if (!mayWrite(nearest)) return problem(`${nearest} cannot be written`, `give it to this user, or ${other}`);
  const space = await spaceIn(nearest);
  const words = `${folder}, ${size(space)} free`;
  if (space >= GOOD_SPACE) return fine(words);
  return { ...(space < LEAST_SPACE ? problem : warning)(words, `make room, or ${other}`) };
}

const isOpen = (file: Stats, platform: NodeJS.Platform, bits: number): boolean =>
  platform !== 'win32' && (file.mode & bits) !== 0;

export const stateFolder: Check = async ({ options: { stateDir }, host: { platform } }) => {
  const finding = await usable(stateDir, 'choose another with --state-dir');
  const folder = entry(stateDir);
  if (finding.state !== 'ok' || !folder) return finding;
  if (isOpen(folder, platform, 0o022)) return warning(`others may write in ${stateDir}`, `chmod 700 ${stateDir}`);
  return finding;
};

export const token: Check = ({ options: { tokenFile }, host: { platform } }) => {
  const file = entry(tokenFile);
  if (!file) return fine('none yet; serve makes it');
  if (!file.isFile()) return problem(`${tokenFile} is no file`, 'choose another with --token-file');
  if (isOpen(file, platform, 0o077)) return problem(`others can read ${tokenFile}`, `chmod 600 ${tokenFile}`);
  return fine(`in ${tokenFile}, for this user only`);
};

/** A config file that is wrong stops every command, so those that were read are right. */
export const config: Check = ({ files }) => fine(files.length > 0 ? files.join(', ') : 'no file');

/** Chrome is told to keep its shared memory there too, so that a small /dev/shm, as containers have, does no harm. */
export const temporary: Check = async ({ temporary: folder }) => {
  return usable(folder, 'choose another: export TMPDIR=…');
};

/** Younger ones, in ms, may belong to a browser that just starts or ends. */
const YOUNG_MS = 60_000;
const MOST_SHOWN = 10;

export const profiles: Check = async (machine, signal) => {
  const processes = await listProcesses(machine, signal);
  if (!processes) return fine('not looked for on this system');
  const used = new Set(processes.map(profileOf));
  const old = readdirSync(machine.temporary)
    .filter(name => name.startsWith(PROFILE_PREFIX))
    .map(name => join(machine.temporary, name))
    .filter(path => !used.has(path) && isOwnAndOld(path));
  if (old.length === 0) return fine('none');
  const more = old.length > MOST_SHOWN ? ` (and ${old.length - MOST_SHOWN} more)` : '';
  return warning(
    `${old.length} of browsers that ended without cleaning up`,
    `rm -r ${old.slice(0, MOST_SHOWN).join(' ')}${more}`,
  );
};

function isOwnAndOld(path: string): boolean {
  const folder = entry(path);
  return folder !== undefined && folder.uid === process.getuid?.() && Date.now() - folder.mtimeMs > YOUNG_MS;
}
