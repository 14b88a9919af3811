// Two profiles at once: each has its own language, time zone, proxy, switches and cookies, which outlive its browser.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProfileInfo } from '../../../src/session/profiles/profiles.ts';
import { type Kit, startKit } from '../../kit.ts';
import { endAll, switchesOf } from './browsers.ts';
import { startWitness, type Witness } from './witness.ts';

let kit: Kit;
let proxies: { berlin: Witness; tokyo: Witness };
beforeAll(async () => {
  kit = await startKit('--shared-sessions', 'profile@berlin');
  proxies = { berlin: await startWitness('berlin'), tokyo: await startWitness('tokyo') };
  const berlin = { lang: 'de-DE', timezone: 'Europe/Berlin', proxy_server: proxies.berlin.url, tags: ['eu'] };
  const tokyo = {
    lang: 'ja',
    timezone: 'Asia/Tokyo',
    proxy_server: proxies.tokyo.url.replace('http://', ''),
    headless: true,
    // Chrome goes to this machine itself without a proxy, unless it is told not to.
    custom_args: ['--proxy-bypass-list=<-loopback>', '--window-size=900,700'],
  };
  await kit.ok('profile', { action: 'create', id: 'berlin', name: 'Berlin', ...berlin });
  await kit.ok('profile', { action: 'create', id: 'tokyo', name: 'Tokyo', ...tokyo });
  await Promise.all(['berlin', 'tokyo'].map(id => kit.ok('profile', { action: 'launch', id })));
}, 60_000);
afterAll(async () => {
  await kit.server.close();
  await endAll(join(kit.folder, 'state'));
  await kit.close();
  for (const proxy of Object.values(proxies)) proxy.close();
});

const say = (id: string, expression: string) => kit.ok('evaluate', { session: `profile@${id}`, expression });
const open = (id: string, url: string) => kit.ok('navigate', { session: `profile@${id}`, url });

async function row(id: string): Promise<ProfileInfo> {
  const { data } = await kit.call('profile', { action: 'get', id });
  return (data as { profile: ProfileInfo }).profile;
}

it('each goes through its own proxy and speaks its own language', async () => {
  const url = 'http://shop.example/page';
  expect(await Promise.all([open('berlin', url), open('tokyo', url)])).toEqual([
    expect.stringContaining('Through berlin'),
    expect.stringContaining('Through tokyo'),
  ]);
  const came = ({ seen }: Witness) => seen.find(one => one.url === url)?.headers['accept-language'];
  expect(came(proxies.berlin)).toMatch(/^de-DE,de;q=/);
  expect(came(proxies.tokyo)).toBe('ja');
  expect(await say('berlin', 'navigator.languages.join()')).toBe('de-DE,de');
  expect(await say('tokyo', 'navigator.languages.join()')).toBe('ja');
  const zone = 'Intl.DateTimeFormat().resolvedOptions().timeZone + new Date(0).getHours()';
  expect(await say('berlin', zone)).toBe('Europe/Berlin1');
  expect(await say('tokyo', zone)).toBe('Asia/Tokyo9');
  await open('tokyo', `${kit.site.url}/tables.html`);
  await open('berlin', `${kit.site.url}/tables.html`);
  expect(proxies.tokyo.seen.map(one => one.url)).toContain(`${kit.site.url}/tables.html`);
  expect(proxies.berlin.seen.map(one => one.url)).not.toContain(`${kit.site.url}/tables.html`);
  expect(await say('berlin', 'document.title')).toBe('Tables');
}, 60_000);

it('S4-21: without a window, with the switches that are asked for', async () => {
  for (const id of ['berlin', 'tokyo']) {
    const { run } = await row(id);
    const given = switchesOf(run?.pid ?? 0);
    const wanted = [
      '--headless=new',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--remote-debugging-pipe',
    ];
    expect(given).toEqual(expect.arrayContaining(wanted));
    expect(given).toContain(`--user-data-dir=${join(kit.folder, 'state', 'profiles', id)}`);
    expect(given).not.toContain('--disable-extensions');
    expect(given.includes('--no-sandbox')).toBe(process.getuid?.() === 0);
    expect(given.some(arg => /^--remote-debugging-(?:port|address)/.test(arg))).toBe(false);
  }
  expect(await say('tokyo', 'outerWidth')).toBe('900');
});

it('cookies of one are not those of the other, and are there after kill and launch', async () => {
  for (const id of ['berlin', 'tokyo']) await open(id, 'http://shop.example/');
  await say('berlin', 'document.cookie = "who=berlin; max-age=86400"');
  expect(await say('tokyo', 'document.cookie')).not.toContain('who');
  await kit.ok('profile', { action: 'kill', id: 'berlin' });
  expect((await kit.fails('title', { session: 'profile@berlin' })).code).toBe('browser_not_running');
  await kit.ok('profile', { action: 'launch', id: 'berlin' });
  await open('berlin', 'http://shop.example/');
  expect(await say('berlin', 'document.cookie')).toBe('who=berlin');
  expect(await say('tokyo', 'document.title')).toBe('Through tokyo');
}, 60_000);

it('the default session goes on beside them, in a browser of its own', async () => {
  await kit.open('/signup.html');
  const text = await kit.ok('session_list');
  expect(text).toMatch(/^default \(yours\): 1 tab/m);
  expect(text).toMatch(/^profile@berlin \(browser of a profile, shared\): 1 tab, last call \d+ s ago$/m);
});

it('15.7 profiles are of the owner: other callers neither see, use nor change those that are not shared', async () => {
  const asBob = (name: string, args: Record<string, unknown> = {}) => kit.call(name, args, { caller: 'bob' });
  expect((await asBob('session_list')).text).toMatch(/^profile@berlin \(browser of a profile, shared\)[^@]*$/);
  expect((await asBob('profile_list')).text).toMatch(/^berlin "Berlin": .*$/);
  for (const [name, args] of [
    ['title', {}],
    ['cookies', { action: 'export' }],
    ['session_create', { name: 'profile@tokyo' }],
  ] as const)
    expect((await asBob(name, { session: 'profile@tokyo', ...args })).failure).toMatchObject({
      code: 'refused',
      message: 'Access denied to session: profile@tokyo',
    });
  for (const action of ['create', 'get', 'update', 'delete', 'launch', 'kill'])
    expect((await asBob('profile', { action, id: 'tokyo', name: 'x' })).failure?.rule).toBe('only for the owner');
  // What the owner shares, another caller uses: the very same tabs.
  expect((await asBob('title', { session: 'profile@berlin' })).text).toMatch(/Through berlin$/);
});
