// Geolocation (S1-60): the position that a page reads, and the permission it needs for that.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { type EmulationSite, startEmulationSite } from './emulation-site.ts';
import { js } from './page.ts';

let kit: Kit;
let site: EmulationSite;
beforeAll(async () => {
  [kit, site] = await Promise.all([startKit(), startEmulationSite()]);
});
afterAll(async () => {
  await kit.close();
  await site.close();
});

const POSITION =
  'new Promise(done => navigator.geolocation.getCurrentPosition(({ coords }) => done([coords.latitude, coords.longitude, coords.accuracy].join()), error => done("error " + error.code), { timeout: 1500 }))';
const ALLOWED = 'navigator.permissions.query({ name: "geolocation" }).then(({ state }) => state)';

describe('S1-60 geolocation', () => {
  it('set before any site is open: sites that are opened later read it, with the default accuracy', async () => {
    expect(await kit.ok('geolocation', { latitude: 48.137, longitude: 11.575 })).toBe(
      'Position: 48.137, 11.575 (accuracy 100 m). Sites in this tab may read it.',
    );
    for (const url of [`${site.here}/plain`, `${site.there}/plain`]) {
      await kit.open(url);
      expect(await js(kit, POSITION)).toBe('48.137,11.575,100');
    }
  });

  it('changed on a living page, which hears of it; accuracy', async () => {
    await kit.open(`${site.here}/plain`);
    await kit.ok('geolocation', { latitude: 0, longitude: 0 });
    await js(kit, 'seen = []; navigator.geolocation.watchPosition(({ coords }) => seen.push(coords.latitude)); 0');
    await expect.poll(() => js(kit, 'seen.join()')).toBe('0');
    const text = await kit.ok('geolocation', { latitude: -33.9, longitude: 151.2, accuracy: 5 });
    expect(text).toContain('-33.9, 151.2 (accuracy 5 m)');
    await expect.poll(() => js(kit, 'seen.join()')).toBe('0,-33.9');
    await kit.ok('reload');
    expect(await js(kit, POSITION)).toBe('-33.9,151.2,5');
  });

  it('clear: no position, and no permission that nobody asked for', async () => {
    await kit.open(`${site.here}/plain`);
    await kit.ok('geolocation', { latitude: 1, longitude: 2 });
    expect(await js(kit, ALLOWED)).toBe('granted');
    expect(await kit.ok('geolocation', { clear: true })).toBe('The position is no longer emulated.');
    expect(await js(kit, ALLOWED)).toBe('prompt');
    expect(await js(kit, POSITION)).toMatch(/^error/);
    await kit.open(`${site.there}/plain`);
    expect(await js(kit, ALLOWED)).toBe('prompt');
  });

  it('what permissions says comes first, and stays after clear', async () => {
    await kit.open(`${site.here}/plain`);
    await kit.ok('permissions', { permissions: [{ name: 'geolocation', state: 'denied' }] });
    expect(await kit.ok('geolocation', { latitude: 1, longitude: 2 })).toBe(
      `Position: 1, 2 (accuracy 100 m). But the permission of ${site.here} is "denied": grant geolocation with the permissions tool.`,
    );
    expect(await js(kit, POSITION)).toBe('error 1');
    await kit.ok('permissions', { permissions: [{ name: 'geolocation', state: 'granted' }] });
    expect(await js(kit, POSITION)).toBe('1,2,100');
    await kit.ok('geolocation', { clear: true });
    expect(await js(kit, ALLOWED)).toBe('granted');
    await kit.ok('permissions', { permissions: [{ name: 'geolocation', state: 'prompt' }] });
  });

  it('for its tab only (tabId)', async () => {
    await kit.open(`${site.there}/plain`);
    const { tabId } = (await kit.call('tab_new', { url: `${site.there}/plain` })).data as { tabId: number };
    await kit.ok('geolocation', { latitude: 7, longitude: 8, tabId });
    expect(await kit.ok('evaluate', { expression: POSITION, tabId })).toBe('7,8,100');
    await kit.ok('tab_close', { tabId });
    expect(await js(kit, POSITION)).toMatch(/^error/);
    await expect.poll(() => js(kit, ALLOWED)).toBe('prompt');
  });

  it('in the profile of a person nothing is granted unasked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabwright-profile-'));
    const own = await startKit('--user-data-dir', folder);
    try {
      await own.ok('navigate', { url: `${site.here}/plain` });
      const text = await own.ok('geolocation', { latitude: 1, longitude: 2 });
      expect(text).toContain(`the permission of ${site.here} is "prompt"`);
      await own.ok('permissions', { permissions: [{ name: 'geolocation', state: 'granted' }] });
      expect(await own.ok('evaluate', { expression: POSITION })).toBe('1,2,100');
      await own.ok('viewport', { width: 600, height: 500 });
      await own.ok('emulate', { color_scheme: 'dark', timezone: 'Asia/Tokyo' });
      const expression =
        '[innerWidth, matchMedia("(prefers-color-scheme: dark)").matches, new Date(0).getHours()].join()';
      expect(await own.ok('evaluate', { expression })).toBe('600,true,9');
    } finally {
      await own.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each([
    [{}, /needs latitude and longitude/],
    [{ latitude: 1 }, /needs latitude and longitude/],
    [{ latitude: 91, longitude: 0 }, /latitude/],
    [{ latitude: 0, longitude: -181 }, /longitude/],
    [{ latitude: 0, longitude: 0, accuracy: -1 }, /accuracy/],
    [{ latitude: '1', longitude: 0 }, /latitude/],
  ])('%j is refused', async (wrong, said) => {
    const { code, text } = await kit.fails('geolocation', wrong);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });
});
