// Set-Cookie lines as a browser reads them, for the request tool.
import { describe, expect, it } from 'vitest';
import { readSetCookie } from '../../src/engine/network/request/cookies.ts';
import { maskHeader } from '../../src/policy/mask.ts';

const read = (line: string, url = 'https://www.example.com/shop/cart') => readSetCookie(line, new URL(url), 1_000_000);

describe('Set-Cookie (S1-52)', () => {
  it.each([
    ['a=1', { name: 'a', value: '1', domain: 'www.example.com', path: '/shop', expires: -1, sameSite: 'Lax' }],
    ['a=b=c; Path=/; HttpOnly; Secure', { value: 'b=c', path: '/', httpOnly: true, secure: true }],
    ['a=1; Domain=example.com', { domain: '.example.com' }],
    ['a=1; domain=.Example.com; SameSite=none; secure', { domain: '.example.com', sameSite: 'None' }],
    ['a=1; Max-Age=60; Expires=Thu, 01 Jan 2099 00:00:00 GMT', { expires: 1_060 }],
    ['a=1; Expires=Thu, 01 Jan 1970 00:10:00 GMT', { expires: 600 }],
    ['a=; Max-Age=0', { value: '', expires: 1 }],
    ['a=1; Expires=nonsense; Path=relative', { expires: -1, path: '/shop' }],
    ['novalue', { name: '', value: 'novalue' }],
  ])('%s', (line, cookie) => expect(read(line)).toMatchObject(cookie));

  it.each([
    ['a=1; Domain=other.com', undefined],
    ['a=1; Domain=com', undefined],
    ['a=1; Domain=ample.com', undefined],
    ['a=1; Domain=127.0.0.1', 'http://10.0.0.1/'],
    ['a=1; Secure', 'http://www.example.com/'],
    ['=', undefined],
  ])('%s of a server that may not set it', (line, url) => expect(read(line, url)).toBeUndefined());

  it('on this machine', () => {
    expect(read('a=1; Secure', 'http://localhost:8080/')).toMatchObject({ domain: 'localhost', path: '/' });
    expect(read('a=1; Domain=localhost', 'http://localhost/')).toMatchObject({ domain: 'localhost' });
    expect(read('a=1; Domain=127.0.0.1', 'http://127.0.0.1/')).toMatchObject({ domain: '127.0.0.1' });
  });
});

describe('headers for others to read (S1-53)', () => {
  it.each([
    ['Cookie', 'a=1; b=two', 'a=[redacted]; b=[redacted]'],
    ['Set-Cookie', 'sid=x=y; Path=/\nb=2', 'sid=[redacted]; Path=/\nb=[redacted]'],
    ['authorization', 'Bearer abc', 'Bearer [redacted]'],
    ['Authorization', 'my secret words', '[redacted]'],
    ['X-Api-Key', 'abc', '[redacted]'],
    ['X-CSRF-Token', 'abc', '[redacted]'],
    ['Content-Type', 'text/html', 'text/html'],
  ])('%s: %s', (name, value, masked) => expect(maskHeader(name, value)).toBe(masked));
});
