// Names of sessions: chosen by a caller, made up for one without a name, or the one session that each caller has.
import { createHash, randomUUID } from 'node:crypto';
import { Failure } from '../errors.ts';
import type { Caller } from './session.ts';

/** How callers name their own. */
const DEFAULT = 'default';
/** The "@" keeps default sessions apart from the names that callers choose. */
const OF_CALLER = `${DEFAULT}@`;
/** The session of the browser of a profile, named by its id. */
const OF_PROFILE = 'profile@';
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const HANDLE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The key under which the session is known; without a name, or as `default`, it is the caller's own. */
export function keyOf(name: string | undefined, caller: Caller): string {
  const own = `${OF_CALLER}${NAME.test(caller.id) ? caller.id : hashed(caller.id)}`;
  if (name === undefined || name === DEFAULT || name === own) return own;
  if (NAME.test(name) || profileIn(name) !== undefined) return name;
  throw new Failure(
    'bad_input',
    'That is no name for a session.',
    'A session name has 1 to 64 letters, digits, dots, dashes or underscores.',
  );
}

/** Each caller has one, and calls it so. */
export const isDefault = (key: string): boolean => key.startsWith(OF_CALLER);

export const profileSession = (profile: string): string => `${OF_PROFILE}${profile}`;

/** The profile whose session has that name; undefined when it is none of a profile. */
export const profileIn = (name: string | undefined): string | undefined =>
  name?.startsWith(OF_PROFILE) ? name.slice(OF_PROFILE.length) : undefined;

/** How a caller names it. */
export const displayName = (key: string): string => (isDefault(key) ? DEFAULT : key);

/** A name that nobody can guess, for a session without one. */
export const newHandle = (): string => randomUUID();

/** Such a session is made once: its name does not stand for another one later. */
export const isHandle = (key: string): boolean => HANDLE.test(key);

/** What has a name that a caller chose is kept for later. */
export const isNamed = (key: string): boolean => !key.includes('@') && !isHandle(key);

const hashed = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 16);
