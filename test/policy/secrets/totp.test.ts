// TOTP codes: the test vectors of RFC 6238, and the seeds that people have.
import { describe, expect, it } from 'vitest';
import { readSeed, type TotpSeed, totpAt } from '../../../src/policy/secrets/totp.ts';

const ascii = '12345678901234567890';
const key = (bytes: number) => Buffer.from(ascii.repeat(4).slice(0, bytes));
const KEYS = { sha1: key(20), sha256: key(32), sha512: key(64) } as const;
const seed = (algorithm: TotpSeed['algorithm']): TotpSeed => ({
  key: KEYS[algorithm],
  algorithm,
  digits: 8,
  period: 30,
});

describe('15 TOTP, appendix B of RFC 6238', () => {
  it.each([
    [59, '94287082', '46119246', '90693936'],
    [1_111_111_109, '07081804', '68084774', '25091201'],
    [1_111_111_111, '14050471', '67062674', '99943326'],
    [1_234_567_890, '89005924', '91819424', '93441116'],
    [2_000_000_000, '69279037', '90698825', '38618901'],
    [20_000_000_000, '65353130', '77737706', '47863826'],
  ])('at %i s', (seconds, sha1, sha256, sha512) => {
    const at = (algorithm: TotpSeed['algorithm']) => totpAt(seed(algorithm), seconds * 1_000).code;
    expect([at('sha1'), at('sha256'), at('sha512')]).toEqual([sha1, sha256, sha512]);
  });

  it('tells when a code runs out', () => {
    expect(totpAt(seed('sha1'), 59_000).until).toBe(60_000);
    expect(totpAt(seed('sha1'), 60_000).until).toBe(90_000);
  });
});

describe('15 seeds', () => {
  const usual = { key: Buffer.from(ascii), algorithm: 'sha1', digits: 6, period: 30 };

  it('in base32, as people copy it', () => {
    expect(readSeed('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')).toEqual(usual);
    expect(readSeed(' gezd gnbv-gy3t qojq gezd gnbv gy3t qojq== ')).toEqual(usual);
  });

  it('as an otpauth: url', () => {
    const url = 'otpauth://totp/Shop:ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Shop';
    expect(readSeed(url)).toEqual(usual);
    const other = { ...usual, algorithm: 'sha256', digits: 8, period: 60 };
    expect(readSeed(`${url}&algorithm=SHA256&digits=8&period=60`)).toEqual(other);
  });

  it.each([
    '',
    'hello world!',
    'GEZDGNBV',
    'otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    'otpauth://totp/x',
    '1890',
  ])('not %j', text => expect(readSeed(text)).toBeUndefined());
});
