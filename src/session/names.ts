// Names of sessions: chosen by a caller and its own, made up for one without a name, or the one session that each caller has.
import { createHash, randomUUID } from 'node:crypto';
import { Failure } from '../errors.ts';
import { type Caller, isOwner, isSameCaller, OWNER_IDS } from './callers.ts';

/** The name that each caller uses for the session of its own. */
const DEFAULT = 'default';
/** The "@" keeps default sessions apart from the names that callers choose. */
const OF_CALLER = `${DEFAULT}@`;
/** The session of the browser of a profile, named by its id. */
const OF_PROFILE = 'profile@';
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** A name, and for the session of another caller, whose it is. */
const NAMED = /^([A-Za-z0-9._-]{1,64})(?:@([A-Za-z0-9._-]{1,64}))?$/;
const HANDLE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Names that mean the same session for all callers, by the options; `*` stands for every name. */
export type CommonNames = readonly string[];

export const isCommon = (key: string, common: CommonNames): boolean =>
  isNamed(key) && (common.includes(key) || common.includes('*'));

/** The key of the session that the caller means: its own of that name, or with `NAME@CALLER` that of another caller. */
export function keyOf(name: string | undefined, caller: Caller, common: CommonNames): string {
  const own = defaultKey(caller);
  if (name === undefined || name === DEFAULT || name === own) return own;
  if (isHandle(name) || profileIn(name) !== undefined) return name;
  const [, chosen, owner = caller.id] = NAMED.exec(name) ?? [];
  const key = chosen === undefined ? own : ownedKey(chosen, owner, common);
  if (!isDefault(key) && profileIn(key) === undefined) return key;
  throw new Failure(
    'bad_input',
    'That is no name for a session.',
    'A session name has 1 to 64 letters, digits, dots, dashes or underscores; NAME@CALLER is a shared session of another caller.',
  );
}

/** Without a name, the session is that of the caller or of its connection. */
export const defaultKey = ({ id, connection }: Caller): string =>
  `${OF_CALLER}${idInKey(id)}${connection === undefined ? '' : `~${connection}`}`;

/** The key of a session with a name; the owner's and the common ones have it without an addition. */
export const ownedKey = (name: string, owner: string, common: CommonNames): string =>
  isOwner(owner) || isCommon(name, common) ? name : `${name}@${idInKey(owner)}`;

const idInKey = (id: string): string => (NAME.test(id) ? id : hashed(id));

/** The session that each caller has, and calls `default`. */
export const isDefault = (key: string): boolean => key.startsWith(OF_CALLER);

/** Whether the caller made it, and it is not the default session of another connection of the caller. */
export const isOwn = ({ name, owner }: { name: string; owner: string }, caller: Caller): boolean =>
  isDefault(name) ? name === defaultKey(caller) : isSameCaller(owner, caller.id);

export const profileSession = (profile: string): string => `${OF_PROFILE}${profile}`;

/** The profile whose session has that name; undefined when it is none of a profile. */
export const profileIn = (name: string | undefined): string | undefined =>
  name?.startsWith(OF_PROFILE) ? name.slice(OF_PROFILE.length) : undefined;

/** The name that its owner gave it. */
export const displayName = (key: string): string =>
  isDefault(key) ? DEFAULT : profileIn(key) !== undefined ? key : (key.split('@', 1)[0] ?? key);

/** The name by which the caller reaches it. */
export function nameFor(key: string, caller: Caller, common: CommonNames): string {
  const chosen = displayName(key);
  if (!isNamed(key) || ownedKey(chosen, caller.id, common) === key) return chosen;
  return key.includes('@') ? key : `${key}@${OWNER_IDS.local}`;
}

/** A name that nobody can guess, for a session without one. */
export const newHandle = (): string => randomUUID();

/** A session with such a name is made once: the name does not stand for another one later. */
export const isHandle = (key: string): boolean => HANDLE.test(key);

/** A session whose name a caller chose is saved for later. */
export const isNamed = (key: string): boolean => !isDefault(key) && profileIn(key) === undefined && !isHandle(key);

const hashed = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 16);
