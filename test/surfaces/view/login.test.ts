// The login of the page at /view: a code for one use becomes a cookie, and nothing else opens it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../http/ask.ts';
import { type Here, TOKEN } from '../http/here.ts';
import { newCode, Person, redeem } from './person.ts';
import { serveView } from './served-view.ts';

let here: Here;
const at = (path: string) => new URL(path, here.url).href;

beforeAll(async () => {
  here = (await serveView({ http: TOKEN })).here;
});
afterAll(() => here.end());

describe('a code', () => {
  it('is given to whoever has a token, and to nobody else', async () => {
    expect((await ask(at('/view/code'), { method: 'POST' })).status).toBe(401);
    expect(await newCode(here.url, TOKEN)).toMatch(/^[\w-]{43}$/);
  });

  it('becomes a cookie that scripts cannot read and other sites do not send, once', async () => {
    const code = await newCode(here.url, TOKEN);
    const first = await redeem(here.url, code);
    expect(first.status).toBe(204);
    expect(first.headers['set-cookie']?.[0]).toMatch(
      /^tabwright_view_\d+=[\w-]{43}; Path=\/view; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    const second = await redeem(here.url, code);
    expect(second.status).toBe(401);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(JSON.parse(second.text)).toEqual({
      error: { rule: 'token', message: expect.stringContaining('tabwright view') },
    });
  });

  it('that was made up is none', async () => {
    for (const code of ['', 'x', TOKEN]) expect((await redeem(here.url, code)).status).toBe(401);
  });
});

describe('a login', () => {
  it('ends when the person says so', async () => {
    const person = await Person.login(here.url, TOKEN);
    expect((await person.ask('/view/login', { method: 'DELETE' })).status).toBe(204);
    expect((await person.ask('/view/login', { method: 'DELETE' })).status).toBe(401);
  });

  it('is not taken from pages of other sites, ports or names', async () => {
    const person = await Person.login(here.url, TOKEN);
    const { port } = new URL(here.url);
    const foreign = [
      { origin: 'https://evil.test' },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host: `evil.test:${port}` },
    ];
    for (const headers of foreign)
      expect((await person.ask('/view/login', { method: 'DELETE', headers })).status, JSON.stringify(headers)).toBe(
        403,
      );
  });

  it('opens nothing but the page: tools still want the token', async () => {
    const person = await Person.login(here.url, TOKEN);
    expect((await person.ask('/mcp', { method: 'POST' })).status).toBe(401);
  });
});

describe('the files of the page', () => {
  it('are at /view/, and nothing around them is', async () => {
    expect((await ask(at('/view'))).headers.location).toBe('/view/');
    for (const path of [
      '/view/../package.json',
      '/view/..%2fpackage.json',
      '/view/%2e%2e%2ftabwright.js',
      '/view/.env',
      '/view/app.exe',
    ])
      expect((await ask(at(path))).status, path).toBe(404);
  });
});
