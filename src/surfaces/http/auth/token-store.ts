// The keys to the HTTP door: whose token a request carries. Their files are looked at again when they changed.
import { timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Log } from '../../../config/log.ts';
import { Failure } from '../../../errors.ts';
import type { Caller } from '../../../session/server.ts';
import { HttpRefusal, INVALID_REQUEST } from '../refuse.ts';
import { hashOf, isOver, OWNER, openToken, type TokenGrant } from './tokens.ts';

export interface TokenStore {
  /** Who is let in; a Refusal for everybody else. */
  admit(headers: IncomingHttpHeaders): TokenGrant;
  /** Looks whether the files changed, unless that was done a moment ago. Undefined when there is nothing to wait for. */
  look(): Promise<void> | undefined;
  /** False for a token that was removed, replaced or has expired since it was let in. */
  isGood(grant: TokenGrant): boolean;
  /** False when no good token of that caller is left. */
  knows(caller: string): boolean;
}

/** How long, in ms, the files are trusted to be as they were. */
const LOOK_MS = 250;

const HOW = 'Send "Authorization: Bearer TOKEN" or "X-API-Key: TOKEN"';

/** For a server that asks for no token: everybody is that caller. */
export function noAuth(caller: Caller = { id: OWNER }): TokenStore {
  const everybody: TokenGrant = { hash: Buffer.alloc(0), caller };
  return { admit: () => everybody, look: () => undefined, isGood: () => true, knows: () => true };
}

/** One place that tokens come from. */
export interface TokenSource {
  path: string;
  read(): TokenGrant[] | Promise<TokenGrant[]>;
}

/** The one token of its owner; a new one is made when the file is gone. */
export const tokenSource = (path: string): TokenSource => ({
  path,
  read: () => [{ hash: hashOf(openToken(path)), caller: { id: OWNER } }],
});

/** The same, when whoever started the server named it. */
export const givenToken = (token: string): TokenSource => ({
  path: '',
  read: () => [{ hash: hashOf(token), caller: { id: OWNER } }],
});

/** The file with the tokens of many. One that is not there holds none, unless it was asked for. */
export const tokensSource = (path: string, mayBeMissing: boolean): TokenSource => ({
  path,
  async read() {
    if (mayBeMissing && signatureOf(path) === MISSING) return [];
    const { readTokens } = await import('./tokens-file.ts');
    return readTokens(path);
  },
});

interface Read {
  source: TokenSource;
  /** How the file looked when it was read. */
  signature: string;
  grants: TokenGrant[];
}

export class FileTokenStore implements TokenStore {
  readonly #log: Log;
  readonly #files: Read[];
  /** By id. Each lives on while its file changes, so that who holds one sees what it may do now. */
  readonly #callers = new Map<string, Caller>();
  #grants: TokenGrant[] = [];
  #looked = performance.now();
  #looking: Promise<void> | undefined;

  private constructor(files: Read[], log: Log) {
    this.#files = files;
    this.#log = log;
    this.#merge();
  }

  /** A file that cannot be read stops the start. */
  static async open(sources: readonly TokenSource[], log: Log): Promise<FileTokenStore> {
    const files: Read[] = [];
    for (const source of sources) files.push(await readFrom(source));
    return new FileTokenStore(files, log);
  }

  admit(headers: IncomingHttpHeaders): TokenGrant {
    const token = tokenIn(headers);
    if (token === undefined) throw unauthorized(`This needs the token. ${HOW}; serve prints which file holds it.`);
    const hash = hashOf(token);
    let found: TokenGrant | undefined;
    // All of them, and their hashes: how long it takes tells nothing about any token.
    for (const grant of this.#grants) if (timingSafeEqual(hash, grant.hash)) found = grant;
    if (!found) throw unauthorized(`Invalid authentication: that is no token of this server. ${HOW}.`);
    if (isOver(found)) throw expired(found);
    return found;
  }

  look(): Promise<void> | undefined {
    if (this.#looking) return this.#looking;
    const now = performance.now();
    if (now - this.#looked < LOOK_MS) return undefined;
    this.#looked = now;
    const changed = this.#files.filter(({ source, signature }) => signatureOf(source.path) !== signature);
    if (changed.length === 0) return undefined;
    this.#looking = this.#readAgain(changed).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  isGood(grant: TokenGrant): boolean {
    const isSame = ({ hash, caller }: TokenGrant) => caller.id === grant.caller.id && hash.equals(grant.hash);
    return this.#grants.some(now => isSame(now) && !isOver(now));
  }

  knows(caller: string): boolean {
    return this.#grants.some(grant => grant.caller.id === caller && !isOver(grant));
  }

  async #readAgain(changed: Read[]): Promise<void> {
    for (const file of changed) {
      file.signature = signatureOf(file.source.path);
      try {
        Object.assign(file, await readFrom(file.source));
        this.#log.info(`http: read ${file.source.path} again`);
      } catch (error) {
        this.#keep(file, error);
      }
    }
    this.#merge();
  }

  /** A file that is broken while somebody edits it takes nothing away; one that is gone does. */
  #keep(file: Read, error: unknown): void {
    const isGone = file.signature === MISSING;
    if (isGone) file.grants = [];
    const why = error instanceof Failure ? [error.message, error.hint].filter(Boolean).join(' ') : String(error);
    this.#log.error(`http: ${why} ${isGone ? 'Its tokens are worth nothing now.' : 'The tokens read before stay.'}`);
  }

  /** A token that stands in both files has the rights of the latter: those are the narrower ones. */
  #merge(): void {
    const byHash = new Map(
      this.#files.flatMap(({ grants }) => grants.map(grant => [grant.hash.toString('hex'), grant])),
    );
    this.#grants = [...byHash.values()].map(grant => ({ ...grant, caller: this.#callerFor(grant.caller) }));
  }

  #callerFor({ id, may, maxSessions, rateLimit }: Caller): Caller {
    const caller = this.#callers.get(id) ?? { id };
    this.#callers.set(id, caller);
    delete caller.may;
    delete caller.maxSessions;
    delete caller.rateLimit;
    return Object.assign(
      caller,
      may && { may },
      maxSessions !== undefined && { maxSessions },
      rateLimit !== undefined && { rateLimit },
    );
  }
}

const MISSING = 'missing';

/** Differs when the file was written, replaced, or its mode changed. */
function signatureOf(path: string): string {
  try {
    const file = statSync(path, { bigint: true, throwIfNoEntry: false });
    return file ? [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs, file.mode].join() : MISSING;
  } catch (error) {
    return String(error);
  }
}

/** The look comes first: what is written meanwhile is seen the next time. */
async function readFrom(source: TokenSource): Promise<Read> {
  const signature = signatureOf(source.path);
  return { source, signature, grants: await source.read() };
}

/** Of an Authorization that is no bearer's (a proxy may use it) the other header is taken. */
function tokenIn({ authorization = '', 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return bearer ?? (typeof key === 'string' && /^\S+$/.test(key) ? key : undefined);
}

const unauthorized = (message: string, caller?: string): HttpRefusal =>
  new HttpRefusal('token', message, {
    headers: { 'www-authenticate': 'Bearer' },
    code: INVALID_REQUEST,
    ...(caller !== undefined && { caller }),
  });

function expired({ caller: { id }, expires = 0 }: TokenGrant): HttpRefusal {
  const time = new Date(expires).toISOString().slice(0, 16).replace('T', ' ');
  return unauthorized(
    `Invalid authentication: the token of ${id} expired at ${time} UTC. A new one: tabwright token rotate ${id}.`,
    id,
  );
}
