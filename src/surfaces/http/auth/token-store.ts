// The tokens that are accepted over HTTP, and whose token a request carries. Their files are read again when they changed.
import { timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Log } from '../../../config/log.ts';
import { Failure } from '../../../errors.ts';
import type { Caller } from '../../../session/server.ts';
import { HttpRefusal, INVALID_REQUEST } from '../refuse.ts';
import { hashOf, isOver, OWNER, openToken, type TokenGrant, utcTime } from './tokens.ts';

export interface TokenStore {
  /** The grant of the token that the request carries; an HttpRefusal without a good one. */
  admit(headers: IncomingHttpHeaders): TokenGrant;
  /** Reads the files that changed, unless that was checked a moment ago. Undefined when there is nothing to wait for. */
  refresh(): Promise<void> | undefined;
  /** False for a token that was removed, replaced or has expired since it was admitted. */
  isGood(grant: TokenGrant): boolean;
  /** False when no good token of that caller is left. */
  knows(caller: string): boolean;
}

/** How often, in ms, the files are checked at the most. */
const CHECK_MS = 250;

const HOW = 'Send "Authorization: Bearer TOKEN" or "X-API-Key: TOKEN"';

/** For a server that asks for no token: everybody is that caller. */
export function noAuth(caller: Caller = { id: OWNER }): TokenStore {
  const everybody: TokenGrant = { hash: Buffer.alloc(0), caller };
  return { admit: () => everybody, refresh: () => undefined, isGood: () => true, knows: () => true };
}

/** A file, or an option, that tokens come from. */
export interface TokenSource {
  path: string;
  read(): TokenGrant[] | Promise<TokenGrant[]>;
}

/** The token of the owner: the given one, or that of the file, which is made when it is missing. */
export const tokenSource = (path: string, given?: string): TokenSource => ({
  path: given === undefined ? path : '',
  read: () => [{ hash: hashOf(given ?? openToken(path)), caller: { id: OWNER } }],
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
  /** By id. The object of a caller stays when its file changes, so that sessions see what the caller may do now. */
  readonly #callers = new Map<string, Caller>();
  #grants: TokenGrant[] = [];
  #checked = performance.now();
  #reading: Promise<void> | undefined;

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

  /** A token that was given has no file. */
  #whereItIs(): string {
    const isGiven = this.#files[0]?.source.path === '';
    return isGiven ? 'it is the one that serve was started with' : 'serve prints which file holds it';
  }

  admit(headers: IncomingHttpHeaders): TokenGrant {
    const token = tokenIn(headers);
    if (token === undefined)
      throw unauthorized(`Invalid authentication: this needs the token. ${HOW}; ${this.#whereItIs()}.`);
    const hash = hashOf(token);
    let found: TokenGrant | undefined;
    // All hashes are compared, so that the time it takes reveals nothing about any token.
    for (const grant of this.#grants) if (timingSafeEqual(hash, grant.hash)) found = grant;
    if (!found) throw unauthorized(`Invalid authentication: that is no token of this server. ${HOW}.`);
    if (isOver(found)) throw expired(found);
    return found;
  }

  refresh(): Promise<void> | undefined {
    if (this.#reading) return this.#reading;
    const now = performance.now();
    if (now - this.#checked < CHECK_MS) return undefined;
    this.#checked = now;
    const changed = this.#files.filter(({ source, signature }) => signatureOf(source.path) !== signature);
    if (changed.length === 0) return undefined;
    this.#reading = this.#readAgain(changed).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
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
        this.#handleUnreadable(file, error);
      }
    }
    this.#merge();
  }

  /** A file that is broken while somebody edits it takes nothing away; one that is gone does. */
  #handleUnreadable(file: Read, error: unknown): void {
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

  #callerFor(read: Caller): Caller {
    const caller = this.#callers.get(read.id) ?? { id: read.id };
    this.#callers.set(read.id, caller);
    for (const key of ['may', 'maxSessions', 'rateLimit'] as const) delete caller[key];
    return Object.assign(caller, read);
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

/** The signature is taken first: what is written meanwhile is seen the next time. */
async function readFrom(source: TokenSource): Promise<Read> {
  const signature = signatureOf(source.path);
  return { source, signature, grants: await source.read() };
}

/** X-API-Key counts when Authorization is no bearer token: a proxy may use that header. */
function tokenIn({ authorization = '', 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return bearer ?? (typeof key === 'string' && /^\S+$/.test(key) ? key : undefined);
}

const unauthorized = (message: string, caller?: string): HttpRefusal =>
  new HttpRefusal('token', message, {
    headers: { 'www-authenticate': 'Bearer' },
    code: INVALID_REQUEST,
    caller,
  });

function expired({ caller: { id }, expires = 0 }: TokenGrant): HttpRefusal {
  const message = `Invalid authentication: the token of ${id} expired at ${utcTime(expires)}.`;
  return unauthorized(`${message} A new one: tabwright token rotate ${id}.`, id);
}
