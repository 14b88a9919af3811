// Sessions in a browser that somebody else runs: theirs is left as it is, ours leave nothing behind and come back.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { type OtherBrowser, otherBrowser } from '../other-browser.ts';
import { Process, temporaryFolder } from '../surfaces/process.ts';

let other: OtherBrowser;
let kit: Kit;
beforeAll(async () => {
  other = await otherBrowser();
  kit = await startKit('--cdp-endpoint', other.endpoint);
});
afterAll(async () => {
  await kit.close();
  await other.end();
});

/** All browser states but its own, as the browser tells somebody else who asks. */
async function contexts(): Promise<string[]> {
  const browser = await chromium.connectOverCDP(other.endpoint);
  const session = await browser.newBrowserCDPSession();
  const { browserContextIds } = await session.send('Target.getBrowserContexts');
  await browser.close();
  return browserContextIds;
}

it('S3-18: a named session is isolated there, gone with the server, and back with the next one', async () => {
  await kit.ok('navigate', { url: `${kit.site.url}/tables.html` });
  await kit.ok('navigate', { session: 'work', url: `${kit.site.url}/signup.html` });
  await kit.ok('storage', { session: 'work', action: 'set', key: 'x', value: 'kept' });
  expect(await contexts()).toHaveLength(1);
  await kit.restart();
  await vi.waitFor(async () => expect(await contexts()).toEqual([]), { timeout: 10_000 });
  expect(readdirSync(join(kit.folder, 'state', 'sessions'))).toEqual(['s-work.json']);
  expect(await kit.ok('storage', { session: 'work', action: 'get', key: 'x' })).toMatch(/came back: 1 tab.*\nkept$/s);
  // The person's own tab is where it was.
  expect(await kit.ok('tab_list')).toContain('/tables.html');
  await kit.ok('session_close', { session: 'work' });
  expect(await contexts()).toEqual([]);
}, 60_000);

it('the default session is the browser itself: it has no idle end and is not closed', async () => {
  await kit.ok('title');
  expect(await kit.ok('session_list')).toMatch(/^default \(yours\): 1 tab, last call \d+ s ago$/m);
  const { code, text } = await kit.fails('session_close', { session: 'default' });
  expect(code).toBe('refused');
  expect(text).toContain('Tabwright does not close it');
  expect(await kit.ok('session_close', { all: true })).toBe('No session to close.');
  expect(await kit.ok('title')).toBe('Tables');
}, 60_000);

it('a server that is killed leaves no state of its sessions there', async () => {
  const folder = temporaryFolder();
  const child = new Process(['--cdp-endpoint', other.endpoint], folder.path);
  await child.initialize();
  await child.request('tools/call', {
    name: 'navigate',
    arguments: { session: 'x', url: `${kit.site.url}/tables.html` },
  });
  expect(await contexts()).toHaveLength(1);
  await child.kill('SIGKILL');
  await vi.waitFor(async () => expect(await contexts()).toEqual([]), { timeout: 10_000 });
  folder.remove();
}, 60_000);
