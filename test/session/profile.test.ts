// A profile that another browser holds: the default session is isolated once, is told so, and the other browser is left alone.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { isInUse, saysInUse } from '../../src/engine/browser/profile-lock.ts';
import { startKit } from '../kit.ts';
import { otherBrowser } from '../other-browser.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function holder() {
  const other = await otherBrowser();
  let isEnded = false;
  const end = async () => {
    if (!isEnded) await other.end();
    isEnded = true;
  };
  ends.push(end);
  return { ...other, end };
}

async function kitOn(profile: string) {
  const kit = await startKit('--user-data-dir', profile);
  ends.push(() => kit.close());
  return kit;
}

const pagesOf = async (endpoint: string): Promise<string[]> =>
  ((await (await fetch(`${endpoint}/json/list`)).json()) as { url: string }[]).map(({ url }) => url);

it('a locked profile does not loop: isolated, said once, and not tried again', async () => {
  const other = await holder();
  const before = await pagesOf(other.endpoint);
  const kit = await kitOn(other.profile);
  const told = `The profile ${other.profile} is in use by another browser: this session is isolated, nothing is kept.`;
  const first = await kit.ok('navigate', { url: `${kit.site.url}/tables.html` });
  expect(first).toContain(told);
  expect(await kit.ok('title')).toBe('Tables');
  expect(await kit.ok('tab_list')).not.toContain('in use');
  expect(await pagesOf(other.endpoint)).toEqual(before);
  // What belongs to a profile is not there: the history is the session's own.
  expect(await kit.ok('history')).toContain('tables.html');
  expect(await kit.ok('session_list')).toMatch(/^default \(yours\): 1 tab, .* ends in/);
  expect(await kit.ok('navigate', { session: 'other', url: `${kit.site.url}/signup.html` })).not.toContain('in use');
  // Free by now; but a session does not change its state under its caller.
  expect(other.process.exitCode).toBeNull();
  await other.end();
  expect(await kit.ok('title')).toBe('Tables');
  expect(existsSync(join(kit.folder, 'state', 'sessions', 's-default@local.json'))).toBe(false);
}, 60_000);

it('a lock that a killed browser left is no lock', async () => {
  const other = await holder();
  expect(await isInUse(other.profile, 0)).toBe(true);
  const closed = new Promise(resolve => other.process.once('exit', resolve));
  other.process.kill('SIGKILL');
  await closed;
  expect(await isInUse(other.profile, 5_000)).toBe(false);
  const kit = await kitOn(other.profile);
  expect(await kit.ok('navigate', { url: `${kit.site.url}/tables.html` })).not.toContain('in use');
  expect(await isInUse(other.profile, 0)).toBe(true);
  expect((await kit.fails('session_close', { session: 'default' })).text).toContain('does not close it');
  await kit.server.close();
}, 60_000);

it('only what says so counts as in use', () => {
  expect(saysInUse('Failed to create a ProcessSingleton for your profile directory.')).toBe(true);
  expect(saysInUse('Opening in existing browser session.')).toBe(true);
  expect(saysInUse('Failed to create /p/SingletonLock: Permission denied (13)')).toBe(false);
  expect(saysInUse('error while loading shared libraries')).toBe(false);
});
