// The keeper of a profile's browser: many clients share one pipe to Chrome, and neither of the two outlives the other.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CdpConnection } from '../../../src/cdp/connection.ts';
import { lengthBytes } from '../../../src/cdp/websocket-client.ts';
import { openSocket } from '../../../src/engine/browser/attach/socket.ts';
import { type Kit, startKit } from '../../kit.ts';
import { descendantsOf, Process, temporaryFolder } from '../../surfaces/process.ts';
import { endAll, parentOf, recordsIn, runs } from './browsers.ts';
import { end, ends, kitWith, use } from './profile-kit.ts';

const SOON = { timeout: 15_000, interval: 20 };
/** For 80 MB through a pipe on a busy machine. */
const LATER = { timeout: 90_000, interval: 20 };
const MB = 1024 * 1024;
const connect = async (url = '') => new CdpConnection(await openSocket(url, AbortSignal.timeout(10_000)));

/** A client that can stop reading. */
class RawClient {
  readonly socket: Socket;
  bytes = 0;
  #text = '';

  constructor(url: string) {
    const { port, pathname } = new URL(url);
    this.socket = createConnection(Number(port), '127.0.0.1');
    const headers = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x'];
    this.socket.write(`GET ${pathname} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    this.socket.on('error', () => undefined); // when it is dropped
    this.socket.on('data', chunk => {
      this.bytes += chunk.length;
      this.#text = (this.#text + chunk.toString('latin1')).slice(-2_000);
    });
  }

  /** Masked with zeros. */
  send(message: object | string): void {
    const bytes = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
    this.socket.write(Buffer.concat([Buffer.from([0x81]), lengthBytes(bytes.length), Buffer.alloc(4), bytes]));
  }

  hears(pattern: RegExp): Promise<RegExpExecArray> {
    return vi.waitUntil(() => pattern.exec(this.#text), SOON);
  }
}

/** Bytes of memory that the process uses by itself. */
const memoryOf = (pid: number): number => {
  const [, kb] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) * 1024;
};

describe('its end', () => {
  afterEach(end);

  it('kill -9 of the keeper leaves nothing of the browser; the profile can be launched again, at another address', async () => {
    const kit = await kitWith();
    const on = use(kit);
    await on.profile('create', { id: 'a', name: 'A' });
    const { run } = await on.profile('launch', { id: 'a' });
    await kit.ok('navigate', { session: 'profile@a', url: `${kit.site.url}/tables.html` });
    const pid = run?.pid ?? 0;
    const all = [pid, ...descendantsOf(pid)];
    process.kill(parentOf(pid), 'SIGKILL');
    await vi.waitFor(() => expect(all.filter(runs)).toEqual([]), SOON);
    expect((await on.list())[0]?.is_running).toBe(false);
    expect((await kit.fails('title', { session: 'profile@a' })).code).toMatch(/^browser_(?:gone|not_running)$/);
    const again = await on.profile('launch', { id: 'a' });
    expect(again.run?.cdp_url?.split('/').at(-1)).not.toBe(run?.cdp_url?.split('/').at(-1));
    expect(await kit.ok('navigate', { session: 'profile@a', url: `${kit.site.url}/tables.html` })).toContain('Tables');
  }, 60_000);

  it('the keeper ends with the browser, whether that is asked to or killed', async () => {
    const on = use(await kitWith());
    await on.profile('create', { id: 'a', name: 'A' });
    const first = (await on.profile('launch', { id: 'a' })).run?.pid ?? 0;
    const keeper = parentOf(first);
    process.kill(first, 'SIGKILL');
    await vi.waitFor(() => expect(runs(keeper)).toBe(false), SOON);
    const { run } = await on.profile('launch', { id: 'a' });
    const next = parentOf(run?.pid ?? 0);
    const line = await connect(run?.cdp_url);
    line.root.send('Browser.close').catch(() => undefined); // its answer may come after the end
    await vi.waitFor(() => expect([run?.pid ?? 0, next].filter(runs)).toEqual([]), SOON);
  }, 60_000);

  it('a server that is killed while it launches leaves no browser', async () => {
    const folder = temporaryFolder();
    ends.push(async () => folder.remove());
    // Reads its commands, as Chrome does, and never answers.
    const silent = join(folder.path, 'browser');
    writeFileSync(silent, '#!/bin/sh\nexec cat <&3 >/dev/null\n', { mode: 0o755 });
    const server = new Process(['--executable-path', silent], folder.path);
    await server.initialize();
    const call = (args: object) => server.request('tools/call', { name: 'profile', arguments: { id: 'a', ...args } });
    await call({ action: 'create', name: 'A' });
    call({ action: 'launch' }).catch(() => undefined); // it ends before it answers
    const pid = await vi.waitUntil(() => recordsIn(folder.path)[0]?.pid, SOON);
    const keeper = parentOf(pid);
    expect([pid, keeper].filter(runs)).toHaveLength(2);
    await server.kill('SIGKILL');
    await vi.waitFor(() => expect([pid, keeper].filter(runs)).toEqual([]), SOON);
  }, 60_000);
});

describe('its clients', () => {
  let kit: Kit;
  let other: Kit;
  let url: string;
  let keeper: number;
  const session = 'profile@work';
  beforeAll(async () => {
    kit = await startKit();
    other = await startKit('--state-dir', join(kit.folder, 'state'));
    await kit.ok('profile', { action: 'create', id: 'work', name: 'Work' });
    await kit.ok('profile', { action: 'launch', id: 'work' });
    const [record] = recordsIn(join(kit.folder, 'state'));
    url = record?.url ?? '';
    keeper = parentOf(record?.pid ?? 0);
  }, 60_000);
  afterAll(async () => {
    await other.close();
    await kit.server.close();
    await endAll(join(kit.folder, 'state'));
    await kit.close();
  });

  it('two servers and a tool of a person use one browser at once, each its own tabs', async () => {
    const line = await connect(url);
    const { targetId } = await line.root.send('Target.createTarget', {
      url: 'data:text/html,<title>of a person</title>',
    });
    const mine = await line.attach(targetId);
    const pages = [
      [kit, '/tables.html', 'Tables'],
      [other, '/signup.html', 'Sign up'],
    ] as const;
    for (const [of, path] of pages) await of.ok('tab_new', { session, url: of.site.url + path });
    const titles = Array.from({ length: 20 }, () =>
      Promise.all([
        ...pages.map(([of]) => of.ok('title', { session })),
        mine.send('Runtime.evaluate', { expression: 'document.title' }),
      ]),
    );
    for (const answers of await Promise.all(titles))
      expect(answers).toEqual([
        pages[0][2],
        expect.stringContaining('ign'),
        expect.objectContaining({ result: { type: 'string', value: 'of a person' } }),
      ]);
    line.close();
    // The others go on when one has gone.
    await other.restart();
    for (const [of] of pages) expect(await of.ok('tab_list', { session })).toContain('of a person');
  }, 60_000);

  it('a client does not reach the sessions of another, and its own end with it', async () => {
    const [one, two] = [await connect(url), await connect(url)];
    const { targetId } = await one.root.send('Target.createTarget', { url: 'about:blank' });
    const { id = '' } = await one.attach(targetId);
    await expect(two.session(id).send('Runtime.evaluate', { expression: '1' })).rejects.toThrow(
      'Session with given id',
    );
    const { browserContextId } = await one.root.send('Target.createBrowserContext', { disposeOnDetach: true });
    const isAttached = async () =>
      (await two.root.send('Target.getTargets')).targetInfos.find(target => target.targetId === targetId)?.attached;
    expect(await isAttached()).toBe(true);
    one.close();
    await vi.waitFor(async () => expect(await isAttached()).toBe(false), SOON);
    await vi.waitFor(async () => {
      const { browserContextIds } = await two.root.send('Target.getBrowserContexts');
      expect(browserContextIds).not.toContain(browserContextId);
    }, SOON);
    await two.root.send('Target.closeTarget', { targetId });
    two.close();
  }, 60_000);

  it('a client that does not read is dropped, and costs the keeper no more than what it may leave unread', async () => {
    const line = await connect(url);
    const { targetId } = await line.root.send('Target.createTarget', { url: 'about:blank' });
    const session = await line.attach(targetId);
    const slow = new RawClient(url);
    slow.send({ id: 1, method: 'Target.attachToTarget', params: { targetId, flatten: true } });
    const [, own] = await slow.hears(/"id":1,"result":\{"sessionId":"(\w+)"/);
    const before = memoryOf(keeper);
    slow.socket.pause();
    const large = { expression: 'globalThis.done = (globalThis.done ?? 0) + 1, "x".repeat(5e6)' };
    for (let id = 2; id < 32; id++) slow.send({ id, method: 'Runtime.evaluate', params: large, sessionId: own });
    await vi.waitFor(async () => {
      const { result } = await session.send('Runtime.evaluate', { expression: 'done' });
      expect(result.value).toBeGreaterThan(16);
    }, LATER);
    expect(memoryOf(keeper) - before).toBeLessThan(180 * MB);
    slow.socket.resume();
    await once(slow.socket, 'close');
    expect(slow.bytes).toBeLessThan(100 * MB);
    await line.root.send('Target.closeTarget', { targetId });
    line.close();
  }, 120_000);

  it('large commands and answers pass, one that is too large is told as such, and the rest goes on', async () => {
    const line = await connect(url);
    const { targetId } = await line.root.send('Target.createTarget', { url: 'about:blank' });
    const session = await line.attach(targetId);
    const run = (expression: string) => session.send('Runtime.evaluate', { expression, returnByValue: true });
    expect((await run(`"${'é'.repeat(5e6)}".length`)).result.value).toBe(5e6);
    expect((await run('"é".repeat(5e6)')).result.value).toBe('é'.repeat(5e6));
    await expect(run('"x".repeat(150e6)')).rejects.toThrow('more than the 128 MB');
    expect((await run('1 + 1')).result.value).toBe(2);
    await line.root.send('Target.closeTarget', { targetId });
    line.close();
  }, 120_000);

  it('what is no command ends the connection of its client only', async () => {
    const line = await connect(url);
    for (const text of ['', '{}', '[]', 'null', '{"id":1}', '{"id":"1","method":"Browser.getVersion"}', '{"id":1,']) {
      const client = new RawClient(url);
      await client.hears(/^HTTP\/1.1 101 /);
      client.send(text);
      await once(client.socket, 'close');
    }
    expect((await line.root.send('Browser.getVersion')).product).toContain('Chrom');
    line.close();
  }, 60_000);

  it('S4-11 the next server goes on in the tab that was used last', async () => {
    for (const path of ['/tables.html', '/signup.html']) await kit.ok('tab_new', { session, url: kit.site.url + path });
    const tabs = (await kit.ok('tab_list', { session })).split('\n');
    const [, tabId] = /^\D*(\d+)/.exec(tabs.find(line => line.includes('tables.html')) ?? '') ?? [];
    await kit.ok('tab_switch', { session, tabId: Number(tabId) });
    await kit.restart();
    expect(await kit.ok('url', { session })).toContain('/tables.html');
  }, 60_000);
});
