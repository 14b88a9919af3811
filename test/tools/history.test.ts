// History (S1-65): the session's own visits when it is isolated; Chrome's own history in a profile and in an attached browser.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { History } from '../../src/engine/browserdata/history.ts';
import { type Kit, startKit } from '../kit.ts';
import { type OtherBrowser, otherBrowser } from '../other-browser.ts';
import { temporaryFolder } from '../surfaces/process.ts';
import { show } from './page.ts';

async function history(kit: Kit, args: Record<string, unknown> = {}): Promise<History> {
  const result = await kit.call('history', args);
  expect(result.ok, result.text).toBe(true);
  return result.data as History;
}
const paths = async (kit: Kit, args: Record<string, unknown> = {}): Promise<string[]> =>
  (await history(kit, args)).pages.map(({ url }) => url.replace(/^https?:\/\/[^/]+/, ''));

/** What every source must do; the pages have been visited in this order. */
const VISITED = ['/article.html', '/tables.html', '/signup.html', '/article.html'];

function sameEverywhere(get: () => Kit): void {
  it('newest first, each page once, with its title, its last visit and how often', async () => {
    const { pages, more } = await history(get());
    expect(pages.map(({ url }) => url)).toEqual(
      ['/article.html', '/signup.html', '/tables.html'].map(path => `${get().site.url}${path}`),
    );
    expect(pages[0]).toMatchObject({ title: expect.stringMatching(/\w/), visits: 2 });
    expect(pages[1]?.title).toBe('Sign up');
    expect(Math.abs(Date.now() - (pages[0]?.last ?? 0))).toBeLessThan(100_000);
    expect(more).toBe(false);
  });

  it('query: in url and title, all words', async () => {
    expect(await paths(get(), { query: 'signup' })).toEqual(['/signup.html']);
    expect(await paths(get(), { query: 'SIGN up' })).toEqual(['/signup.html']);
    expect(await paths(get(), { query: 'sign tables' })).toEqual([]);
    expect(await get().ok('history', { query: 'nowhere-at-all' })).toMatch(/^No pages /);
  });

  it('start_time and end_time', async () => {
    expect(await paths(get(), { start_time: '1 hour ago' })).toHaveLength(3);
    expect(await paths(get(), { start_time: new Date(Date.now() - 600_000).toISOString() })).toHaveLength(3);
    expect(await paths(get(), { end_time: '1 hour ago' })).toEqual([]);
    expect(await paths(get(), { start_time: '2 days ago', end_time: 'now' })).toHaveLength(3);
    const failed = await get().fails('history', { start_time: 'soon' });
    expect([failed.code, failed.text]).toEqual([
      'bad_input',
      expect.stringMatching(/"soon" is no time\.\n.*1 day ago/),
    ]);
    expect((await get().fails('history', { start_time: 'now', end_time: '1 day ago' })).text).toMatch(/after end_time/);
  });

  it('max_results and exclude_current_tabs', async () => {
    expect(await paths(get(), { max_results: 1 })).toEqual(['/article.html']);
    expect((await history(get(), { max_results: 2 })).more).toBe(true);
    expect(await get().ok('history', { max_results: 2 })).toMatch(/^2 pages \(and more\) /);
    expect(await paths(get(), { exclude_current_tabs: true })).toEqual(['/signup.html', '/tables.html']);
    expect(await paths(get(), { exclude_current_tabs: true, max_results: 2 })).toHaveLength(2);
    expect((await get().fails('history', { max_results: 0 })).code).toBe('bad_input');
  });
}

describe('S1-65 history of an isolated session', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
    for (const path of VISITED) await kit.open(path);
  });
  afterAll(() => kit.close());

  sameEverywhere(() => kit);

  it('says that these are its own visits', async () => {
    const text = await kit.ok('history', { max_results: 1 });
    expect(text).toMatch(/visited in this session, which is isolated and has no browser history:\n/);
    expect(text).toMatch(/\n\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ http:\/\/127.*\/article\.html ".+" \(2 visits\)$/);
    expect((await history(kit)).source).toBe('session');
  });

  it('addresses that a script sets, tabs that are closed; neither blank pages, nor failed ones, nor private windows', async () => {
    const args = { session: 'other' };
    await kit.ok('navigate', { url: `${kit.site.url}/article.html`, ...args });
    await kit.ok('evaluate', { expression: "history.pushState({}, '', '/pushed')", ...args });
    const { tabId } = (await kit.call('tab_new', { url: `${kit.site.url}/tables.html`, ...args })).data as {
      tabId: number;
    };
    await kit.ok('tab_close', { tabId, ...args });
    await kit.ok('tab_new', args);
    await kit.fails('navigate', { url: 'http://127.0.0.1:9/', ...args });
    await kit.ok('window_new', { url: `${kit.site.url}/login.html`, incognito: true, ...args });
    expect(await paths(kit, args)).toEqual(['/tables.html', '/pushed', '/article.html']);
    expect((await history(kit, args)).pages[0]?.title).toMatch(/\w/);
  });

  it('long addresses and long lists are cut', async () => {
    const args = { session: 'long' };
    await kit.ok('navigate', { url: `${kit.site.url}/article.html`, ...args });
    await kit.ok('evaluate', {
      expression: "for (let i = 0; i < 90; i++) history.replaceState({}, '', '/p' + i + 'x'.repeat(5_000))",
      ...args,
    });
    const result = await kit.call('history', { ...args, max_results: 1000 });
    expect((result.data as History).pages).toHaveLength(91);
    expect(result.text.length).toBeLessThanOrEqual(25_000 + 91 * 300);
    expect(Math.max(...(result.data as History).pages.map(({ url }) => url.length))).toBeLessThanOrEqual(2000);
  });

  it('outlives its browser', async () => {
    const args = { session: 'fallen' };
    await kit.ok('navigate', { url: `${kit.site.url}/article.html`, ...args });
    await kit.ok('bookmarks', { action: 'add', ...args });
    await kit.server.chrome.close();
    expect(await paths(kit, args)).toEqual(['/article.html']);
    expect(await kit.ok('bookmarks', { action: 'search', ...args })).toMatch(/^1 bookmark /m);
  });

  it('answers while a dialog is open', async () => {
    await show(kit, '<button onclick="alert(1)">Ask</button>');
    await kit.ok('click', { selector: 'role:button' });
    expect((await history(kit)).pages.length).toBeGreaterThan(2);
    await kit.ok('dialog', { action: 'accept' });
  });
});

describe('S1-65 history of a browser profile, headless', () => {
  const folder = temporaryFolder();
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit('--user-data-dir', join(folder.path, 'profile'));
    for (const path of VISITED) await kit.open(path);
  });
  afterAll(async () => {
    await kit.close();
    folder.remove();
  });

  sameEverywhere(() => kit);

  it('says where it comes from, and leaves neither tab nor extension behind', async () => {
    expect(await kit.ok('history', { max_results: 1 })).toMatch(
      /^1 page \(and more\) in the history of the browser profile:\n/,
    );
    expect(await kit.ok('tab_list')).not.toContain('\n');
    const context = kit.server.list()[0]?.context.active?.page.context();
    const session = await context?.browser()?.openBrowserSession();
    expect(await session?.send('Extensions.getExtensions')).toEqual({ extensions: [] });
  });

  it('several at once', async () => {
    const all = await Promise.all([1, 2, 3].map(most => paths(kit, { max_results: most })));
    expect(all.map(list => list.length)).toEqual([1, 2, 3]);
  });

  it('a call that is cancelled does not spoil the next', async () => {
    const stop = new AbortController();
    const asked = kit.call('history', {}, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect((await asked).failure?.code).toBe('cancelled');
    expect(await paths(kit)).toHaveLength(3);
  });

  it('is still there after a restart; a named session is isolated all the same', async () => {
    await kit.close();
    kit = await startKit('--user-data-dir', join(folder.path, 'profile'));
    expect((await paths(kit)).sort()).toEqual(['/article.html', '/signup.html', '/tables.html']);
    expect(await kit.ok('history', { session: 'apart' })).toBe(
      'No pages visited in this session, which is isolated and has no browser history.',
    );
  });

  it('when the browser takes no extension, it answers with its own visits and says why', async () => {
    const broken = await startKit(
      '--user-data-dir',
      join(folder.path, 'second'),
      '--chrome-arg',
      '--disable-extensions=1',
    );
    try {
      await broken.open('/article.html');
      const result = await broken.call('history');
      expect(result.text).toMatch(/^This browser does not take the extension .*\n1 page visited in this session:\n2/);
      expect((result.data as History).pages).toHaveLength(1);
    } finally {
      await broken.close();
    }
  });
});

describe('S1-65 history of an attached browser', () => {
  let browser: OtherBrowser;
  let kit: Kit;
  beforeAll(async () => {
    browser = await otherBrowser();
    kit = await startKit('--cdp-endpoint', browser.endpoint);
    for (const path of VISITED) await kit.open(path);
  }, 60_000);
  afterAll(async () => {
    await kit?.close();
    await browser?.end();
  });

  sameEverywhere(() => kit);

  it('says where it comes from', async () => {
    expect(await kit.ok('history', { max_results: 1 })).toMatch(/in the history of the attached browser:\n/);
  });
});
