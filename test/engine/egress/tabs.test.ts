// Rules for urls, as an agent meets them: clicks, history, downloads, uploads, sockets, profiles, the proxy of the user.
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { load } from '../../../src/config/load.ts';
import { windowProxyOf } from '../../../src/engine/egress/window-proxies.ts';
import { policyOf } from '../../../src/surfaces/runtime.ts';
import { type Kit, startKit } from '../../kit.ts';
import { killChrome } from '../../session/chrome-process.ts';
import { type Listener, startOpen, startTarget } from './sites.ts';
import { startSocks } from './socks.ts';

const SOON = { timeout: 15_000, interval: 20 };

let open: Listener;
let target: Listener;
const cleanups: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  [open, target] = await Promise.all([startOpen(), startTarget()]);
  cleanups.push(
    () => open.close(),
    () => target.close(),
  );
});
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

type Told = { what: string; rule: string; caller: string; session?: string };

async function start(...flags: string[]): Promise<Kit & { refused: Told[] }> {
  const kit = await startKit(...flags);
  cleanups.push(() => kit.close());
  const refused: Told[] = [];
  kit.server.journal.follow(record => {
    if ('door' in record) refused.push(record);
  });
  return { ...kit, refused };
}

const page = (way: string, to = ''): string =>
  `http://127.0.0.1:${open.port}/${encodeURIComponent(way)}?to=${encodeURIComponent(to)}`;

const blocked = () => `--block-urls=localhost:${target.port}`;
const there = (path = '/there') => `http://localhost:${target.port}${path}`;

const portsOf = (kit: Kit): number[] =>
  kit.server.list().flatMap(({ context }) =>
    [...context.tabs.values()].flatMap(tab => {
      const exit = windowProxyOf(tab.page.context());
      return exit ? [Number(new URL(exit.url).port)] : [];
    }),
  );

const isListening = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

describe('S3-24, issue: URL rules as a boundary: what an agent does', () => {
  it('a click that leads to a blocked page says so, and so do a new tab, back and forward', async () => {
    const kit = await start(blocked());
    const words = `URL not allowed: ${there()}: rule "--block-urls localhost:${target.port}".`;
    await kit.ok('navigate', { url: page('links', there()) });
    expect(await kit.ok('click', { selector: '#same' })).toContain(words);
    await kit.ok('navigate', { url: page('home') });
    expect(await kit.ok('back')).toContain(words);
    expect(await kit.ok('navigate', { url: page('links', there()) })).not.toContain('not allowed');
    const clicked = await kit.ok('click', { selector: '#blank' });
    await vi.waitFor(async () => expect(clicked + (await kit.ok('tab_list'))).toContain(words), SOON);
    expect(target.visits).toEqual([]);
    expect(kit.refused[0]).toMatchObject({ what: there(), caller: 'local', session: 'default@local' });
  });

  it('a link to be saved and a file to be uploaded are not fetched', async () => {
    const kit = await start(blocked());
    await kit.ok('navigate', { url: page('links', there('/file')) });
    await kit.call('click', { selector: '#save' });
    await vi.waitFor(() => expect(kit.refused.map(({ what }) => what)).toContain(there('/file')), SOON);
    await kit.ok('evaluate', { expression: `document.body.innerHTML = '<input type=file id=f>'` });
    const { code, text } = await kit.fails('upload', { selector: '#f', files: [{ url: there('/up') }] });
    expect([code, text]).toEqual(['refused', expect.stringContaining(`URL not allowed: ${there('/up')}`)]);
    const redirected = await kit.fails('upload', {
      selector: '#f',
      files: [{ url: page('a redirect', there('/up')) }],
    });
    expect(redirected.text).toContain(`URL not allowed: ${there('/up')}`);
    expect(target.visits).toEqual([]);
  });

  it('no route sends a request to a blocked place', async () => {
    const kit = await start(blocked());
    const to = { handler: 'continue', modify: { url: there() } };
    const { code, text } = await kit.fails('route', { action: 'add', url_pattern: '**/x', ...to });
    expect([code, text]).toEqual(['refused', expect.stringContaining('URL not allowed')]);
    const redirect = { handler: 'fulfill', response: { status: 302, headers: { location: there() } } };
    await kit.ok('route', { action: 'add', url_pattern: '**/moved**', ...redirect });
    expect((await kit.fails('navigate', { url: page('moved') })).text).toContain(`URL not allowed: ${there()}`);
    expect(target.visits).toEqual([]);
  });

  it('schemes that are refused anyway still are, in the same words', async () => {
    const kit = await start(blocked());
    const { code, text } = await kit.fails('navigate', { url: 'file:///etc/passwd' });
    expect([code, text]).toEqual([
      'refused',
      expect.stringMatching(/^URL not allowed: file:\/\/\/etc\/passwd: rule "no file:"/),
    ]);
  });

  it('pages without a host are open, and what they ask for is judged', async () => {
    const kit = await start(blocked());
    await kit.ok('navigate', { url: `data:text/html,<title>Data</title><img src="${there('/img')}">` });
    await vi.waitFor(() => expect(kit.refused.map(({ what }) => what)).toContain(there('/img')), SOON);
    await kit.ok('navigate', { url: 'about:blank' });
    expect(target.visits).toEqual([]);
  });

  it('a refusal by path is told as one of the session whose frame it was', async () => {
    const kit = await start(`--block-urls=localhost:${target.port}/secret/**`);
    await kit.ok('navigate', { url: page('a nested iframe', there('/secret/x')) });
    await vi.waitFor(
      () =>
        expect(kit.refused).toMatchObject([{ what: there('/secret/x'), caller: 'local', session: 'default@local' }]),
      SOON,
    );
  });

  it('50 requests of a page at once are all answered', async () => {
    const kit = await start(blocked(), '--block-urls', `http://127.0.0.1:${open.port}/never/**`);
    await kit.ok('navigate', { url: page('home') });
    const expression = `Promise.all(Array.from({ length: 50 }, (_, at) => fetch('/n' + at).then(r => r.status)))
      .then(all => all.filter(status => status === 200).length)`;
    expect(await kit.ok('evaluate', { expression })).toContain('50');
  });

  it('what cannot be reached is told as without rules', async () => {
    const kit = await start(blocked());
    await target.close();
    const url = `http://127.0.0.1:${target.port}/`;
    expect((await kit.fails('navigate', { url })).text).toContain('nothing answers there (connection refused)');
    expect((await kit.fails('navigate', { url: url.replace('http', 'https') })).text).toContain('connection refused');
    expect((await kit.fails('request', { url })).text).toContain('nothing answers there (connection refused)');
  });
});

describe('issue: URL rules as a boundary: sockets', () => {
  it.each(['ws', 'wss'])('%s: none to a blocked host, of a page or of a worker', async scheme => {
    const kit = await start(blocked());
    const url = `${scheme}://localhost:${target.port}/s`;
    await kit.ok('navigate', { url: page('socket', url) });
    await kit.ok('wait', { for: 'function', function: `document.title === 'failed'` });
    await kit.ok('navigate', { url: page('worker with a socket', url) });
    const told = `http://localhost:${target.port}/`;
    await vi.waitFor(() => expect(kit.refused.map(({ what }) => what)).toContain(told), SOON);
    expect(target.visits).toEqual([]);
  });

  it('ws: by path', async () => {
    const kit = await start(`--block-urls=localhost:${target.port}/secret/**`);
    const socket = (path: string) => page('socket', `ws://localhost:${target.port}${path}`);
    await kit.ok('navigate', { url: socket('/open') });
    await vi.waitFor(() => expect(target.visits).toEqual(['/open']), SOON);
    await kit.ok('navigate', { url: socket('/secret/x') });
    await vi.waitFor(() => expect(kit.refused.map(({ what }) => what)).toContain(there('/secret/x')), SOON);
    expect(target.visits).toEqual(['/open']);
  });

  it('wss: to a host that is open, but not to one of which only some paths are', async () => {
    const secure = await startTarget(true);
    cleanups.push(() => secure.close());
    const flags = [
      '--chrome-arg=--ignore-certificate-errors',
      `--block-urls=https://localhost:${secure.port}/secret/**`,
    ];
    const kit = await start(...flags);
    await kit.ok('navigate', { url: page('socket', `wss://127.0.0.1:${secure.port}/open`) });
    await vi.waitFor(() => expect(secure.visits).toEqual(['/open']), SOON);
    await kit.ok('navigate', { url: page('socket', `wss://localhost:${secure.port}/any`) });
    await vi.waitFor(() => expect(kit.refused.map(({ rule }) => rule).join()).toContain('hides its path'), SOON);
    // The path of a page is seen.
    await kit.ok('navigate', { url: `https://localhost:${secure.port}/page` });
    expect(secure.visits).toContain('/page');
    expect(secure.visits).not.toContain('/any');
  });
});

describe('issue: URL rules as a boundary: the browser', () => {
  it('without rules there is no proxy', async () => {
    const kit = await start();
    await kit.ok('navigate', { url: page('home') });
    expect(portsOf(kit)).toEqual([]);
    expect(kit.refused).toEqual([]);
  });

  it('after it was killed the rules hold again, and nothing listens after the end', async () => {
    const kit = await start(blocked(), `--block-urls=http://127.0.0.1:${open.port}/never/**`);
    await kit.ok('navigate', { url: page('home') });
    const before = portsOf(kit);
    killChrome();
    await vi.waitFor(async () => expect(await Promise.all(before.map(isListening))).toEqual([false]), SOON);
    expect(await kit.ok('navigate', { url: page('links', there()) })).toContain('started again');
    expect((await kit.fails('navigate', { url: there() })).code).toBe('refused');
    expect(
      (await kit.fails('navigate', { url: page('a redirect', `http://127.0.0.1:${open.port}/never/x`) })).code,
    ).toBe('refused');
    const after = portsOf(kit);
    expect(await Promise.all(after.map(isListening))).toEqual([true]);
    await kit.close();
    cleanups.pop();
    expect(await Promise.all(after.map(isListening))).toEqual([false]);
    expect(target.visits).toEqual([]);
  });

  it('each session has a way out of its own, shut with it, and its refusals are told as its own', async () => {
    const kit = await start(blocked());
    await kit.ok('navigate', { url: page('home'), session: 'one' });
    await kit.ok('navigate', { url: page('an image', there('/two')), session: 'two' });
    const [one = 0, two = 0] = portsOf(kit);
    expect(one).not.toBe(two);
    await vi.waitFor(
      () => expect(kit.refused).toMatchObject([{ session: 'two', caller: 'local', what: there('/two') }]),
      SOON,
    );
    await kit.ok('session_close', { session: 'two' });
    await vi.waitFor(async () => expect(await isListening(two)).toBe(false), SOON);
    expect(await isListening(one)).toBe(true);
    await kit.ok('navigate', { url: page('home'), session: 'one' });
  });

  it('a profile obeys them too, and so do its workers', async () => {
    const kit = await startKit();
    const folder = join(kit.folder, 'profile');
    cleanups.push(() => kit.close());
    const flags = [
      `--user-data-dir=${folder}`,
      `--block-urls=localhost:${target.port}/secret/**`,
      '--block-urls=evil.test',
    ];
    const ruled = await start(...flags);
    await ruled.ok('navigate', { url: page('an image', there('/open')) });
    await vi.waitFor(() => expect(target.visits).toEqual(['/open']), SOON);
    await ruled.ok('navigate', { url: page('a service worker', there('/secret/x')) });
    await vi.waitFor(() => expect(ruled.refused.map(({ what }) => what)).toContain(there('/secret/x')), SOON);
    await ruled.ok('navigate', { url: page('an image', 'http://evil.test/x') });
    await vi.waitFor(
      () => expect(ruled.refused.at(-1)).toMatchObject({ what: 'http://evil.test/x', session: 'default@local' }),
      SOON,
    );
    expect(target.visits).toEqual(['/open']);
  });

  it('the proxy of the user carries what is allowed', async () => {
    const socks = await startSocks();
    cleanups.push(() => socks.close());
    const kit = await start('--block-urls=evil.test', `--proxy=socks5://127.0.0.1:${socks.port}`);
    expect(await kit.ok('navigate', { url: `http://good.test:${target.port}/page` })).toContain('There');
    expect(await kit.ok('request', { url: `http://good.test:${target.port}/asked` })).toContain('200');
    expect((await kit.fails('navigate', { url: 'http://evil.test/' })).code).toBe('refused');
    expect(target.visits).toEqual(expect.arrayContaining(['/page', '/asked']));
    // Nor does Chrome call out by itself.
    expect(new Set(socks.visits)).toEqual(new Set([`good.test:${target.port}`]));
  });

  it('a pattern that cannot be read stops the start', async () => {
    await expect(startKit('--block-urls=ftp://x')).rejects.toThrow('is no pattern of urls');
    const { options } = await load(['--allow-urls', 'ftp://x']);
    await expect(policyOf(options)).rejects.toMatchObject({ code: 'bad_input' });
  });
});
