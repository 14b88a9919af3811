// Permissions (S1-61): all six names in all three states, as the page is told, by origin, and after a restart of the browser.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERMISSIONS, STATES } from '../../src/engine/emulation/permissions.ts';
import { type Kit, startKit } from '../kit.ts';
import { type EmulationSite, startEmulationSite } from './emulation-site.ts';
import { js, show } from './page.ts';

let kit: Kit;
let site: EmulationSite;
beforeAll(async () => {
  [kit, site] = await Promise.all([startKit(), startEmulationSite()]);
});
afterAll(async () => {
  await kit.close();
  await site.close();
});

const stateOf = (name: string): Promise<string> =>
  js(kit, `navigator.permissions.query({ name: ${JSON.stringify(name)} }).then(({ state }) => state)`);
const all = (state: string) => PERMISSIONS.map(name => ({ name, state }));

describe('S1-61 permissions', () => {
  it.each(STATES)('%s, for the site of the tab', async state => {
    await kit.open(`${site.there}/plain`);
    expect(await kit.ok('permissions', { permissions: all(state) })).toBe(
      `${site.there}: ${PERMISSIONS.map(name => `${name} ${state}`).join(', ')}.`,
    );
    for (const name of PERMISSIONS) expect(await stateOf(name), name).toBe(state);
    expect(await js(kit, 'Notification.permission')).toBe(state === 'prompt' ? 'default' : state);
  });

  it('the living page hears of it, and what is not named stays', async () => {
    await kit.open(`${site.there}/plain`);
    await kit.ok('permissions', { permissions: all('prompt') });
    await js(
      kit,
      'heard = []; navigator.permissions.query({ name: "camera" }).then(status => { status.onchange = () => heard.push(status.state) })',
    );
    const permissions = [
      { name: 'camera', state: 'granted' },
      { name: 'microphone', state: 'denied' },
    ];
    await kit.ok('permissions', { permissions });
    await expect.poll(() => js(kit, 'heard.join()')).toBe('granted');
    expect([await stateOf('microphone'), await stateOf('geolocation')]).toEqual(['denied', 'prompt']);
  });

  it('it has effect: the clipboard can be read only when that is granted', async () => {
    await kit.open(`${site.there}/plain`);
    const read = 'navigator.clipboard.readText().then(text => "read " + text, error => error.name)';
    const both = (state: string) => [
      { name: 'clipboard-read', state },
      { name: 'clipboard-write', state },
    ];
    await kit.ok('permissions', { permissions: both('denied') });
    expect(await js(kit, read)).toBe('NotAllowedError');
    await kit.ok('permissions', { permissions: both('granted') });
    expect(await js(kit, `navigator.clipboard.writeText("copied").then(() => ${read})`)).toBe('read copied');
  });

  it('origin: another site than that of the tab, whatever path it is given with', async () => {
    await show(kit, '<p>No site</p>');
    const permissions = [{ name: 'notifications', state: 'granted' }];
    expect(await kit.ok('permissions', { permissions, origin: `${site.here}/some/path?x=1` })).toBe(
      `${site.here}: notifications granted.`,
    );
    await kit.open(`${site.here}/plain`);
    expect(await stateOf('notifications')).toBe('granted');
    const { tabId } = (await kit.call('tab_new', { url: `${site.there}/plain` })).data as { tabId: number };
    await kit.ok('permissions', { permissions: [{ name: 'notifications', state: 'denied' }], tabId });
    expect(await stateOf('notifications')).toBe('denied');
    await kit.ok('tab_close', { tabId });
    expect(await stateOf('notifications')).toBe('granted');
  });

  it('not in other browsers', async () => {
    await kit.open(`${site.here}/plain`);
    await kit.ok('permissions', { permissions: [{ name: 'camera', state: 'granted' }] });
    const other = await startKit();
    try {
      await other.ok('navigate', { url: `${site.here}/plain` });
      const expression = 'navigator.permissions.query({ name: "camera" }).then(({ state }) => state)';
      expect(await other.ok('evaluate', { expression })).toBe('prompt');
    } finally {
      await other.close();
    }
  });

  it.each([
    [{ permissions: [] }, /permissions/],
    [{}, /permissions/],
    [{ permissions: [{ name: 'camera' }] }, /state/],
    [{ permissions: [{ name: 'midi', state: 'granted' }] }, /name/],
    [{ permissions: [{ name: 'camera', state: 'maybe' }] }, /state/],
    [{ permissions: [{ name: 'camera', state: 'granted' }], origin: 'nonsense' }, /"nonsense" is no origin/],
    [{ permissions: [{ name: 'camera', state: 'granted' }], origin: 'file:///etc' }, /is no origin/],
    [{ permissions: [{ name: 'camera', state: 'granted' }] }, /has no origin/],
  ])('%j is refused', async (wrong, said) => {
    await show(kit, '<p>No site</p>');
    const { code, text } = await kit.fails('permissions', wrong);
    expect(code).toBe('bad_input');
    expect(text).toMatch(said);
  });

  it('a browser that was started again knows them, and the settings of the tab', async () => {
    await kit.open(`${site.here}/plain`);
    await kit.ok('permissions', { permissions: [{ name: 'camera', state: 'denied' }] });
    await kit.ok('viewport', { width: 444, height: 333 });
    for (const pid of chromePids()) process.kill(pid, 'SIGKILL');
    expect(await kit.ok('snapshot')).toMatch(/started again[\s\S]*Viewport: 444x333/);
    expect(await stateOf('camera')).toBe('denied');
  });
});

/** Chrome's own process: a child of this one. */
function chromePids(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        const isOurs = new RegExp(`PPid:\\s+${process.pid}\\s`).test(readFileSync(`/proc/${pid}/status`, 'utf8'));
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--remote-debugging-pipe');
      } catch {
        return false; // it ended while it was looked at
      }
    });
}
