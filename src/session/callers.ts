// Callers: who is the owner of this server, and where the files and saved logins of each caller are.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Options } from '../config/options.ts';
import type { CallerFolders } from '../engine/limits.ts';
import type { Permissions } from '../policy/decide.ts';

/** A connection or a token's holder. The id is no secret: names and the journal show it. */
export interface Caller {
  id: string;
  /** Tells its clients apart where their protocol has sessions: each has a default session of its own. */
  connection?: string;
  /** What the caller may do; everything when left out. */
  may?: Permissions;
  /** Most sessions at once, and most calls per minute; those of the options when left out. */
  maxSessions?: number;
  rateLimit?: number;
}

/** The ids of the owner: as the local user, and as the holder of the server's own token. No further token has one of them. */
export const OWNER_IDS = { local: 'local', http: 'http' } as const;

/** A client of the owner may have an id of its own, behind an "@", which no id of a token holds. */
export const isOwner = (id: string): boolean => Object.values<string>(OWNER_IDS).includes(id.split('@', 1)[0] ?? '');

/** All clients of the owner are one person; each token stands for another. */
export const isSameCaller = (one: string, other: string): boolean => one === other || (isOwner(one) && isOwner(other));

/** The owner's folders are those that the options name, and the one where its command line runs; each other caller has folders of its own below them. */
export function foldersOf(id: string, { outputDir, stateDir }: Options, work?: string): CallerFolders {
  const logins = join(stateDir, 'auth');
  if (isOwner(id)) return { output: outputDir, work, logins };
  const own = join('callers', folderName(id));
  return { output: join(outputDir, own), logins: join(logins, own) };
}

/** No id is a path, or the same as another one where capitals do not count. */
const folderName = (id: string): string =>
  /^[a-z0-9][a-z0-9_-]{0,63}$/.test(id) ? id : `~${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
