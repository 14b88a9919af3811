// Pages and callers who try to reach debugging ports of browsers and other ports that are closed to them: with a browser they could open
// and read any file of this machine.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server as ProxyServer } from 'proxy-chain';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ownPorts } from '../../src/policy/closed-places.ts';
import { type Listener, startOpen, startTarget } from '../engine/egress/sites.ts';
import { IN_PAGE, NAVIGATING } from '../engine/egress/ways.ts';
import { type Kit, startKit } from '../kit.ts';
import { type OtherBrowser, otherBrowser } from '../other-browser.ts';
import { endAll } from '../session/profiles/browsers.ts';
import { listenHere } from '../surfaces/http/here.ts';

const SOON = { timeout: 15_000, interval: 20 };
/** Every way to write this machine. */
const SPELLINGS = [
  ...['127.0.0.1', 'localhost', 'LOCALHOST.', 'a.localhost', '[::1]', '[::]', '0.0.0.0', '127.1', '2130706433'],
  ...['0x7f000001', '0177.0.0.1', '127.8.8.8', '[::ffff:127.0.0.1]', '[0:0:0:0:0:ffff:7f00:1]'],
];

let open: Listener;
/** Is there, and open to all. */
let control: Listener;
/** Listens on a port of ours. */
let closed: Listener;
beforeAll(async () => {
  [open, control, closed] = await Promise.all([startOpen(), startTarget(), startTarget()]);
  ownPorts.add(closed.port);
});
afterAll(() => Promise.all([open, control, closed].map(site => site?.close())));

const pageOf = (way: string, to: string): string =>
  `http://127.0.0.1:${open.port}/${encodeURIComponent(way)}?to=${encodeURIComponent(to)}`;
const WAYS = [...Object.keys(IN_PAGE), ...Object.keys(NAVIGATING), 'socket', 'worker with a socket'];
/** In the own windows of a browser that is attached to, no service worker starts. */
const ATTACHED_WAYS = WAYS.filter(way => !way.includes('service worker'));

interface Caller {
  kit: Kit;
  session?: string;
}

const call = ({ kit, session }: Caller, name: string, args: Record<string, unknown>) =>
  kit.call(name, { ...args, ...(session && { session }) });

/** Which of these ways of a page reach the closed port. They are tried one after the other, each with a place that may be reached behind it. */
async function reaching(caller: Caller, ways: readonly string[]): Promise<string[]> {
  closed.visits.length = 0;
  for (const [at, way] of ways.entries()) {
    const scheme = way.includes('socket') ? 'ws' : 'http';
    for (const { port } of [closed, control])
      await call(caller, 'navigate', { url: pageOf(way, `${scheme}://127.0.0.1:${port}/${at}.js`) });
    await vi.waitFor(() => expect(control.visits, way).toContain(`/${at}.js`), SOON);
    control.visits.length = 0;
  }
  return closed.visits.map(path => ways[Number.parseInt(path.slice(1), 10)] ?? path);
}

/** Which spellings of this machine a script of a page gets an answer from, at that port. */
async function answering(caller: Caller, port: number): Promise<string[]> {
  await call(caller, 'navigate', { url: `${caller.kit.site.url}/signup.html` });
  const { data } = await call(caller, 'evaluate', {
    expression: `Promise.all(${JSON.stringify(SPELLINGS)}.map(host =>
      fetch('http://' + host + ':${port}/json/version', { mode: 'no-cors' }).then(() => [host], () => [])
    )).then(rows => rows.flat())`,
  });
  return (data as { value: string[] }).value;
}

/** The codes of all answers to calls that name the port. */
async function answersTo(caller: Caller, port: number): Promise<Record<string, string | undefined>> {
  await call(caller, 'navigate', { url: `${caller.kit.site.url}/signup.html` });
  const answers: Record<string, string | undefined> = {};
  const ask = async (what: string, name: string, args: Record<string, unknown>) => {
    answers[what] = (await call(caller, name, args)).failure?.code;
  };
  for (const host of SPELLINGS) await ask(host, 'navigate', { url: `http://${host}:${port}/json/version` });
  const url = `http://127.0.0.1:${port}/json/version`;
  await ask('tab_new', 'tab_new', { url });
  await ask('request', 'request', { url });
  await ask('a redirected request', 'request', { url: pageOf('a redirect', url) });
  await ask('PUT', 'request', { url: `http://127.0.0.1:${port}/json/new?file:///etc/hosts`, method: 'PUT' });
  await ask('route', 'route', { action: 'add', url_pattern: '**/x', handler: 'continue', modify: { url } });
  return answers;
}

const allRefused = (answers: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(answers).map(name => [name, 'refused']));

describe('15.2 the port of a profile', () => {
  let kit: Kit;
  let port: number;
  beforeAll(async () => {
    kit = await startKit();
    await kit.ok('profile', { action: 'create', id: 'work', name: 'Work' });
    await kit.ok('profile', { action: 'launch', id: 'work' });
    port = (await kit.server.profiles.running())[0]?.cdp_port ?? 0;
    // Somebody listens there.
    const socket = createConnection(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  }, 60_000);
  afterAll(async () => {
    await kit.server.close();
    await endAll(join(kit.folder, 'state'));
    await kit.close();
  });

  it.each([
    ['another session', undefined],
    ['its own session', 'profile@work'],
  ])(
    'is not reached from %s, however it is written',
    async (_whose, session) => {
      const caller = { kit, ...(session && { session }) };
      const answers = await answersTo(caller, port);
      expect(answers).toEqual(allRefused(answers));
      expect(await answering(caller, port)).toEqual([]);
    },
    60_000,
  );

  it('nor is a port of this server by a page of another session in any way', async () => {
    expect(await reaching({ kit }, WAYS)).toEqual([]);
  }, 120_000);

  it('nor by a page of its own session in any way', async () => {
    expect(await reaching({ kit, session: 'profile@work' }, ATTACHED_WAYS)).toEqual([]);
  }, 120_000);

  it('nor is that of a server which began to listen after its launch', async () => {
    const here = await listenHere();
    await kit.restart();
    expect(await answering({ kit, session: 'profile@work' }, Number(new URL(here.url).port))).toEqual([]);
    await here.end();
  }, 60_000);
});

describe('15.2 the port of an attached browser', () => {
  let kit: Kit;
  let other: OtherBrowser;
  beforeAll(async () => {
    other = await otherBrowser('--disable-popup-blocking');
    kit = await startKit('--cdp-endpoint', other.endpoint);
  }, 60_000);
  afterAll(async () => {
    await kit?.close();
    await other?.end();
  });

  it('is not reached, however it is written', async () => {
    const port = Number(new URL(other.endpoint).port);
    const answers = await answersTo({ kit }, port);
    expect(answers).toEqual(allRefused(answers));
    expect(await answering({ kit }, port)).toEqual([]);
  }, 60_000);

  it('nor a port of this server, in any way of a page but a WebSocket', async () => {
    const ways = await reaching({ kit }, ATTACHED_WAYS);
    expect(ways.filter(way => !way.includes('socket'))).toEqual([]);
    await kit.ok('navigate', { url: pageOf('socket', `${other.endpoint.replace('http', 'ws')}/devtools/browser`) });
    // Chrome itself refuses it to pages.
    await kit.ok('wait', { for: 'function', function: 'return document.title === "failed"' });
  }, 120_000);
});

const FEW = ['an iframe', 'fetch', 'a worker', 'a service worker', 'a popup', 'a redirect', 'link prefetch'];

describe('15.2 ports are closed also', () => {
  it('with a proxy on this machine', async () => {
    const proxy = new ProxyServer({ host: '127.0.0.1', port: 0 });
    await proxy.listen();
    const kit = await startKit('--proxy', `http://127.0.0.1:${proxy.port}`);
    expect(await reaching({ kit }, FEW)).toEqual([]);
    await kit.close();
    await proxy.close(true);
  }, 60_000);

  it('in a browser with a folder of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-profile-'));
    const kit = await startKit('--user-data-dir', folder);
    expect(await reaching({ kit }, FEW)).toEqual([]);
    await kit.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }, 60_000);

  it('with url rules that name them', async () => {
    const kit = await startKit('--allow-urls', '127.0.0.1', '--allow-urls', 'localhost');
    expect(await reaching({ kit }, FEW)).toEqual([]);
    expect((await kit.fails('navigate', { url: `http://127.0.0.1:${closed.port}/` })).text).toContain(
      'no way to this server itself',
    );
    await kit.close();
  }, 60_000);

  it('when the owner has a table of hosts', async () => {
    const kit = await startKit(`--chrome-arg=--host-resolver-rules=MAP mine.test 127.0.0.1`);
    await kit.ok('navigate', { url: `http://mine.test:${control.port}/mine` });
    expect(control.visits).toContain('/mine');
    expect(await reaching({ kit }, FEW)).toEqual([]);
    await kit.close();
  }, 60_000);
});
