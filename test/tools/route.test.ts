// The route tool: what the server sees, what the page gets, and where rules hold.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { type NetworkSite, startNetworkSite } from './network-site.ts';
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
  await kit.ok('route', { action: 'clear' });
  await kit.open(site.url);
  site.seen.length = 0;
});

const route = (args: Record<string, unknown>) => kit.ok('route', args);
const add = async (args: Record<string, unknown>): Promise<string> => {
  const result = await kit.call('route', { action: 'add', ...args });
  if (!result.ok) throw new Error(result.text);
  return (result.data as { added: { route_id: string } }).added.route_id;
};
/** What fetch gives in the page: the text, or the error. */
const get = (path: string, init = '{}') =>
  js(kit, `fetch(${JSON.stringify(path)}, ${init}).then(r => r.text(), e => String(e))`);
const socket = (path = '/socket') =>
  js(
    kit,
    `new Promise(done => {
      const log = [], ws = new WebSocket(location.origin.replace('http', 'ws') + ${JSON.stringify(path)});
      ws.onopen = () => log.push('open');
      ws.onmessage = event => { log.push(event.data); ws.close(); done(log.join(' ')); };
      ws.onclose = event => done([...log, 'closed', event.code].join(' '));
    })`,
  );

describe('route: the examples of the text (S1-54, S1-99)', () => {
  it('block analytics', async () => {
    await route({ action: 'add', url_pattern: '**/analytics/**', handler: 'abort' });
    expect(await get('/analytics/hit')).toContain('Failed to fetch');
    expect(await get('/api/other')).toContain('real');
    expect(site.lines()).toEqual(['GET /api/other']);
  });

  it('mock an API response', async () => {
    await route({
      action: 'add',
      url_pattern: '**/api/user',
      handler: 'fulfill',
      response: { status: 200, json: { id: 1, name: 'Test User' } },
    });
    expect(await get('/api/user')).toBe('{"id":1,"name":"Test User"}');
    expect(await js(kit, 'fetch("/api/user").then(r => r.headers.get("content-type"))')).toBe('application/json');
    expect(site.lines()).toEqual([]);
  });

  it('modify request headers', async () => {
    await route({
      action: 'add',
      url_pattern: '**/api/**',
      handler: 'continue',
      modify: { headers: { 'X-Test-Header': 'test-value' } },
    });
    expect(await get('/api/x')).toContain('real');
    expect(site.seen[0]?.headers['x-test-header']).toBe('test-value');
  });

  it('all three together', async () => {
    await route({ action: 'add', url_pattern: '**/analytics/**', handler: 'abort' });
    await route({ action: 'add', url_pattern: '**/api/user', handler: 'fulfill', response: { json: { id: 1 } } });
    await route({
      action: 'add',
      url_pattern: '**/api/**',
      handler: 'continue',
      modify: { headers: { 'X-Test': '1' } },
    });
    expect(await get('/analytics/hit')).toContain('Failed to fetch');
    expect(await get('/api/user')).toBe('{"id":1}');
    await get('/api/x');
    expect(site.lines()).toEqual(['GET /api/x']);
    expect(site.seen[0]?.headers['x-test']).toBe('1');
    expect(await route({ action: 'list' })).toMatch(
      /^r\d+: abort \*\*\/analytics\/\*\*, used once\nr\d+: fulfill \*\*\/api\/user, used once\nr\d+: continue \*\*\/api\/\*\*, used once$/,
    );
  });
});

describe('route: handlers (S1-54)', () => {
  it('fulfill: status, headers, body; also a document and an image', async () => {
    await add({
      url_pattern: '**/api/made',
      handler: 'fulfill',
      response: { status: 418, headers: { 'X-Made': 'yes' }, body: 'short and stout' },
    });
    expect(
      await js(kit, 'fetch("/api/made").then(async r => [r.status, r.headers.get("x-made"), await r.text()].join())'),
    ).toBe('418,yes,short and stout');
    await add({
      url_pattern: '**/page',
      handler: 'fulfill',
      response: { body: '<title>Made up</title><img src="/pic.svg">' },
    });
    await add({
      url_pattern: '**/pic.svg',
      handler: 'fulfill',
      response: {
        headers: { 'content-type': 'image/svg+xml' },
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>',
      },
    });
    expect(await kit.open(`${site.url}/page`)).toContain('Made up');
    expect(await js(kit, 'document.images[0].naturalWidth')).toBe('7');
    expect(site.lines()).toEqual([]);
  });

  it('fulfill answers another site too, and without a response it is an empty 200', async () => {
    await add({ url_pattern: 'http://nowhere.invalid/**', handler: 'fulfill' });
    expect(
      await js(kit, 'fetch("http://nowhere.invalid/x").then(async r => [r.status, await r.text()].join("|"))'),
    ).toBe('200|');
  });

  it('abort: scripts, documents and images fail', async () => {
    await add({ url_pattern: '**/pixel.png', handler: 'abort' });
    await kit.open(site.url);
    expect(await js(kit, 'document.images[0].naturalWidth')).toBe('0');
    expect(site.lines()).toEqual(['GET /']);
    await add({ url_pattern: `${site.url}/service`, handler: 'abort' });
    expect((await kit.fails('navigate', { url: `${site.url}/service` })).text).toMatch(/blocked it/);
  });

  it('continue: url, method and post_data', async () => {
    await add({
      url_pattern: '**/api/old',
      handler: 'continue',
      modify: { url: `${site.url}/api/new`, method: 'post', post_data: 'changed' },
    });
    expect(await js(kit, 'fetch("/api/old").then(async r => [r.url, (await r.json()).line].join())')).toBe(
      `${site.url}/api/old,POST /api/new`,
    );
    expect(site.seen[0]).toMatchObject({ line: 'POST /api/new', body: 'changed' });
  });

  it('continue to another protocol', async () => {
    await add({
      url_pattern: 'https://secure.invalid/**',
      handler: 'continue',
      modify: { url: `${site.url}/api/plain` },
    });
    const text = await js(
      kit,
      'fetch("https://secure.invalid/x", { method: "POST", body: "b" }).then(r => r.text(), String)',
    );
    expect(text).toContain('POST /api/plain');
    expect(site.seen[0]).toMatchObject({ line: 'POST /api/plain', body: 'b' });
    await kit.ok('route', { action: 'clear' });
    await add({
      url_pattern: 'https://secure.invalid/**',
      handler: 'continue',
      modify: { url: 'http://127.0.0.1:9/' },
    });
    expect(await js(kit, 'fetch("https://secure.invalid/x").then(r => r.text(), String)')).toContain('Failed to fetch');
    expect(await route({ action: 'list' })).toMatch(/connection refused/);
  });

  it('changes of several rules add up; one without changes makes an exception', async () => {
    await add({ url_pattern: '**/api/**', handler: 'continue', modify: { headers: { 'X-A': 'old', 'X-B': 'b' } } });
    await add({ url_pattern: '**/api/x', handler: 'continue', modify: { headers: { 'X-A': 'new' } } });
    await get('/api/x');
    expect(site.seen[0]?.headers).toMatchObject({ 'x-a': 'new', 'x-b': 'b' });
    await add({ url_pattern: '**/api/**', handler: 'abort' });
    await add({ url_pattern: '**/api/let-through', handler: 'continue' });
    expect(await get('/api/x')).toContain('Failed');
    expect(await get('/api/let-through')).toContain('real');
  });

  it('redirected requests are matched as well', async () => {
    await add({ url_pattern: '**/api/made', handler: 'fulfill', response: { body: 'mocked' } });
    await add({ url_pattern: '**/api/blocked', handler: 'abort' });
    await add({ url_pattern: '**/api/changed', handler: 'continue', modify: { headers: { 'X-Hop': '1' } } });
    expect(await get('/to/made')).toBe('mocked');
    expect(await get('/to/blocked')).toContain('Failed');
    expect(await get('/to/changed')).toContain('"x-hop":"1"');
    expect(await get('/to/free')).toContain('real');
    expect(site.lines().filter(line => line.includes('/api/'))).toEqual(['GET /api/changed', 'GET /api/free']);
    expect(await route({ action: 'list' })).toMatch(/made, used once\n.*blocked, used once\n.*changed, used once/);
  });

  it('a request that is redirected keeps the headers that a rule gave it', async () => {
    await add({ url_pattern: '**/to/**', handler: 'continue', modify: { headers: { 'X-Kept': '1' } } });
    expect(await get('/to/changed')).toContain('"x-kept":"1"');
    expect(await get('/api/changed')).not.toContain('x-kept');
  });

  it('a fulfilled request needs no leave of its server; any other does', async () => {
    await add({ url_pattern: '**/api/made', handler: 'fulfill', response: { body: 'mocked' } });
    const other = site.url.replace('127.0.0.1', 'localhost');
    const put = (path: string) => get(`${other}${path}`, '{ method: "PUT", headers: { "X-Own": "1" } }');
    expect(await put('/api/made')).toBe('mocked');
    expect(await put('/api/real')).toContain('Failed to fetch');
    expect(site.lines()).toEqual(['OPTIONS /api/real']);
  });

  it.each([
    ['*://*/api/*', '/api/a', true],
    ['*://*/api/*', '/api/a/b', true],
    ['**/api/**', '/api/a/b?c=d', true],
    ['/api\\/\\d+$/', '/api/12', true],
    ['/api\\/\\d+$/', '/api/x', false],
    ['/api/part', '/api/part/of', true],
  ])('pattern %s and %s: %s', async (url_pattern, path, matches) => {
    await add({ url_pattern, handler: 'abort' });
    expect((await get(path)).includes('Failed')).toBe(matches);
  });
});

describe('route: where rules hold (S1-54)', () => {
  it('in all tabs, new ones and popups included; with tabId only there', async () => {
    const first = await kit.call('tab_list');
    const tabId = (first.data as { tabs: { tabId: number; active: boolean }[] }).tabs.find(tab => tab.active)?.tabId;
    const all = await add({ url_pattern: '**/api/all', handler: 'fulfill', response: { body: 'everywhere' } });
    const one = await add({ url_pattern: '**/api/one', handler: 'fulfill', response: { body: 'here' }, tabId });
    expect(await get('/api/one')).toBe('here');
    const opened = await kit.call('tab_new', { url: site.url });
    const other = (opened.data as { tabId: number }).tabId;
    expect(await get('/api/all')).toBe('everywhere');
    expect(await get('/api/one')).toContain('real');
    const popups = async () =>
      [...(await kit.ok('tab_list')).matchAll(/(\d+): \S+\/api\/all/g)].map(([, id]) => Number(id));
    // Several: a request that goes out before the popup is routed does so now and then.
    for (let n = 1; n <= 8; n++) {
      await js(kit, "void open('/api/all')");
      await expect.poll(popups).toHaveLength(n);
    }
    for (const popup of await popups())
      expect(await kit.ok('evaluate', { expression: 'document.body.innerText', tabId: popup })).toBe('everywhere');
    expect(await route({ action: 'list', tabId: other })).not.toContain(one);
    expect(await route({ action: 'list', tabId })).toMatch(
      new RegExp(`${all}: .*\n${one}: .*, tab ${tabId} only, used once`),
    );
    await kit.ok('tab_close', { tabId: [other, ...(await popups())] });
    expect((await kit.fails('route', { action: 'add', url_pattern: '*', handler: 'abort', tabId: other })).code).toBe(
      'no_tab',
    );
  });

  it('rules of a tab end with it, and hold in private windows if they are for all', async () => {
    await add({ url_pattern: '**/api/all', handler: 'fulfill', response: { body: 'everywhere' } });
    const { data } = await kit.call('window_new', { url: site.url, incognito: true });
    const { tabId } = data as { tabId: number };
    expect(await get('/api/all')).toBe('everywhere');
    await add({ url_pattern: '**/api/own', handler: 'abort', tabId });
    expect(await get('/api/own')).toContain('Failed');
    await kit.ok('tab_close', { tabId });
    expect(await route({ action: 'list' })).not.toContain('own');
  });

  it('for workers and service workers', async () => {
    await add({ url_pattern: '**/api/worker', handler: 'fulfill', response: { body: 'to a worker' } });
    await kit.open(`${site.url}/worker`);
    expect(await js(kit, 'answer')).toBe('to a worker');
    await kit.open(`${site.url}/service`);
    await js(kit, 'ready');
    const id = await add({ url_pattern: '**/api/sw', handler: 'fulfill', response: { body: 'to a service worker' } });
    expect(await get('/api/sw')).toBe('to a service worker');
    expect(site.lines().join()).not.toContain('/api/');
    await route({ action: 'remove', route_id: id });
    expect(await get('/api/sw')).toContain('real');
    await js(
      kit,
      'navigator.serviceWorker.getRegistrations().then(all => Promise.all(all.map(one => one.unregister())))',
    );
  });

  it('for WebSockets', async () => {
    expect(await socket()).toBe('open hello');
    const blocked = await add({ url_pattern: 'ws://**/socket', handler: 'abort' });
    expect(await socket()).toBe('closed 1006');
    await route({ action: 'remove', route_id: blocked });
    expect(await socket()).toBe('open hello');
    await add({ url_pattern: '**/socket', handler: 'fulfill', response: { json: { made: 'up' } } });
    expect(await socket()).toBe('open {"made":"up"}');
    expect(await socket('/other')).toBe('open hello');
    expect(site.lines()).toEqual(['UPGRADE /socket', 'UPGRADE /socket', 'UPGRADE /other']);
    expect(await route({ action: 'list' })).toContain('used once');
  });

  it('for WebSockets of frames of other sites, from their first script on', async () => {
    const other = site.url.replace('127.0.0.1', 'localhost');
    await add({ url_pattern: '**/mocked', handler: 'fulfill', response: { body: 'made up' } });
    const script = `new WebSocket('${other.replace('http', 'ws')}/mocked').onmessage = e => parent.postMessage(e.data, '*')`;
    const headers = { 'content-type': 'text/html' };
    const body = `<script>${script}</script>`;
    await add({ url_pattern: '**/frame', handler: 'fulfill', response: { headers, body } });
    const shown = `new Promise(done => {
      onmessage = event => done(event.data);
      document.body.append(Object.assign(document.createElement('iframe'), { src: '${other}/frame' }));
    })`;
    expect(await js(kit, shown)).toBe('made up');
    expect(site.lines()).toEqual([]);
  });

  it('a WebSocket that no rule stops is as it would be without rules', async () => {
    await add({ url_pattern: '**/other', handler: 'abort' });
    expect(
      await js(
        kit,
        `new Promise(done => {
          const ws = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
          const log = [ws.readyState, ws instanceof WebSocket, WebSocket.name, WebSocket.OPEN, ws.CLOSED];
          ws.binaryType = 'arraybuffer';
          ws.addEventListener('message', event => { log.push(event.data, ws.binaryType, ws.readyState); ws.close(); });
          ws.onclose = event => done([...log, ws.readyState, event.constructor.name].join());
        })`,
      ),
    ).toBe('0,true,WebSocket,1,3,hello,arraybuffer,1,3,CloseEvent');
    expect(await js(kit, "(() => { try { new WebSocket('ftp://x'); } catch (e) { return e.name; } })()")).toBe(
      'SyntaxError',
    );
  });

  it('for the WebSockets of one tab', async () => {
    const { data } = await kit.call('tab_new', { url: site.url });
    const { tabId } = data as { tabId: number };
    await add({ url_pattern: '**/socket', handler: 'abort', tabId });
    expect(await socket()).toBe('closed 1006');
    await kit.ok('tab_close', { tabId });
    expect(await socket()).toBe('open hello');
  });

  it('a navigation with headers of its own passes the rules too', async () => {
    await add({ url_pattern: '**/api/**', handler: 'continue', modify: { headers: { 'X-Rule': '1' } } });
    await kit.ok('navigate', { url: `${site.url}/api/page`, headers: { 'X-Own': '2' } });
    expect(site.seen[0]?.headers).toMatchObject({ 'x-rule': '1', 'x-own': '2' });
  });

  it('after the browser ended', async () => {
    await add({ url_pattern: '**/api/all', handler: 'fulfill', response: { body: 'still' } });
    const [session] = kit.server.list();
    await session?.context.active?.page.context().browser()?.close();
    await kit.open(site.url);
    expect(await get('/api/all')).toBe('still');
  });
});

describe('route: remove, clear, list, and what is refused (S1-54)', () => {
  it('remove by id; clear all or those of a tab', async () => {
    const first = await add({ url_pattern: '**/api/a', handler: 'abort' });
    await add({ url_pattern: '**/api/b', handler: 'abort' });
    expect(await route({ action: 'remove', route_id: first })).toBe(`Removed:\n${first}: abort **/api/a, never used`);
    expect(await get('/api/a')).toContain('real');
    expect(await get('/api/b')).toContain('Failed');
    const gone = await kit.fails('route', { action: 'remove', route_id: first });
    expect(gone).toMatchObject({ code: 'not_found', text: expect.stringContaining('Routes: r') });
    const tabId = Number(/\* (\d+):/.exec(await kit.ok('tab_list'))?.[1]);
    await add({ url_pattern: '**/api/c', handler: 'abort', tabId });
    expect(await route({ action: 'clear', tabId })).toMatch(
      /^Removed:\nr\d+: abort \*\*\/api\/c, tab \d+ only, never used$/,
    );
    expect(await route({ action: 'list' })).toMatch(/^r\d+: abort \*\*\/api\/b, used once$/);
    expect(await route({ action: 'clear' })).toContain('api/b');
    expect(await route({ action: 'clear' })).toBe('There were no routes.');
    expect(await route({ action: 'list' })).toBe('There are no routes.');
  });

  it('14.2 * in url_pattern matches across slashes; a route tells that and how often it was used', async () => {
    await add({ url_pattern: '*/api/us*', handler: 'fulfill', response: { body: 'mocked' } });
    expect(await route({ action: 'list' })).toMatch(/: fulfill \*\/api\/us\*, not used yet$/);
    for (const path of ['/api/user', '/api/users/7']) expect(await get(path)).toContain('mocked');
    expect(await route({ action: 'clear' })).toMatch(/, used 2 times$/);
  });

  it('without routes nothing is held up: the cache works again', async () => {
    await add({ url_pattern: '**/api/**', handler: 'abort' });
    await route({ action: 'clear' });
    await kit.open(site.url);
    site.seen.length = 0;
    await kit.open(site.url);
    expect(site.lines()).toEqual(['GET /']);
  });

  it.each([
    [{ url_pattern: '**/x' }, /needs url_pattern and handler/],
    [{ handler: 'abort' }, /needs url_pattern and handler/],
    [{ url_pattern: '**/x', handler: 'abort', response: {} }, /response goes only with handler fulfill/],
    [{ url_pattern: '**/x', handler: 'fulfill', modify: {} }, /modify goes only with handler continue/],
    [{ url_pattern: '**/x', handler: 'fulfill', response: { body: 'a', json: {} } }, /one body/],
    [{ url_pattern: '**/x', handler: 'fulfill', response: { status: 42 } }, /status/],
    [
      {
        url_pattern: '**/x',
        handler: 'fulfill',
        response: { status: 302, headers: { Location: 'file:///etc/passwd' } },
      },
      /no file:/,
    ],
    [{ url_pattern: '**/x', handler: 'continue', modify: { url: 'file:///etc/passwd' } }, /no file:/],
    [{ url_pattern: '**/x', handler: 'continue', modify: { url: 'data:text/plain,x' } }, /http or https/],
    [{ url_pattern: '**/x', handler: 'continue', modify: { method: 'TRACE' } }, /method/],
    [{ url_pattern: '**/x', handler: 'continue', modify: { headers: { Cookie: 'a=1' } } }, /cookies tool/],
    [
      { url_pattern: '**/x', handler: 'continue', modify: { headers: { 'Sec-Fetch-Mode': 'x' } } },
      /Chrome writes it itself/,
    ],
    [
      { url_pattern: 'wss://x/**', handler: 'continue', modify: { headers: { 'X-A': '1' } } },
      /WebSocket cannot be changed/,
    ],
    [{ url_pattern: '/(/', handler: 'abort' }, /regular expression/],
    [{ url_pattern: '**/x', handler: 'abort', tabId: 999 }, /no tab 999/],
  ])('refuses %j', async (args, said) => {
    expect((await kit.fails('route', { action: 'add', ...args })).text).toMatch(said);
    expect(await route({ action: 'list' })).toBe('There are no routes.');
  });

  it('works while a dialog is open', async () => {
    await js(kit, 'void setTimeout(() => alert(1))');
    await expect.poll(() => kit.call('title').then(({ failure }) => failure?.code)).toBe('dialog_open');
    const tabId = Number(/\* (\d+):/.exec(await kit.ok('tab_list'))?.[1]);
    await add({ url_pattern: '**/api/d', handler: 'abort', tabId });
    await kit.ok('dialog', { action: 'accept' });
    expect(await get('/api/d')).toContain('Failed');
  });
});
