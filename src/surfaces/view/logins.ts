// Logins to the page at /view: a one-time code, which is given to whoever has a token, becomes a cookie.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { TokenStore } from '../http/auth/token-store.ts';
import { hashOf, type TokenGrant } from '../http/auth/tokens.ts';
import { HttpRefusal } from '../http/refuse.ts';

/** How long a code waits, and a login that nobody uses. In ms. */
export const CODE_MS = 2 * 60_000;
const IDLE_MS = 12 * 3_600_000;
/** The oldest is forgotten first. */
const MOST_CODES = 32;
const MOST_LOGINS = 128;

const CODE_HEADER = 'x-view-code';
const HOW = 'Open the page with: tabwright view';

interface Kept {
  grant: TokenGrant;
  until: number;
}

export class Logins {
  readonly #tokens: TokenStore;
  /** By the hash of the code, or of the cookie. */
  readonly #codes = new Map<string, Kept>();
  readonly #logins = new Map<string, Kept>();

  constructor(tokens: TokenStore) {
    this.#tokens = tokens;
  }

  /** A code for the holder of that token. */
  newCode(grant: TokenGrant): string {
    return keep(this.#codes, grant, CODE_MS, MOST_CODES);
  }

  /** Whose code the request brings; it is worth nothing from then on. */
  redeem(headers: IncomingHttpHeaders): TokenGrant {
    const code = headers[CODE_HEADER];
    const key = typeof code === 'string' ? keyOf(code) : '';
    const kept = this.#codes.get(key);
    this.#codes.delete(key);
    if (kept && kept.until > Date.now() && this.#tokens.isGood(kept.grant)) return kept.grant;
    throw refused(`That code was used, has expired, or is none. ${HOW}`);
  }

  /** The value of the Set-Cookie header for a new login. */
  login(grant: TokenGrant, host: string): string {
    return cookieFor(host, keep(this.#logins, grant, IDLE_MS, MOST_LOGINS), IDLE_MS);
  }

  /** Whose login the cookie of the request is. */
  admit(headers: IncomingHttpHeaders): TokenGrant {
    checkSite(headers);
    const kept = this.#logins.get(keyIn(headers));
    if (!kept || kept.until <= Date.now() || !this.#tokens.isGood(kept.grant))
      throw refused(`You are not logged in. ${HOW}`);
    kept.until = Date.now() + IDLE_MS;
    return kept.grant;
  }

  /** Ends the login of the request; the value of the Set-Cookie header that removes its cookie. */
  logout(headers: IncomingHttpHeaders): string {
    this.#logins.delete(keyIn(headers));
    return cookieFor(headers.host ?? '', '', 0);
  }
}

/** Keeps a new secret for the grant; returns the secret. */
function keep(all: Map<string, Kept>, grant: TokenGrant, ms: number, most: number): string {
  for (const [key, { until }] of all) if (until <= Date.now()) all.delete(key);
  for (const key of [...all.keys()].slice(0, Math.max(0, all.size - most + 1))) all.delete(key);
  const secret = randomBytes(32).toString('base64url');
  all.set(keyOf(secret), { grant, until: Date.now() + ms });
  return secret;
}

const keyOf = (secret: string): string => hashOf(secret).toString('hex');

/** Cookies do not tell ports apart, so the name does: two servers of one machine have a login each. */
const cookieName = (host: string): string => `tabwright_view_${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;

const cookieFor = (host: string, value: string, ms: number): string =>
  `${cookieName(host)}=${value}; Path=/view; HttpOnly; SameSite=Strict; Max-Age=${ms / 1_000}`;

function keyIn({ cookie = '', host = '' }: IncomingHttpHeaders): string {
  const name = `${cookieName(host)}=`;
  const found = cookie.split(/; */).find(part => part.startsWith(name));
  return found === undefined ? '' : keyOf(found.slice(name.length));
}

/** A cookie goes along with requests of pages at other ports of this machine: browsers say of which they are. */
function checkSite({ 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new HttpRefusal('origin', 'Pages of other sites may not send requests here.');
}

const refused = (message: string): HttpRefusal => new HttpRefusal('token', message);
