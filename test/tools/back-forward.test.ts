// Back and forward with the back/forward cache on: a page that Chrome brings back from it fires no load event.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findBrowser } from '../../src/engine/browser/find-browser.ts';
import { type Answering, answering } from '../dialects/answering.ts';
import type { Kit } from '../kit.ts';
import { otherBrowser } from '../other-browser.ts';
import { end, ends, kitWith, use } from '../session/profiles/profile-kit.ts';
import { temporaryFolder } from '../surfaces/process.ts';

let site: Answering;
/** Chrome without the switch that turns the cache off. */
let cachingChrome: string;

beforeAll(async () => {
  site = await answering(({ url = '/' }, res) => {
    if (url.startsWith('/api/')) return void res.end(url);
    const page = `<title>${url}</title><h1>${url}</h1><a href="/two">on</a><button onclick="history.back()">Back</button>
      <input><script>onpageshow = event => { document.title += event.persisted ? ' cached' : '' }; fetch('/api${url}')</script>`;
    res.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  const folder = temporaryFolder();
  ends.push(async () => folder.remove());
  const chrome = findBrowser({ executablePath: process.env.TABWRIGHT_EXECUTABLE_PATH });
  cachingChrome = join(folder.path, 'chrome.sh');
  const drop = 'for arg do shift; [ "$arg" = --disable-back-forward-cache ] || set -- "$@" "$arg"; done';
  writeFileSync(cachingChrome, `#!/bin/sh\n${drop}\nexec ${JSON.stringify(chrome)} "$@"\n`);
  chmodSync(cachingChrome, 0o755);
});
afterAll(async () => {
  await end();
  await site.close();
});

interface Place {
  kit: Kit;
  session?: string;
}

const PLACES: Record<string, () => Promise<Place>> = {
  async attached() {
    const other = await otherBrowser();
    ends.push(() => other.end());
    return { kit: await kitWith('--cdp-endpoint', other.endpoint) };
  },
  async profile() {
    const kit = await kitWith('--executable-path', cachingChrome);
    const on = use(kit);
    await on.profile('create', { id: 'a', name: 'A', headless: true });
    await on.profile('launch', { id: 'a' });
    return { kit, session: 'profile@a' };
  },
  launched: async () => ({ kit: await kitWith('--executable-path', cachingChrome) }),
};

describe.each(Object.keys(PLACES))('14.16 back and forward in the %s browser', name => {
  let place: Place;
  beforeAll(async () => {
    place = await (PLACES[name] as () => Promise<Place>)();
  }, 60_000);
  const ok = (tool: string, args: Record<string, unknown> = {}) =>
    place.kit.ok(tool, { ...args, ...(place.session && { session: place.session }) });
  const data = async (tool: string, args: Record<string, unknown> = {}) =>
    place.kit.call(tool, { ...args, ...(place.session && { session: place.session }) });
  const opens = async (...paths: string[]) => {
    for (const path of paths) await ok('navigate', { url: site.url + path });
  };
  const requests = async () => {
    const log = await data('network_log', { since_navigation: true });
    return (log.data as { rows: { url: string }[] }).rows.map(({ url }) => new URL(url).pathname);
  };

  it('take a moment, and the page is there', async () => {
    await opens('/one', '/two');
    const back = await data('back', { timeout: 8_000 });
    expect(back.text).toBe(`Back at ${site.url}/one "/one cached".`);
    expect(back.ms).toBeLessThan(3_000);
    const forward = await data('forward', { timeout: 8_000, wait_until: 'networkidle' });
    expect(forward.text).toBe(`Forward at ${site.url}/two "/two cached".`);
    expect(forward.ms).toBeLessThan(3_000);
    expect(await ok('wait', { for: 'load_state', load_state: 'load', timeout: 3_000 })).toContain('load has fired');
    await ok('fill', { selector: 'input', value: 'works' });
    expect(await ok('evaluate', { expression: 'document.querySelector("input").value' })).toBe('works');
  });

  it('by a button of the page: the click tells it, a wait for it ends', async () => {
    await opens('/one', '/two');
    const click = await data('click', { selector: 'button' });
    expect(click.text).toContain(`${site.url}/one`);
    expect(click.ms).toBeLessThan(3_000);
    expect(await ok('wait', { for: 'navigation', timeout: 3_000 })).toContain('/one');
  });

  it('requests of other pages do not mix in', async () => {
    await opens('/one', '/two', '/three');
    await vi.waitFor(async () => expect(await requests()).toContain('/api/three'));
    await ok('back');
    await ok('back');
    await ok('evaluate', { expression: `fetch('/api/late').then(answer => answer.text())` });
    await vi.waitFor(async () => expect(await requests()).toContain('/api/late'));
    const mine = (await requests()).filter(path => path !== '/favicon.ico');
    expect(mine).toEqual(['/one', '/api/one', '/api/late']);
  });
});
