// The token that HTTP clients send: made once, kept in a file that only its owner can read.
import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFileSync } from '../../../config/private-files.ts';
import { Failure } from '../../../errors.ts';
import { OWNER_IDS } from '../../../session/callers.ts';
import type { Caller } from '../../../session/server.ts';

const TOKEN_BYTES = 32;
export const LEAST_CHARS = 16;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** The token in that file; the first time it is made. */
export function openToken(file: string): string {
  return explaining(() => {
    if (!statSync(file, { throwIfNoEntry: false })) make(file);
    return read(file);
  });
}

/** Another token in that file; the one before is worth nothing from then on. */
export const replaceToken = (file: string): void => explaining(() => replaceFileSync(file, `${newToken()}\n`));

function explaining<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(
      'file_error',
      `The token file cannot be made or read: ${why}.`,
      'Choose a folder that can be written with --state-dir, or another file with --token-file.',
      { cause: error },
    );
  }
}

/** Whole or not at all, and never over one that another start made in the meantime. */
function make(file: string): void {
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${newToken()}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function read(file: string): string {
  // Windows has no such modes; there the folder of the user guards the file.
  if (process.platform !== 'win32' && statSync(file).mode & 0o077)
    throw new Failure('file_error', `Others can read the token file ${file}.`, `Run: chmod 600 ${file}`);
  const token = readFileSync(file, 'utf8').trim();
  if (token.length >= LEAST_CHARS && /^\S+$/.test(token)) return token;
  throw new Failure(
    'file_error',
    `${file} holds no token: it must be one word of at least ${LEAST_CHARS} characters.`,
    'Remove the file to get a new one.',
  );
}

export interface TokenGrant {
  /** SHA-256 of the token: the token itself is not kept. */
  hash: Buffer;
  caller: Caller;
  /** In ms since 1970. */
  expires?: number;
}

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export const isOver = ({ expires }: Pick<TokenGrant, 'expires'>): boolean =>
  expires !== undefined && Date.now() >= expires;

/** In words for people, to the minute. */
export const utcTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Who holds the token of the token file, and everybody where none is asked for: their sessions outlive a change of that. */
export const OWNER = OWNER_IDS.http;
