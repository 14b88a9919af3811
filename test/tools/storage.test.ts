// Web storage (S1-50): every action and parameter, other frames, and pages that have none.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StorageResult } from '../../src/engine/storage/web-storage.ts';
import { type Kit, startKit } from '../kit.ts';
import { js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.open('/article.html');
  await js(kit, 'localStorage.clear(); sessionStorage.clear()');
});

const use = (action: string, more: Record<string, unknown> = {}) => kit.ok('storage', { action, ...more });
const data = async (action: string, more: Record<string, unknown> = {}): Promise<StorageResult> => {
  const result = await kit.call('storage', { action, ...more });
  expect(result.ok, result.text).toBe(true);
  return result.data as StorageResult;
};

describe.each(['local', 'session'])('S1-50 storage of type %s', type => {
  const area = `${type}Storage`;

  it('set, get, keys, entries, length, remove, clear: what the page sees too', async () => {
    const { url } = kit.site;
    expect(await use('set', { type, key: 'a', value: 'one\n"two"' })).toBe(`Set "a" in the ${type} storage of ${url}.`);
    expect(await js(kit, `${area}.getItem('a')`)).toBe('one\n"two"');
    await js(kit, `${area}.setItem('länge', '')`);
    expect(await use('get', { type, key: 'a' })).toBe('one\n"two"');
    expect((await data('keys', { type })).keys?.sort()).toEqual(['a', 'länge']);
    expect((await data('entries', { type })).entries?.sort()).toEqual([
      ['a', 'one\n"two"'],
      ['länge', ''],
    ]);
    expect(await use('length', { type })).toBe(`2 items in the ${type} storage of ${url}.`);
    expect(await use('remove', { type, key: 'a' })).toBe(`Removed "a" from the ${type} storage of ${url}.`);
    expect(await use('remove', { type, key: 'a' })).toMatch(/^There was no "a"/);
    expect(await use('clear', { type })).toMatch(/^Removed 1 item from/);
    expect(await js(kit, `${area}.length`)).toBe('0');
    expect(await use('entries', { type })).toBe(`0 items in the ${type} storage of ${url}.`);
  });

  it('a key that is not there, and keys that are called like methods', async () => {
    expect(await use('get', { type, key: 'none' })).toMatch(/^There is no "none"/);
    expect((await data('get', { type, key: 'none' })).value).toBeNull();
    for (const key of ['getItem', 'length', '', '__proto__']) await use('set', { type, key, value: `<${key}>` });
    expect((await data('keys', { type })).keys?.sort()).toEqual(['', '__proto__', 'getItem', 'length']);
    expect(await use('get', { type, key: 'length' })).toBe('<length>');
    expect(await use('get', { type, key: '' })).toBe('<>');
  });
});

describe('S1-50 storage', () => {
  it('type is local unless given; the two are apart', async () => {
    await use('set', { key: 'k', value: 'l' });
    await use('set', { key: 'k', value: 's', type: 'session' });
    expect(await js(kit, 'localStorage.k + sessionStorage.k')).toBe('ls');
    expect(await use('keys')).toBe(`1 item in the local storage of ${kit.site.url}:\n"k"`);
  });

  it('tabId: of that tab', async () => {
    await use('set', { key: 'k', value: 'here' });
    const opened = await kit.call('tab_new', { url: `${kit.site.otherSiteUrl}/article.html` });
    const { tabId } = opened.data as { tabId: number };
    const { origin, value } = await data('get', { tabId, key: 'k' });
    expect([origin, value]).toEqual([kit.site.otherSiteUrl, null]);
    await kit.ok('tab_close', { tabId });
    expect((await kit.fails('storage', { action: 'length', tabId })).code).toBe('no_tab');
  });

  it.each([
    ['a data: page', (): Promise<unknown> => show(kit, 'x')],
    ['about:blank', () => kit.ok('navigate', { url: 'about:blank' })],
  ])('%s has none, and says so', async (_, open) => {
    await open();
    const { code, text } = await kit.fails('storage', { action: 'keys' });
    expect(code).toBe('refused');
    expect(text).toMatch(/has no local storage: its origin is opaque/);
    expect(text).toMatch(/Open an http/);
  });

  it('a page that breaks its own localStorage is read all the same', async () => {
    await js(
      kit,
      "localStorage.setItem('k', 'v'); Storage.prototype.getItem = () => 'lie'; delete window.localStorage",
    );
    expect(await use('get', { key: 'k' })).toBe('v');
  });

  it.each([
    [{ action: 'get' }, 'needs key'],
    [{ action: 'set', key: 'k' }, 'needs value'],
    [{ action: 'set', value: 'k' }, 'needs key'],
    [{ action: 'remove' }, 'needs key'],
    [{ action: 'put' }, 'action must be one of'],
    [{ action: 'get', key: 'k', type: 'both' }, 'type must be one of'],
    [{ action: 'set', key: 'k', value: 5 }, 'value must be text'],
  ])('refuses %j', async (args, words) => {
    const { code, text } = await kit.fails('storage', args);
    expect(code).toBe('bad_input');
    expect(text).toContain(words);
  });

  it('a full storage is told, and nothing is half written', async () => {
    await js(kit, "localStorage.setItem('big', 'x'.repeat(5_000_000))");
    const { code, text } = await kit.fails('storage', { action: 'set', key: 'more', value: 'y'.repeat(500_000) });
    expect(code).toBe('not_taken');
    expect(text).toMatch(/full/);
    expect((await data('get', { key: 'more' })).value).toBeNull();
  });

  it('answers are bounded and say what is missing', async () => {
    await js(kit, "localStorage.setItem('big', 'x'.repeat(1_000_000))");
    const one = await use('get', { key: 'big' });
    expect(one.length).toBeLessThanOrEqual(25_000);
    expect(one).toMatch(/… \d+ more characters$/);
    await js(kit, 'for (let i = 0; i < 600; i++) localStorage.setItem("k" + i, "v")');
    const all = await use('entries');
    expect(all).toMatch(/^601 items/);
    expect(all).toMatch(/… 101 more items/);
    expect((await data('keys')).keys).toHaveLength(500);
    expect(all).not.toContain('x'.repeat(600));
  });

  it('secrets are not shown', async () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYWRhIn0.c2ln';
    await use('set', { key: 'access_token', value: 'abc' });
    await use('set', { key: 'user', value: JSON.stringify({ name: 'Ada', jwt }) });
    const said = JSON.stringify(await kit.call('storage', { action: 'entries' }));
    expect(said).not.toMatch(/"abc|eyJhbG/);
    expect(said).toContain('Ada');
    expect(await use('get', { key: 'access_token' })).toMatch(/^\[redacted\]\n1 value not shown/);
  });

  it('a dialog, a page in a loop and a cancelled call end in clear words', async () => {
    await kit.open('/dialogs.html');
    await kit.ok('click', { selector: '#alert' });
    expect((await kit.fails('storage', { action: 'keys' })).code).toBe('dialog_open');
    await kit.ok('dialog', { action: 'accept' });
    const stop = new AbortController();
    stop.abort();
    expect((await kit.call('storage', { action: 'keys' }, { signal: stop.signal })).failure?.code).toBe('cancelled');
    await kit.open('/loop.html');
    await js(kit, 'setTimeout(() => { for (;;); }, 0)');
    expect((await kit.fails('storage', { action: 'keys' })).code).toBe('page_unresponsive');
    expect(await use('keys')).toMatch(/items? in the local storage/);
  });
});
