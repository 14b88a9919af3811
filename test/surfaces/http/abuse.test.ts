// Abuse: each kind is refused by a rule that the answer, the log and the journal name, and the server goes on (S3-21, S3-36).
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpLimits } from '../../../src/surfaces/http/limits.ts';
import type { HttpRule } from '../../../src/surfaces/http/refuse.ts';
import { type Asked, ask, begin, handshake, JSON_BOTH, legacy, modern, talk, withToken } from './ask.ts';
import { BEARER, fixedKeys, good, type Here, listenHere, TOKEN, waiting } from './here.ts';

const open: Here[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map(here => here.end()));
});

const BOB = 'token-of-bob-the-builder';

async function start(limits: Partial<HttpLimits> = {}, run?: Parameters<typeof listenHere>[0]): Promise<Here> {
  const here = await listenHere(run, limits, { tokens: await fixedKeys({ http: TOKEN, bob: BOB }) });
  open.push(here);
  return here;
}

function bare(here: Here): Socket {
  const { hostname, port } = new URL(here.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

const list = withToken(modern('tools/list'), TOKEN);
const with_ = (headers: Record<string, string>): Asked => ({ ...list, headers: { ...list.headers, ...headers } });
const head = (more: string, path = '/mcp') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n${more}`;

/** The rule that a raw answer names. */
const ruleIn = (text: string): unknown => JSON.parse(text.slice(text.indexOf('{'))).error.data.rule;

/** It is in the journal, and in the log. */
async function told(here: Here, refusal: { caller: string; what: string; rule: HttpRule }): Promise<void> {
  await expect.poll(() => here.refusals).toContainEqual(expect.objectContaining({ door: 'http', ...refusal }));
  const { what, caller } = refusal;
  const said = () =>
    here.lines.some(line => line.startsWith(`[info] http: ${what} `) && line.includes(`for ${caller}: `));
  await expect.poll(said).toBe(true);
}

describe('requests', () => {
  const tenMegabytes = 'x'.repeat(10_000_000);

  it.each<[string, Asked, number, HttpRule, string]>([
    ['a foreign Host', with_({ host: 'evil.test' }), 403, 'host', 'unknown'],
    ['a foreign Origin', with_({ origin: 'https://evil.test' }), 403, 'origin', 'unknown'],
    ['no token', modern('tools/list'), 401, 'token', 'unknown'],
    ['a wrong token', with_({ authorization: 'Bearer wrong-wrong-wrong-wrong' }), 401, 'token', 'unknown'],
    ['a token in the query', { ...modern('tools/list') }, 401, 'token', 'unknown'],
    ['text/plain', with_({ 'content-type': 'text/plain' }), 415, 'type', 'http'],
    ['a body of 10 MB', { ...list, body: tenMegabytes }, 413, 'size', 'http'],
    ['a body of 10 MB in pieces', { ...list, body: tenMegabytes.match(/.{1,500000}/gs) ?? [] }, 413, 'size', 'http'],
    ['no JSON', { ...list, body: '{' }, 400, 'message', 'http'],
    ['a method that is not there', { method: 'PUT', headers: BEARER }, 405, 'method', 'unknown'],
  ])('%s', async (name, asked, status, rule, caller) => {
    const here = await start();
    const answer = await ask(
      name.includes('query') ? `${here.url}?token=${TOKEN}&access_token=${TOKEN}` : here.url,
      asked,
    );
    expect(answer.status).toBe(status);
    expect(ruleIn(answer.text)).toBe(rule);
    await told(here, { caller, what: `${asked.method} /mcp`, rule });
    // Nothing secret is told, not even what was sent as one.
    expect(JSON.stringify([here.refusals, here.lines])).not.toMatch(new RegExp(`${TOKEN}|wrong-wrong`));
    expect((await ask(here.url, list)).status).toBe(200);
  });

  it("another caller's session", async () => {
    const here = await start();
    const session = await handshake(here.url, BEARER);
    const stolen = legacy({ id: 1, method: 'tools/list' }, { ...session, authorization: `Bearer ${BOB}` });
    const answer = await ask(here.url, stolen);
    expect([answer.status, ruleIn(answer.text)]).toEqual([404, 'session']);
    await told(here, { caller: 'bob', what: 'POST /mcp', rule: 'session' });
  });

  it.each([
    ...['/mcp/../metrics', '/mcp/..%2fmetrics', '/%6dcp', '/mcp;x', '/MCP', '/mcp/', '/mcp//', '//metrics'],
    ...['/mcp\\', '/.git/config', '/etc/passwd', 'http://127.0.0.1/metrics', '/mcp/../../', '/sse/', '/health/'],
  ])('the path %s', async path => {
    const here = await start();
    const answer = await talk(here.url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[14] /);
    expect(['path', 'token']).toContain(ruleIn(answer));
    await expect.poll(() => here.refusals).toMatchObject([{ what: 'GET other' }]);
  });
});

describe('slow senders', () => {
  const quick = { headersMs: 300, requestMs: 600, checkMs: 50 };

  it('of headers', async () => {
    const here = await start({ ...quick, requestMs: 60_000 });
    const answer = await talk(here.url, 'POST /mcp HTTP/1.1\r\nHost: local');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(ruleIn(answer)).toBe('slow');
    await told(here, { caller: 'unknown', what: 'OTHER other', rule: 'slow' });
  });

  it('of a body, however they drip', async () => {
    const here = await start(quick);
    let drip: NodeJS.Timeout | undefined;
    const answer = await talk(here.url, head('Content-Length: 100000\r\n\r\n{'), write => {
      drip = setInterval(write, 50, ' ');
    });
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(ruleIn(answer)).toBe('slow');
    await told(here, { caller: 'http', what: 'POST /mcp', rule: 'slow' });
    expect(here.refusals).toHaveLength(1);
  });

  it('of a second request on a connection that was good before', async () => {
    const here = await start({ ...quick, requestMs: 60_000 });
    const first = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answer = await talk(here.url, `${first}POST /mcp HTTP/1.1\r\nHost: local`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 408 /);
    await told(here, { caller: 'unknown', what: 'OTHER other', rule: 'slow' });
  });

  it('of headers without end', async () => {
    const here = await start();
    const answer = await talk(here.url, `GET /health HTTP/1.1\r\nHost: localhost\r\n${'X-Long: y\r\n'.repeat(5_000)}`);
    expect(answer).toMatch(/^(HTTP\/1\.1 431 |$)/);
    await told(here, { caller: 'unknown', what: 'OTHER other', rule: 'headers' });
  });

  it('of nothing at all lose their connection', async () => {
    const here = await start({ ...quick, keepMs: 200 });
    const socket = bare(here);
    await once(socket, 'connect');
    await once(socket.resume(), 'close');
    expect((await ask(here.url, list)).status).toBe(200);
  });
});

describe('senders that go', () => {
  it('before they were let in leave nothing behind, and are not served', async () => {
    const keys = await fixedKeys({ http: TOKEN });
    let letIn = () => {};
    const looking = new Promise<void>(resolve => {
      letIn = resolve;
    });
    const { run, calls } = waiting();
    const slow = {
      ...keys,
      admit: keys.admit.bind(keys),
      isGood: () => true,
      knows: () => true,
      refresh: () => looking,
    };
    const here = await listenHere(run, {}, { tokens: slow });
    open.push(here);
    const { sent } = await begin(here.url, withToken(modern('tools/call', { name: 'echo' }), TOKEN));
    await once(sent, 'finish');
    sent.destroy();
    await expect.poll(() => here.lines.some(line => line.includes('POST /mcp 499'))).toBe(true);
    letIn();
    expect((await ask(here.url, list)).status).toBe(200);
    expect(calls).toEqual([]);
  });
});

describe('readers that do not read', () => {
  it('an answer are given up, and others are served meanwhile', async () => {
    const big = 'x'.repeat(30_000_000);
    const here = await start({ stalledMs: 500 }, async () => good(big));
    const call = withToken(modern('tools/call', { name: 'echo' }), TOKEN);
    const { accept: _, ...json } = call.headers ?? {};
    for (const headers of [call.headers, { ...json, accept: 'application/json' }]) {
      const socket = bare(here);
      const lines = Object.entries({ ...headers, host: 'localhost', 'content-length': String(call.body?.length) });
      socket.pause();
      socket.write(
        `POST /mcp HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n${call.body}`,
      );
    }
    const given = () => here.lines.filter(line => line.includes('POST /mcp 200 in')).length;
    expect((await ask(here.url, list)).status).toBe(200);
    await expect.poll(given, { timeout: 10_000 }).toBe(3);
  });
});

describe('crowds', () => {
  it('of connections: one too many is answered, and served when there is room', async () => {
    const { run, calls, release } = waiting();
    const here = await start({ connections: 3 }, run);
    const call = withToken(modern('tools/call', { name: 'echo' }), TOKEN);
    const running = [ask(here.url, call), ask(here.url, call), ask(here.url, call)];
    await expect.poll(() => calls.length).toBe(3);
    const refused = await ask(here.url, list);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } });
    expect(ruleIn(refused.text)).toBe('connections');
    await told(here, { caller: 'unknown', what: 'POST /mcp', rule: 'connections' });
    release();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await expect.poll(async () => (await ask(here.url, list)).status).toBe(200);
  });

  it('of idle connections make room for one that asks', async () => {
    const here = await start({ connections: 2 });
    for (let count = 0; count < 2; count++) {
      const idle = bare(here);
      idle.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(idle, 'data');
    }
    await expect.poll(async () => (await ask(here.url, list)).status).toBe(200);
  });

  it('of calls: a caller has its share, and others theirs', async () => {
    const { run, calls, release } = waiting();
    const here = await start({ messagesPerCaller: 2, messages: 3 }, run);
    const call = (token: string) => withToken(modern('tools/call', { name: 'echo' }), token);
    const running = [ask(here.url, call(TOKEN)), ask(here.url, call(TOKEN))];
    await expect.poll(() => calls.length).toBe(2);
    const greedy = await ask(here.url, call(TOKEN));
    expect([greedy.status, ruleIn(greedy.text)]).toEqual([429, 'caller_calls']);
    running.push(ask(here.url, call(BOB)));
    await expect.poll(() => calls.length).toBe(3);
    const full = await ask(here.url, call(BOB));
    expect([full.status, ruleIn(full.text), full.headers['retry-after']]).toEqual([503, 'calls', '1']);
    release();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await told(here, { caller: 'http', what: 'POST /mcp', rule: 'caller_calls' });
    await told(here, { caller: 'bob', what: 'POST /mcp', rule: 'calls' });
  });

  it('of calls whose clients left are bounded too', async () => {
    const { run, calls, release } = waiting();
    const here = await start({ calls: 2 }, run);
    const session = await handshake(here.url, BEARER);
    const call = (id: number) => legacy({ id, method: 'tools/call', params: { name: 'echo' } }, session);
    for (let id = 1; id <= 2; id++) {
      const socket = bare(here);
      const asked = call(id);
      const lines = Object.entries({
        ...JSON_BOTH,
        ...session,
        host: 'localhost',
        'content-length': String(asked.body?.length),
      });
      socket.write(
        `POST /mcp HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n${asked.body}`,
      );
      await expect.poll(() => calls.length).toBe(id);
      socket.destroy();
    }
    const refused = await ask(here.url, call(3));
    expect(refused.text).toContain('2 calls run already');
    release();
  });

  it('of refusals: a flood is written once per kind, and counted', async () => {
    const here = await start({ refusalsMs: 500 });
    const began = performance.now();
    for (let count = 0; count < 200; count++) await ask(here.url, modern('tools/list'));
    for (let count = 0; count < 20; count++) await ask(here.url.replace('/mcp', `/${count}`));
    // Of each kind the first, and then one for each time that has passed.
    const most = (kinds: number) => kinds * (2 + (performance.now() - began) / 500);
    expect(here.refusals.length).toBeLessThanOrEqual(most(2));
    const counted = () => {
      const sum = (rule: string) =>
        here.refusals.filter(row => row.rule === rule).reduce((all, { times = 1 }) => all + times, 0);
      return { token: sum('token'), path: sum('path') };
    };
    await expect.poll(counted, { timeout: 5_000 }).toEqual({ token: 200, path: 20 });
  });

  it('of kinds of refusals are bounded as well', async () => {
    const here = await start({ refusalsMs: 60_000, refusalKinds: 3 });
    for (const method of ['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'DELETE', 'PROPFIND'])
      for (const path of ['/health', '/metrics', '/messages']) await ask(here.url.replace('/mcp', path), { method });
    expect(here.refusals).toHaveLength(3);
    await here.quiet(0);
    expect(here.refusals.at(-1)).toMatchObject({ what: 'other requests', times: expect.any(Number) });
    expect(here.refusals.reduce((all, { times = 1 }) => all + times, 0)).toBe(18 - 2 + 1);
  });
});
