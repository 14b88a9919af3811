// Saved logins of one caller as files: NAME.json in a folder of the state folder, for the user alone.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivate } from '../../config/private-files.ts';
import { Failure } from '../../errors.ts';
import type { Cookie } from './cookies.ts';

const text = z.string();
const items = z.array(z.tuple([text, text]));
const ORIGIN_STATE = z.object({ origin: text, local: items, session: items });

/** A file can be changed by others: only what this version writes is read. */
const AUTH_STATE = z.object({
  version: z.literal(1),
  /** When it was saved, ISO 8601. */
  saved: text,
  cookies: z.array(
    z.looseObject({ name: text, value: text, domain: text, path: text }) as unknown as z.ZodType<Cookie>,
  ),
  origins: z.array(ORIGIN_STATE),
});

export type OriginState = z.output<typeof ORIGIN_STATE>;
type AuthState = z.output<typeof AUTH_STATE>;

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

/** True when an older login of that name was replaced. */
export async function writeState(folder: string, name: string, state: AuthState): Promise<boolean> {
  const file = fileOf(folder, name);
  const json = JSON.stringify(state);
  if (Buffer.byteLength(json) > MOST_BYTES)
    throw new Failure(
      'file_error',
      `The login holds more than ${MOST_BYTES / 1_000_000} MB and was not saved.`,
      'Save fewer origins, or leave out local storage (include_local_storage: false).',
    );
  const found = await sizeOf(file);
  await writePrivate(folder, `${name}${ENDING}`, json);
  return found !== undefined;
}

export async function readState(folder: string, name: string): Promise<AuthState> {
  const file = fileOf(folder, name);
  const bytes = await sizeOf(file);
  if (bytes === undefined) throw await missing(folder, name);
  const state = bytes > MOST_BYTES ? undefined : parse(await readFile(file, 'utf8'));
  if (state) return state;
  throw new Failure(
    'file_error',
    `The saved login ${JSON.stringify(name)} cannot be read: its file is damaged.`,
    'Log in again and save it anew, or delete it.',
  );
}

export async function deleteState(folder: string, name: string): Promise<void> {
  const file = fileOf(folder, name);
  if ((await sizeOf(file)) === undefined) throw await missing(folder, name);
  await rm(file);
}

/** By name. */
export async function listStates(folder: string): Promise<SavedLogin[]> {
  const names = (await namesIn(folder)).slice(0, MOST_STATES);
  return Promise.all(
    names.map(async name => {
      const state = await readState(folder, name).catch((error: Error) => error.message);
      return typeof state === 'string'
        ? { name, saved: '', origins: [], cookies: 0, fault: state }
        : { name, saved: state.saved, origins: state.origins.map(row => row.origin), cookies: state.cookies.length };
    }),
  );
}

async function namesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(unlessMissing);
  const names = (files ?? []).filter(file => file.endsWith(ENDING)).map(file => file.slice(0, -ENDING.length));
  return names.filter(name => NAME.test(name)).sort();
}

function fileOf(folder: string, name: string): string {
  checkName(name);
  return join(folder, `${name}${ENDING}`);
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

async function missing(folder: string, name: string): Promise<Failure> {
  const names = await namesIn(folder);
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

/** Undefined for a damaged file. */
function parse(json: string): AuthState | undefined {
  try {
    return AUTH_STATE.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
