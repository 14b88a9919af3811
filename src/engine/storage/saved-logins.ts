// Saved logins as files: <state folder>/auth/NAME.json, for their owner only.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivate } from '../../config/private-files.ts';
import { Failure } from '../../errors.ts';
import type { Cookie } from './cookies.ts';
import type { StorageItems } from './web-storage.ts';

export interface OriginState {
  origin: string;
  local: StorageItems;
  session: StorageItems;
}

export interface AuthState {
  version: 1;
  /** When it was saved, ISO 8601. */
  saved: string;
  cookies: Cookie[];
  origins: OriginState[];
}

export interface SavedLogin {
  name: string;
  saved: string;
  origins: string[];
  cookies: number;
  /** Why it cannot be loaded. */
  fault?: string;
}

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;
const ENDING = '.json';
const MOST_STATES = 200;
const MOST_BYTES = 20_000_000;

const folderIn = (stateDir: string): string => join(stateDir, 'auth');

/** True when it took the place of an older one. */
export async function writeState(stateDir: string, name: string, state: AuthState): Promise<boolean> {
  const file = fileOf(stateDir, name);
  const text = JSON.stringify(state);
  if (Buffer.byteLength(text) > MOST_BYTES)
    throw new Failure(
      'file_error',
      `The login holds more than ${MOST_BYTES / 1_000_000} MB and was not saved.`,
      'Save fewer origins, or leave out local storage (include_local_storage: false).',
    );
  const found = await sizeOf(file);
  await writePrivate(folderIn(stateDir), `${name}${ENDING}`, text);
  return found !== undefined;
}

export async function readState(stateDir: string, name: string): Promise<AuthState> {
  const file = fileOf(stateDir, name);
  const bytes = await sizeOf(file);
  if (bytes === undefined) throw await missing(stateDir, name);
  const state = bytes > MOST_BYTES ? undefined : parse(await readFile(file, 'utf8'));
  if (state) return state;
  throw new Failure(
    'file_error',
    `The saved login ${JSON.stringify(name)} cannot be read: its file is damaged.`,
    'Log in again and save it anew, or delete it.',
  );
}

export async function deleteState(stateDir: string, name: string): Promise<void> {
  const file = fileOf(stateDir, name);
  if ((await sizeOf(file)) === undefined) throw await missing(stateDir, name);
  await rm(file);
}

/** By name. */
export async function listStates(stateDir: string): Promise<SavedLogin[]> {
  const names = (await namesIn(stateDir)).slice(0, MOST_STATES);
  return Promise.all(
    names.map(async name => {
      const state = await readState(stateDir, name).catch((error: Error) => error.message);
      return typeof state === 'string'
        ? { name, saved: '', origins: [], cookies: 0, fault: state }
        : { name, saved: state.saved, origins: state.origins.map(row => row.origin), cookies: state.cookies.length };
    }),
  );
}

async function namesIn(stateDir: string): Promise<string[]> {
  const files = await readdir(folderIn(stateDir)).catch(unlessMissing);
  const names = (files ?? []).filter(file => file.endsWith(ENDING)).map(file => file.slice(0, -ENDING.length));
  return names.filter(name => NAME.test(name)).sort();
}

function fileOf(stateDir: string, name: string): string {
  checkName(name);
  return join(folderIn(stateDir), `${name}${ENDING}`);
}

/** A name is never a path. */
export function checkName(name: string): void {
  if (!NAME.test(name))
    throw new Failure(
      'bad_input',
      `${JSON.stringify(name.slice(0, 100))} is no name for a saved login.`,
      'A name has 1 to 64 letters, digits, dots, dashes or underscores, and no dot in front.',
    );
}

async function missing(stateDir: string, name: string): Promise<Failure> {
  const names = await namesIn(stateDir);
  const known = names.length === 0 ? 'None is saved.' : `Saved are: ${names.slice(0, 20).join(', ')}.`;
  return new Failure('not_found', `There is no saved login ${JSON.stringify(name)}. ${known}`, 'Log in and save it.');
}

async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(unlessMissing);
  return found?.isFile() ? found.size : undefined;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw new Failure('file_error', `The saved logins cannot be read: ${error.message}.`);
}

/** Undefined when it is not what this version writes: a file can be changed by others. */
function parse(text: string): AuthState | undefined {
  try {
    const state = JSON.parse(text) as AuthState;
    const isWhole =
      state.version === 1 &&
      typeof state.saved === 'string' &&
      state.cookies.every(({ name, value, domain, path }) => areTexts([name, value, domain, path])) &&
      state.origins.every(({ origin, local, session }) => areTexts([origin, ...[...local, ...session].flat()]));
    return isWhole ? state : undefined;
  } catch {
    return undefined;
  }
}

const areTexts = (values: unknown[]): boolean => values.every(value => typeof value === 'string');
