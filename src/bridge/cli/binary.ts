// The agent-browser program: where it is, and the Failure when it is missing.
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../errors.ts';
import { DEFAULT_BIN } from '../constants.ts';
import type { BridgeSettings } from '../types.ts';

export const INSTALL = 'npm install -g agent-browser && agent-browser install';

type Place = Pick<BridgeSettings, 'env' | 'platform' | 'cwd'>;

/** AGENT_BROWSER_BIN, or `agent-browser` from PATH. */
export function binaryOf(place: Place, exists: (file: string) => boolean = isProgram): string {
  const named = place.env.AGENT_BROWSER_BIN?.trim() || DEFAULT_BIN;
  // npm gives Windows a script for its shell, and a shell is never used: the program behind it is.
  return place.platform === 'win32' ? (windowsProgram(named, place, exists) ?? named) : named;
}

/** The whole path of the program; undefined when there is none. */
export function locate(bin: string, { env, platform, cwd }: Place): string | undefined {
  const style = platform === 'win32' ? path.win32 : path.posix;
  const found = /[\\/]/.test(bin)
    ? [style.resolve(cwd, bin)]
    : searched(env, style).map(folder => style.join(folder, bin));
  return found.find(isProgram);
}

function windowsProgram(named: string, { env }: Place, exists: (file: string) => boolean): string | undefined {
  const { win32 } = path;
  const folders = /[\\/]/.test(named) ? [win32.dirname(named)] : searched(env, win32);
  const name = win32.basename(named).replace(/\.(?:cmd|exe|ps1)$/i, '');
  const inPackage = win32.join('agent-browser', 'bin', 'agent-browser-win32-x64.exe');
  return folders
    .flatMap(folder => [
      win32.join(folder, `${name}.exe`),
      win32.join(folder, 'node_modules', inPackage), // npm install -g
      win32.join(folder, '..', inPackage), // node_modules/.bin
    ])
    .find(exists);
}

const searched = (env: Place['env'], style: path.PlatformPath): string[] =>
  (env.PATH ?? env.Path ?? '').split(style.delimiter).filter(Boolean);

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const START_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'was not found',
  EACCES: 'may not be run',
  EINVAL: 'cannot be run without a shell',
  ENOEXEC: 'is not a program',
};

/** Why the program did not start, and how to get it. */
export function notStarted(bin: string, error: NodeJS.ErrnoException): Failure {
  const why = START_ERRORS[error.code ?? ''];
  return why
    ? new Failure('file_error', `${bin} ${why}.`, `Install it: ${INSTALL}. Or name it with AGENT_BROWSER_BIN.`)
    : new Failure('file_error', `${bin} did not start: ${error.message}.`);
}
