// The HTTP door of browseros-mcp: which requests come in, by which status the others are refused, and what its sessions are told apart by.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../src/call/call.ts';
import { hostOriginCheck } from '../../../src/surfaces/http/auth/host-origin.ts';
import { noAuth } from '../../../src/surfaces/http/auth/token-store.ts';
import type { McpSession } from '../../../src/surfaces/http/mcp/mcp-sessions.ts';
import { type OtherBrowser, otherBrowser } from '../../other-browser.ts';
import { ask, HELLO, handshake, legacy, listenTo, modern } from '../http/ask.ts';
import { echo, good, type Here, listenHere, offerOf } from '../http/here.ts';
import { temporaryFolder } from '../process.ts';
import { type Runtime, type Started, startBin } from './bin.ts';

// Each start loads all of Playwright, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = temporaryFolder();
let browser: OtherBrowser;

beforeAll(async () => {
  browser = await otherBrowser();
});
afterAll(async () => {
  await browser.end();
  folder.remove();
});

const LIST = { id: 1, method: 'tools/list' };

describe.each(['Node', 'Bun, built'] as Runtime[])('on %s (S2-46)', runtime => {
  let started: Started;
  beforeAll(async () => {
    started = await startBin(runtime, Number(new URL(browser.endpoint).port), { home: folder.path });
  });
  afterAll(() => started?.bin.kill('SIGINT'));

  const status = async (path: string, asked: Parameters<typeof ask>[1]) =>
    (await ask(started.url.replace('/mcp', path), asked)).status;

  it('refuses foreign hosts and pages (S2-16)', async () => {
    const hello = legacy(HELLO);
    const from = (headers: Record<string, string>) => ({ ...hello, headers: { ...hello.headers, ...headers } });
    for (const host of ['evil.test', `evil.test:${started.port}`, '0.0.0.0', 'host.docker.internal'])
      expect(await status('/mcp', from({ host })), host).toBe(403);
    const foreign = ['https://evil.test', 'null', 'http://localhost.evil.test', 'chrome-extension://abc'];
    for (const origin of [...foreign, 'http://localhost:3000'])
      expect(await status('/mcp', from({ origin })), origin).toBe(403);
    expect(await status('/mcp', { headers: { accept: 'text/event-stream', origin: 'https://evil.test' } })).toBe(403);
    const own = `localhost:${started.port}`;
    expect(await status('/mcp', from({ host: own, origin: `http://${own}` }))).toBe(200);
    const { text } = await ask(started.url, from({ host: 'evil.test' }));
    expect(text).toContain('Use 127.0.0.1 or localhost.');
    expect(text).not.toContain('--');
  });

  it('answers unknown sessions with 404 and malformed requests with 400 (S2-19)', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await status(`/mcp?sessionId=${nobody}`, legacy(LIST))).toBe(404);
    expect(await status('/mcp?sessionId=', legacy(LIST))).toBe(404);
    expect(await status('/mcp', legacy(LIST, { 'mcp-session-id': nobody }))).toBe(404);
    expect(await status('/mcp', { headers: { 'mcp-session-id': nobody, accept: 'text/event-stream' } })).toBe(404);
    expect(await status('/mcp', { method: 'DELETE', headers: { 'mcp-session-id': nobody } })).toBe(404);
    const json = { 'content-type': 'application/json' };
    for (const body of ['{"jsonrpc":', 'hello', '[]', '{"id":1}', 'null'])
      expect(await status('/mcp', { method: 'POST', headers: json, body }), body).toBe(400);
    expect(await status('/mcp', legacy(LIST))).toBe(400);
    expect(await status('/mcp', { method: 'PUT', headers: json })).toBe(405);
    for (const path of ['/', '/sse', '/messages', '/metrics', '/mcp/native', '/api', '/json/version'])
      expect(await status(path, { method: path === '/messages' ? 'POST' : 'GET' }), path).toBe(404);
    expect(await status('/health', {})).toBe(200);
  });

  it('opens the stream for whoever is no browser, and says where to post (S2-17, S2-18)', async () => {
    for (const headers of [{ accept: '' }, { accept: '*/*' }, { accept: 'text/event-stream' }]) {
      const stream = await listenTo(started.url, headers);
      expect(stream.status).toBe(200);
      await expect.poll(() => stream.text()).toMatch(/^event: endpoint\ndata: \/mcp\?sessionId=[\w-]{36}\n\n/);
      const [, path = ''] = /data: (\S+)/.exec(stream.text()) ?? [];
      expect(await status(path, legacy(HELLO))).toBe(202);
      await expect.poll(() => stream.text()).toContain('"protocolVersion"');
      // A message that is none is refused, and the stream lives on.
      expect(await status(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).toBe(
        400,
      );
      expect(stream.isOpen()).toBe(true);
      stream.destroy();
      await expect.poll(() => status(path, legacy(LIST))).toBe(404);
    }
    // What a page embeds carries no Origin: it opens nothing.
    expect(await status('/mcp', { headers: { accept: 'image/*,*/*;q=0.8', 'sec-fetch-mode': 'no-cors' } })).toBe(400);
  });
});

describe('sessions and their callers', () => {
  const open: Here[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(here => here.end()));
  });

  it('each session has the caller that it was given, until it is closed (S2-20, S2-21)', async () => {
    const told: string[] = [];
    const tell = (what: string) => (session: McpSession) => told.push(`${what} ${session.kind} ${session.as.id}`);
    const lobby = { callerOf: (id: string) => ({ id: `of ${id}` }), opened: tell('opened'), closed: tell('closed') };
    const here = await listenHere(
      async ({ caller }: Call) => good(caller.id),
      {},
      {
        tokens: noAuth({ id: 'everybody' }),
        checkHostOrigin: hostOriginCheck({ host: '127.0.0.1', allowedHosts: [], allowedOrigins: [], isFixed: true }),
        sessionHooks: lobby,
      },
    );
    open.push(here);
    const call = { id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } };
    const headers = await handshake(here.url);
    const id = headers['mcp-session-id'];
    expect((await ask(here.url, legacy(call, headers))).text).toContain(`"of ${id}"`);
    expect((await ask(here.url, modern('tools/call', call.params))).text).toContain('"everybody"');
    const stream = await listenTo(here.url, {});
    await expect.poll(() => stream.text()).toContain('sessionId=');
    const [, other] = /sessionId=(\S+)/.exec(stream.text()) ?? [];
    await ask(here.url, { method: 'DELETE', headers });
    stream.destroy();
    await expect
      .poll(() => told)
      .toEqual([
        `opened streamable of ${id}`,
        `opened sse of ${other}`,
        `closed streamable of ${id}`,
        `closed sse of ${other}`,
      ]);
  });

  it('a fault inside is 500, and only that request fails (S2-19)', async () => {
    let isBroken = true;
    const here = await listenHere(
      echo,
      {},
      {
        tokens: noAuth(),
        mcp: offerOf(echo),
        sessionHooks: {
          callerOf(id) {
            if (isBroken) throw new Error('broken on purpose');
            return { id };
          },
        },
      },
    );
    open.push(here);
    expect((await ask(here.url, legacy(HELLO))).status).toBe(500);
    isBroken = false;
    expect((await ask(here.url, legacy(HELLO))).status).toBe(200);
  });
});
