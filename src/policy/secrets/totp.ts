// Codes that change with the time (TOTP, RFC 6238), from a seed in base32 or an otpauth: url.
import { createHmac } from 'node:crypto';

export interface TotpSeed {
  key: Buffer;
  algorithm: 'sha1' | 'sha256' | 'sha512';
  digits: number;
  /** In seconds. */
  period: number;
}

export interface TotpCode {
  code: string;
  /** When it stops to count, in ms since 1970. */
  until: number;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Shorter keys are typing mistakes: those of RFC 4226 have 16 bytes or more, a few services give 10. */
const LEAST_BYTES = 10;

/** Undefined for what is no seed. */
export function readSeed(text: string): TotpSeed | undefined {
  const given = text.trim();
  return given.startsWith('otpauth:') ? readUrl(given) : seedOf(given, 'sha1', 6, 30);
}

function readUrl(given: string): TotpSeed | undefined {
  if (!URL.canParse(given)) return undefined;
  const { host, pathname, searchParams } = new URL(given);
  const get = (name: string, usual: string) => searchParams.get(name) ?? usual;
  const algorithm = get('algorithm', 'SHA1').toLowerCase().replace('-', '');
  if (host !== 'totp' && !pathname.startsWith('//totp')) return undefined;
  return seedOf(get('secret', ''), algorithm, Number(get('digits', '6')), Number(get('period', '30')));
}

function seedOf(base32: string, algorithm: string, digits: number, period: number): TotpSeed | undefined {
  const key = bytesOf(base32);
  if (!key || !isAlgorithm(algorithm)) return undefined;
  const isSane = [6, 7, 8].includes(digits) && Number.isInteger(period) && period >= 5 && period <= 300;
  return isSane ? { key, algorithm, digits, period } : undefined;
}

const isAlgorithm = (name: string): name is TotpSeed['algorithm'] => ['sha1', 'sha256', 'sha512'].includes(name);

/** Base32 as people copy it: in groups, in small letters, with or without the signs that fill it up. */
function bytesOf(base32: string): Buffer | undefined {
  const letters = base32.replace(/[\s-]|=+$/g, '').toUpperCase();
  if (!/^[A-Z2-7]+$/.test(letters)) return undefined;
  const bits = [...letters].map(letter => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from(bits.match(/.{8}/g)?.map(byte => Number.parseInt(byte, 2)) ?? []);
  return bytes.length >= LEAST_BYTES ? bytes : undefined;
}

export function totpAt({ key, algorithm, digits, period }: TotpSeed, ms: number): TotpCode {
  const step = Math.floor(ms / 1_000 / period);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac(algorithm, key).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return { code: String(number % 10 ** digits).padStart(digits, '0'), until: (step + 1) * period * 1_000 };
}
