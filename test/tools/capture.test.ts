// The capture tool: what it records of a tab, its filters and ends, and the archive it writes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Captured, type CaptureResult, captures } from '../../src/engine/network/capture/capture.ts';
import { type Kit, startKit } from '../kit.ts';
import { otherBrowser } from '../other-browser.ts';
import { brokenRules, type Har } from './har-rules.ts';
import { type NetworkSite, PIXEL, startNetworkSite } from './network-site.ts';
import { js } from './page.ts';

let kit: Kit;
let site: NetworkSite;
beforeAll(async () => {
  kit = await startKit();
  site = await startNetworkSite();
});
afterAll(async () => {
  await kit.close();
  await site.close();
});
beforeEach(async () => {
  await kit.call('capture', { action: 'stop' });
  await kit.open(site.url);
});

const start = (args: Record<string, unknown> = {}) => kit.ok('capture', { action: 'start', ...args });
const stop = async (args: Record<string, unknown> = {}): Promise<Captured & { text: string }> => {
  const result = await kit.call('capture', { action: 'stop', ...args });
  const { captured } = (result.data ?? {}) as CaptureResult;
  if (!captured) throw new Error(result.text);
  return { ...captured, text: result.text };
};
const status = () => kit.ok('capture', { action: 'status' });
const get = (path: string, init = '{}') =>
  js(kit, `fetch(${JSON.stringify(path)}, ${init}).then(r => r.text(), e => String(e))`);
const pathsOf = ({ rows }: Captured) => rows.map(({ method, url }) => `${method} ${url.replace(site.url, '')}`);
const outputFile = (name: string) => join(kit.folder, 'output', name);
const harOf = (name: string): Har => JSON.parse(readFileSync(outputFile(name), 'utf8'));
const activeTab = async () => Number(/\* (\d+):/.exec(await kit.ok('tab_list'))?.[1]);

describe('capture: what it records (S1-53)', () => {
  it('14.8 stop right after a request waits for its answer, but not for one that never comes', async () => {
    await start();
    await js(kit, `void fetch(${JSON.stringify(`${kit.site.url}/slow?ms=900`)}, { mode: 'no-cors' })`);
    const { rows } = await stop();
    expect(rows).toMatchObject([{ status: 200, ms: expect.toSatisfy(ms => ms >= 800) }]);
    await start();
    await js(kit, `void fetch(${JSON.stringify(`${kit.site.url}/never-answers`)}, { mode: 'no-cors' })`);
    const { text } = await stop();
    expect(text).toMatch(/GET \S*\/never-answers no answer yet fetch/);
  });

  it('start, status, stop: a summary and one line for each request', async () => {
    expect(await status()).toBe('Nothing is captured in this tab.');
    await get('/api/before');
    expect(await start()).toBe('The capture runs; stop gives what it has.');
    await get('/api/user?access_token=tok3n-value');
    await get('/api/form', '{ method: "POST", body: "a=1" }');
    expect(await status()).toMatch(/^Capture: 2 requests, .+ in \d+\.\d s so far\.$/);
    await kit.open(`${site.url}/nowhere`);
    const { text, data } = await kit.call('capture', { action: 'stop' });
    expect(text).toMatch(/^3 requests in \d+\.\d s, [\d.]+ kB: 1 document, 2 fetch; 1 failed\.\nAt http:\/\/127/);
    expect(text).toMatch(/\nGET \/api\/user\?access_token=\[redacted\] 200 fetch \d+ bytes \d+ ms\n/);
    expect(text).toMatch(/\nGET \/nowhere 404 document \d+ bytes \d+ ms$/);
    expect(JSON.stringify(data)).not.toContain('tok3n-value');
    await get('/api/after');
    expect((await kit.fails('capture', { action: 'stop' })).text).toMatch(/No capture was started in tab \d+/);
  });

  it('redirects, failures, the cache, workers, service workers, WebSockets, what has no answer', async () => {
    const own = await startNetworkSite(); // its service worker is not for other tests
    await kit.open(own.url);
    await start();
    await get('/to/user');
    await get('/cut');
    await js(kit, `fetch('/never').then(() => 1)`);
    await kit.open(own.url);
    await js(
      kit,
      `new Promise(done => {
        const ws = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
        ws.onmessage = () => { ws.send('hey'); ws.close(); };
        ws.onclose = done;
      })`,
    );
    await kit.open(`${own.url}/worker`);
    await js(kit, 'answer');
    await kit.open(`${own.url}/service`);
    await js(kit, 'ready');
    await get('/api/sw');
    await js(kit, 'void fetch("/never")');
    const { text } = await stop();
    for (const line of [
      /GET \/to\/user 302 fetch .*\nGET \/api\/user 200 fetch/,
      /GET \/cut net::ERR_EMPTY_RESPONSE fetch/,
      /GET \/never net::ERR_ABORTED fetch/,
      /GET \/pixel.png 200 image from cache/,
      /GET ws:\/\/127\S+\/socket 101 websocket 2 messages/,
      /GET \/worker.js 200 script/,
      /GET \/api\/worker 200 fetch/,
      /GET \/api\/sw 200 fetch from service worker/,
      /GET \/api\/sw 200 fetch \d+ bytes by service worker/,
      /GET \/never no answer yet fetch/,
    ])
      expect(text).toMatch(line);
    await own.close();
  });

  it('much posted data, and the headers as they were on the wire', async () => {
    await start({ include_bodies: true });
    await get('/api/large', '{ method: "POST", body: "x".repeat(3_000_000) }');
    await stop({ save_path: 'large.har' });
    const [entry] = harOf('large.har').log.entries;
    expect(entry?.request.postData?.text).toHaveLength(3_000_000);
    expect(entry?.response.content.text).toContain('"real":true');
    const names = entry?.request.headers.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(['host', 'cookie', 'accept-encoding']));
  });

  it('url: opens the page when it has begun', async () => {
    expect(await start({ url: `${site.url}/worker` })).toMatch(/Now at .*\/worker "worker"\.$/);
    expect(pathsOf(await stop())[0]).toBe('GET /worker');
    expect(await start({ url: `${site.url}/cut` })).toMatch(/^The capture runs; .* But \S+\/cut could not be opened/);
    expect((await stop()).text).toContain('GET /cut net::ERR_EMPTY_RESPONSE document');
  });

  it('frames of other sites', async () => {
    await start();
    await kit.open(`${kit.site.url}/signup-in-cross-origin-iframe.html`);
    expect(pathsOf(await stop()).join()).toContain(`GET ${kit.site.otherSiteUrl}/`);
  });

  it.each([
    [{ url_pattern: '**/api/**' }, ['GET /api/a', 'POST /api/b']],
    [{ resource_types: ['document', 'image'] }, ['GET /', 'GET /pixel.png']],
    [{ methods: ['post'] }, ['POST /api/b']],
    [{ methods: ['GET'], resource_types: ['fetch'], url_pattern: '*://*/api/*' }, ['GET /api/a']],
    [{ resource_types: ['stylesheet', 'media', 'font', 'script', 'xhr', 'websocket', 'other'] }, []],
  ])('filter %j', async (filter, paths) => {
    await start({ filter });
    await kit.open(site.url);
    await get('/api/a');
    await get('/api/b', '{ method: "POST" }');
    expect(pathsOf(await stop())).toEqual(paths);
  });

  it('14.2 * in url_pattern matches across slashes', async () => {
    await start({ filter: { url_pattern: '*/api/us*' } });
    for (const path of ['/api/user', '/api/users/7', '/api/other']) await get(path);
    expect(pathsOf(await stop())).toEqual(['GET /api/user', 'GET /api/users/7']);
  });

  it('14.2 a filter that matches nothing says so', async () => {
    await start({ filter: { url_pattern: '*/nowhere/*' } });
    await kit.open(site.url);
    expect(await kit.ok('capture', { action: 'stop' })).toMatch(
      /^0 requests .*\nThe filter matched none of \d+ requests?\.$/,
    );
  });

  it('include_bodies: the begin of text bodies; none without it', async () => {
    await start();
    await get('/api/a');
    expect((await stop()).text).not.toContain('real');
    await start({ include_bodies: true });
    await get('/api/a', '{ headers: { Authorization: "Bearer s3cretS3cret" } }');
    await kit.open(site.url);
    const { text } = await stop();
    expect(text).toMatch(/GET \/api\/a 200 fetch .*\n {2}\{"real":true/);
    expect(text).toMatch(/GET \/ 200 document .*\n {2}<title>home/);
    expect(text).not.toContain('s3cretS3cret');
  });

  it('only its own tab', async () => {
    const tabId = await activeTab();
    await start();
    const opened = await kit.call('tab_new', { url: `${site.url}/worker` });
    const elsewhere = await kit.fails('capture', { action: 'stop' });
    expect(elsewhere.text).toContain(`There is one in tab ${tabId}: give its tabId`);
    expect(pathsOf(await stop({ tabId }))).toEqual([]);
    await kit.ok('tab_close', { tabId: (opened.data as { tabId: number }).tabId });
  });
});

describe('capture: how it ends (S1-53, S1-98)', () => {
  it('S1-98 by itself after max_capture_time', async () => {
    await start({ max_capture_time: 300 });
    await get('/api/early');
    await expect.poll(status).toMatch(/^Capture: 1 request, .* It ended by itself after 300 ms\.$/);
    await get('/api/late');
    const done = await stop();
    expect(pathsOf(done)).toEqual(['GET /api/early']);
    expect(done.text).toMatch(/It ended by itself after 300 ms/);
    expect(done.ms).toBeGreaterThanOrEqual(295);
    expect(done.ms).toBeLessThan(4_000);
  });

  it('max_capture_time is 180 s by default', async () => {
    await start();
    const active = kit.server.list()[0]?.context.active;
    expect(active && captures.get(active)?.ended).toBeUndefined();
    const { LISTED } = await import('../../src/surfaces/listing/listed.ts');
    const row = LISTED.find(({ tool }) => tool.name === 'capture');
    expect(row?.tool.inputSchema).toMatchObject({ properties: { max_capture_time: { default: 180_000 } } });
  });

  it('by itself after inactivity_time without traffic', async () => {
    await start({ inactivity_time: 1_500 });
    for (let i = 0; i < 4; i++) {
      await get(`/api/${i}`);
      await kit.ok('wait', { for: 'timeout', duration: 400 });
    }
    expect(await status()).toMatch(/4 requests/);
    await expect.poll(status).toMatch(/It ended by itself after 1500 ms without traffic/);
    expect((await stop()).requests).toBe(4);
  });

  it('is refused a second time, and begins anew after it ended by itself', async () => {
    await start();
    await get('/api/a');
    expect((await kit.fails('capture', { action: 'start' })).text).toMatch(
      /runs in tab \d+ already, with 1 requests so far/,
    );
    await stop();
    await start({ max_capture_time: 50 });
    await expect.poll(status).toMatch(/ended by itself/);
    expect(await start()).toBe('The capture runs; stop gives what it has.');
  });

  it('goes on when the page of the tab is replaced, and ends with its tab', async () => {
    const opened = await kit.call('tab_new', { url: site.url });
    const { tabId } = opened.data as { tabId: number };
    await start();
    const tab = kit.server.list()[0]?.context.tabs.get(tabId);
    const crash = tab?.main.send('Page.crash');
    crash?.catch(() => undefined);
    await expect.poll(() => tab?.gone?.code).toBe('page_crashed');
    expect(await get('/api/again')).toContain('real');
    expect(pathsOf(await stop())).toContain('GET /api/again');
    await start();
    const capture = tab && captures.get(tab);
    await kit.ok('tab_close', { tabId });
    await expect.poll(() => capture?.ended?.why).toBe('with its tab');
    expect((await kit.fails('capture', { action: 'stop', tabId })).code).toBe('no_tab');
  });

  it('works while a dialog is open', async () => {
    await start();
    await js(kit, 'void setTimeout(() => alert(1))');
    await expect.poll(() => kit.call('title').then(({ failure }) => failure?.code)).toBe('dialog_open');
    expect(await status()).toContain('0 requests');
    await stop();
    await kit.ok('dialog', { action: 'accept' });
  });

  it('leaves nothing behind', async () => {
    const tab = kit.server.list()[0]?.context.active;
    if (!tab) throw new Error('no tab');
    const { root } = tab.page.context().browser().connection;
    const sessions = { opened: 0, closed: 0 };
    const stops = [
      root.on('Target.attachedToTarget', () => sessions.opened++),
      root.on('Target.detachedFromTarget', () => sessions.closed++),
    ];
    const left = () => ({
      listeners: (['connected', 'committed', 'domready', 'loaded'] as const).map(name =>
        tab.events.listenerCount(name),
      ),
      cleanups: tab.cleanups.length,
    });
    const before = left();
    for (let i = 0; i < 12; i++) {
      await start();
      await stop();
    }
    expect(left()).toEqual(before);
    await expect.poll(() => sessions).toEqual({ opened: 12, closed: 12 });
    for (const stopListening of stops) stopListening();
  });

  it.each([
    [{ action: 'begin' }, /action/],
    [{ action: 'start', max_capture_time: 0 }, /max_capture_time/],
    [{ action: 'start', filter: { resource_types: ['picture'] } }, /resource_types/],
    [{ action: 'start', filter: { url_pattern: '/(/' } }, /regular expression/],
    [{ action: 'start', filter: { what: 1 } }, /what/],
    [{ action: 'start', url: 'file:///etc/passwd' }, /^URL not allowed: .*no file:/],
    [{ action: 'start', save_path: '/etc/x.har' }, /refused/],
    [{ action: 'start', mode: 'trace', filter: {} }, /filter is for mode network/],
    [{ action: 'stop', mode: 'trace' }, /No trace runs in this session/],
    [{ action: 'status', tabId: 999 }, /no tab 999/],
  ])('refuses %j', async (args, said) => {
    expect((await kit.fails('capture', args)).text).toMatch(said);
    expect(await status()).toBe('Nothing is captured in this tab.');
  });
});

describe('capture: the HAR file (S1-53)', () => {
  it('keeps the rules of HAR 1.2, with everything that was seen and no credentials', async () => {
    await start({ include_bodies: true });
    await js(kit, 'document.cookie = "page=p4ge"');
    await kit.open(site.url);
    await get(
      '/api/user?access_token=tok3n&b=2',
      '{ method: "POST", body: "{}", headers: { Authorization: "Bearer l0gin" } }',
    );
    await get('/to/user');
    await get('/cut');
    await js(
      kit,
      `new Promise(done => {
        const ws = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
        ws.onmessage = () => { ws.send('hey'); ws.send(new Uint8Array([1, 2])); ws.close(); };
        ws.onclose = done;
      })`,
    );
    const { text } = await stop({ save_path: 'deep/all.har' });
    expect(text).toContain(`HAR file, credentials masked: ${outputFile('deep/all.har')}`);
    const har = harOf('deep/all.har');
    expect(brokenRules(har)).toEqual([]);
    const entry = (path: string) => har.log.entries.find(({ request }) => request.url.includes(path));
    expect(entry('/pixel.png')?.response.content).toMatchObject({ encoding: 'base64', text: PIXEL.toString('base64') });
    expect(entry('/api/user')?.request).toMatchObject({
      method: 'POST',
      postData: { text: '{}', mimeType: 'text/plain;charset=UTF-8' },
      queryString: [
        { name: 'access_token', value: 'redacted' },
        { name: 'b', value: '2' },
      ],
    });
    expect(entry('/api/user')?.request.headers).toContainEqual({
      name: expect.stringMatching(/^authorization$/i),
      value: 'Bearer [redacted]',
    });
    expect(entry('/api/user')?.response.content.text).toContain('"real":true');
    expect(entry('/to/user')?.response).toMatchObject({ status: 302, redirectURL: '/api/user' });
    expect(entry('/cut')?.response).toMatchObject({ status: 0, _error: 'net::ERR_EMPTY_RESPONSE' });
    expect(entry('/socket')?._webSocketMessages).toMatchObject([
      { type: 'receive', opcode: 1, data: 'hello' },
      { type: 'send', opcode: 1, data: 'hey' },
      { type: 'send', opcode: 2, data: 'AQI=' },
    ]);
    const heads = JSON.stringify(
      har.log.entries.map(({ request, response }) => [request, response.headers, response.cookies]),
    );
    expect(heads).not.toMatch(/p4ge|tok3n|l0gin|v1sit/);
    expect(heads).toContain('page=[redacted]');
  });

  it('loads in another HAR reader: Playwright serves the site from it when the server is gone', async () => {
    const gone = await startNetworkSite();
    await start({ include_bodies: true, url: gone.url, save_path: 'replay.har' });
    await get('/api/user');
    await stop();
    await gone.close();
    const other = await otherBrowser();
    const browser = await chromium.connectOverCDP(other.endpoint);
    const context = await browser.newContext();
    await context.routeFromHAR(outputFile('replay.har'), { notFound: 'abort' });
    const page = await context.newPage();
    await page.goto(gone.url);
    expect(await page.textContent('h1')).toBe('Home');
    expect(await page.evaluate('document.images[0].naturalWidth')).toBe(1);
    expect(await page.evaluate('fetch("/api/user").then(r => r.json()).then(r => r.line)')).toBe('GET /api/user');
    await browser.close();
    await other.end();
  });

  it('save_path outside of the output folder is refused, and the capture stays', async () => {
    await start();
    await get('/api/a');
    expect((await kit.fails('capture', { action: 'stop', save_path: '../out.har' })).code).toBe('refused');
    expect(existsSync(join(kit.folder, 'out.har'))).toBe(false);
    expect((await stop()).requests).toBe(1);
  });
});
