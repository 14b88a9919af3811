// A grant: what one token is good for.
import { createHash } from 'node:crypto';
import type { Caller } from '../../../session/server.ts';

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

/** Who holds the token of the token file, and everybody where none is asked for: their sessions outlive a change of that. */
export const OWNER = 'http';
