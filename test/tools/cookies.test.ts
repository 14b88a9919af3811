// Cookies (S1-49): every action and attribute, and what is never shown.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CookieList, CookieRow } from '../../src/engine/storage/cookies.ts';
import { type Kit, startKit } from '../kit.ts';
import { type LoginSite, startLoginSite } from './login-site.ts';
import { js, show } from './page.ts';

let kit: Kit;
let site: LoginSite;
beforeAll(async () => {
  kit = await startKit();
  site = await startLoginSite();
});
afterAll(async () => {
  await kit.close();
  await site.close();
});
afterEach(() => kit.ok('cookies', { action: 'clear' }));

const cookies = async (args: Record<string, unknown>): Promise<CookieRow[]> => {
  const result = await kit.call('cookies', args);
  expect(result.ok, result.text).toBe(true);
  return (result.data as CookieList).cookies;
};
const set = (args: Record<string, unknown>) => cookies({ action: 'set', ...args });
const names = async (args: Record<string, unknown> = {}) =>
  (await cookies({ action: 'get_all', ...args })).map(({ name }) => name).sort();
const soon = () => Math.round(Date.now() / 1000) + 1000;

describe('S1-49 cookies: set', () => {
  it('for the page that is open: host only, path /, for the session; the page and its server see it', async () => {
    await kit.open(site.url);
    expect(await kit.ok('cookies', { action: 'set', name: 'a', value: '1 2' })).toBe(
      'Set cookie a=…; domain=127.0.0.1; path=/; session',
    );
    expect(await js(kit, 'document.cookie')).toBe('a=1 2');
    await kit.ok('reload');
    expect(site.seen.at(-1)).toBe('a=1 2');
  });

  it('every attribute', async () => {
    const expires = soon();
    const [row] = await set({
      name: 'all',
      value: 'x',
      url: 'https://shop.example.test/',
      domain: 'example.test',
      path: '/app',
      secure: true,
      http_only: true,
      same_site: 'None',
      expires,
    });
    expect(row).toEqual({
      name: 'all',
      value: '[redacted]',
      domain: '.example.test',
      path: '/app',
      secure: true,
      http_only: true,
      same_site: 'None',
      expires,
    });
    expect(await kit.ok('cookies', { action: 'get_all' })).toContain(
      `all=[redacted]; domain=.example.test; path=/app; expires=${new Date(expires * 1000).toISOString()}; secure; http_only; same_site=None`,
    );
  });

  it.each(['Strict', 'Lax'])('same_site %s', async same_site => {
    expect(await set({ name: 's', value: '1', url: 'http://a.test', same_site })).toMatchObject([{ same_site }]);
  });

  it('a url alone: only its host; a domain alone: also the hosts below', async () => {
    expect(await set({ name: 'h', value: '1', url: 'http://a.test/deep/page' })).toMatchObject([
      { domain: 'a.test', path: '/' },
    ]);
    expect(await set({ name: 'd', value: '1', domain: 'a.test' })).toMatchObject([{ domain: '.a.test' }]);
    expect(await names({ url: 'http://a.test/' })).toEqual(['d', 'h']);
    expect(await names({ url: 'http://www.a.test/' })).toEqual(['d']);
  });

  it('replaces one of the same name, domain and path', async () => {
    await set({ name: 'n', value: '1', url: 'http://a.test' });
    await set({ name: 'n', value: '2', url: 'http://a.test' });
    expect(await cookies({ action: 'get_all' })).toMatchObject([{ name: 'n', value: '2' }]);
  });

  it.each([
    [{ name: 'x' }, /needs value/],
    [{ value: 'x' }, /needs name/],
    [{ name: 'x', value: 'a;b', url: 'http://a.test' }, /does not take/],
    [{ name: 'x', value: '1', url: 'http://a.test', same_site: 'None' }, /does not take/],
    [{ name: '__Host-x', value: '1', url: 'http://a.test', secure: false }, /does not take/],
    [{ name: 'x', value: '1', url: 'http://a.test', expires: 1000 }, /lies in the past/],
    [
      { name: 'x', value: '1', url: 'http://a.test', domain: 'b.test' },
      /a\.test cannot have a cookie for the domain b\.test/,
    ],
    [{ name: 'x', value: '1', domain: 'not a domain' }, /is no domain/],
    [{ name: 'x', value: '1', url: 'data:text/html,x' }, /has no cookies/],
    [{ name: 'x', value: '1', url: 'http://a.test', same_site: 'lax' }, /same_site must be one of/],
    [{ name: 'x', value: '1', path: 'app' }, /path/],
  ])('refuses %j', async (args, words) => {
    expect((await kit.fails('cookies', { action: 'set', ...args })).text).toMatch(words);
    expect(await names()).toEqual([]);
  });

  it('refuses more than 4096 bytes', async () => {
    const { code, text } = await kit.fails('cookies', {
      action: 'set',
      name: 'x',
      value: 'y'.repeat(5000),
      url: 'http://a.test',
    });
    expect(code).toBe('not_taken');
    expect(text).toMatch(/4096/);
    expect(text.length).toBeLessThan(400);
  });

  it('without a page, a url or a domain it says what is missing', async () => {
    await show(kit, 'no site');
    expect((await kit.fails('cookies', { action: 'set', name: 'x', value: '1' })).text).toMatch(
      /needs a url or a domain/,
    );
  });
});

describe('S1-49 cookies: get, get_all', () => {
  it('get by name: of the page, of a url, of a domain', async () => {
    await kit.open(site.url);
    await set({ name: 'n', value: 'here' });
    await set({ name: 'n', value: 'there', url: 'http://a.test/' });
    expect(await cookies({ action: 'get', name: 'n' })).toMatchObject([{ value: 'here' }]);
    expect(await cookies({ action: 'get', name: 'n', url: 'http://a.test/x' })).toMatchObject([{ value: 'there' }]);
    expect(await cookies({ action: 'get', name: 'n', domain: 'a.test' })).toMatchObject([{ value: 'there' }]);
    expect(await kit.ok('cookies', { action: 'get', name: 'none' })).toBe('No such cookie.');
    expect((await kit.fails('cookies', { action: 'get' })).text).toMatch(/needs name/);
  });

  it('get_all: all, of a url (its path and scheme too), by domain_filter', async () => {
    await set({ name: 'one', value: '1', url: 'http://a.test' });
    await set({ name: 'two', value: '1', url: 'http://sub.a.test' });
    await set({ name: 'deep', value: '1', url: 'http://a.test', path: '/deep' });
    await set({ name: 'safe', value: '1', url: 'https://a.test' });
    await set({ name: 'other', value: '1', url: 'http://na.test' });
    expect(await names()).toEqual(['deep', 'one', 'other', 'safe', 'two']);
    expect(await names({ url: 'http://a.test/' })).toEqual(['one']);
    expect(await names({ url: 'https://a.test/deep/er' })).toEqual(['deep', 'one', 'safe']);
    expect(await names({ domain_filter: 'a.test' })).toEqual(['deep', 'one', 'safe', 'two']);
    expect(await names({ domain_filter: '.sub.a.test' })).toEqual(['two']);
    await kit.ok('cookies', { action: 'clear' });
    expect(await kit.ok('cookies', { action: 'get_all' })).toBe('No cookies.');
  });

  it('never shows a cookie that scripts cannot read, nor one that is a secret by name or form', async () => {
    await kit.open(`${site.url}/login`);
    await kit.ok('click', { selector: 'role:button' });
    await set({ name: 'PHPSESSID', value: 'abcdef123', url: site.url });
    await set({ name: 'connect.sid', value: 'abcdef123', url: site.url });
    await set({ name: 'pass', value: 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYWRhIn0.c2ln', url: site.url });
    await set({ name: 'lang', value: 'de', url: site.url });
    const result = await kit.call('cookies', { action: 'get_all' });
    const said = JSON.stringify([result.text, result.data]);
    expect(said).not.toMatch(/made-up|abcdef123|eyJ/);
    expect(result.text).toMatch(/^lang=de;/m);
    expect(result.text).toMatch(/^login=\[redacted\];.*http_only/m);
    expect(result.text).toMatch(/4 values not shown/);
  });

  it('many cookies: a bounded list that says so', async () => {
    const hosts = Array.from({ length: 310 }, (_, at) => `http://h${at}.test/`);
    await Promise.all(hosts.map(url => set({ name: 'n', value: '1', url })));
    const result = await kit.call('cookies', { action: 'get_all' });
    expect((result.data as CookieList).cookies).toHaveLength(300);
    expect(result.text).toMatch(/and 10 more/);
    expect(await kit.ok('cookies', { action: 'clear' })).toMatch(/^Deleted 310 cookies: n/);
  });
});

describe('S1-49 cookies: delete, clear', () => {
  it('delete by name: whatever its path, of the page or a url; nothing else goes', async () => {
    await set({ name: 'n', value: '1', url: 'http://a.test' });
    await set({ name: 'n', value: '1', url: 'http://a.test', path: '/deep' });
    await set({ name: 'm', value: '1', url: 'http://a.test' });
    await set({ name: 'n', value: '1', url: 'http://b.test' });
    expect(await kit.ok('cookies', { action: 'delete', name: 'n', url: 'http://a.test/', path: '/deep' })).toBe(
      'Deleted 1 cookie: n',
    );
    expect(await names({ domain_filter: 'a.test' })).toEqual(['m', 'n']);
    await kit.ok('cookies', { action: 'delete', name: 'n', url: 'http://a.test/' });
    expect(await names()).toEqual(['m', 'n']);
    expect(await kit.ok('cookies', { action: 'delete', name: 'n', url: 'http://a.test/' })).toMatch(
      /nothing was deleted/,
    );
    await kit.ok('cookies', { action: 'delete', name: 'n', domain: 'b.test' });
    expect(await names()).toEqual(['m']);
    expect((await kit.fails('cookies', { action: 'delete' })).text).toMatch(/needs name/);
  });

  it('clear: by domain_filter (with the hosts below), by url, all', async () => {
    for (const host of ['a.test', 'x.a.test', 'b.test', 'c.test'])
      await set({ name: host, value: '1', url: `http://${host}` });
    expect(await kit.ok('cookies', { action: 'clear', domain_filter: 'a.test' })).toMatch(/^Deleted 2 cookies: /);
    expect(await names()).toEqual(['b.test', 'c.test']);
    await kit.ok('cookies', { action: 'clear', url: 'http://b.test/' });
    expect(await names()).toEqual(['c.test']);
    await kit.ok('cookies', { action: 'clear' });
    expect(await kit.ok('cookies', { action: 'clear' })).toMatch(/nothing was cleared/);
  });
});

describe('S1-49 cookies, in trouble', () => {
  it('works while a dialog is open, and in each session for itself', async () => {
    await kit.open('/dialogs.html');
    await kit.ok('click', { selector: '#alert' });
    await set({ name: 'n', value: '1' });
    expect(await names()).toEqual(['n']);
    expect(await names({ session: 'another' })).toEqual([]);
    await kit.ok('dialog', { action: 'accept' });
  });

  it('the journal does not keep the value', async () => {
    const { maskedArgs } = await import('../../src/call/shown-arguments.ts');
    const { TOOLS } = await import('../../src/tools/index.ts');
    const kept = (name: string, args: object) =>
      maskedArgs(
        TOOLS.find(tool => tool.name === name),
        args,
      );
    expect(kept('cookies', { action: 'set', name: 'n', value: 'hush' })).toMatchObject({
      name: 'n',
      value: '‹4 chars›',
    });
    expect(kept('storage', { action: 'set', key: 'k', value: 'hush' })).toMatchObject({ key: 'k', value: '‹4 chars›' });
  });

  it('a window of its own has cookies of its own', async () => {
    await set({ name: 'mine', value: '1', url: 'http://a.test' });
    const { data } = await kit.call('window_new', { incognito: true });
    expect(await names()).toEqual([]);
    await kit.ok('tab_close', { tabId: (data as { tabId: number }).tabId });
    expect(await names()).toEqual(['mine']);
  });
});
