// The oldest transport, HTTP+SSE, in both of its shapes: real clients, whose session it is, and its bounds (S3-26, S3-36).
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Call, Result } from '../../../src/call/call.ts';
import type { HttpLimits } from '../../../src/surfaces/http/limits.ts';
import { CLIENT_INFO, type Message } from '../process.ts';
import {
  type Asked,
  ask,
  HELLO,
  handshake,
  JSON_BOTH,
  legacy,
  listenTo,
  modern,
  type Stream,
  withToken,
} from './ask.ts';
import { BEARER, fixedKeys, good, type Here, listenHere, TOKEN, waiting } from './here.ts';
import { SSE_AGENTS } from './served.ts';

const open: Here[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(here => here.end()));
});

const BOB = { authorization: 'Bearer token-of-bob-the-builder' };

async function start(run?: (call: Call) => Promise<Result>, limits?: Partial<HttpLimits>): Promise<Here> {
  const keys = await fixedKeys({ http: TOKEN, bob: 'token-of-bob-the-builder' });
  const here = await listenHere(run, limits, { tokens: keys });
  open.push(here);
  return here;
}

/** Where a client opens its stream. */
const SHAPES = { '/sse and /messages': '/sse', '/mcp alone': '/mcp' };

const at = (here: Here, path: string) => here.url.replace('/mcp', path);

interface Session {
  stream: Stream;
  /** Where messages go. */
  url: string;
  post(message: Message, headers?: Record<string, string>): ReturnType<typeof ask>;
  /** What has come on the stream. */
  messages(): Message[];
  /** Sends a request and waits for its answer. */
  request(message: Message): Promise<Message>;
}

async function begin(here: Here, path: string, headers: Record<string, string> = BEARER): Promise<Session> {
  const stream = await listenTo(at(here, path), headers);
  expect(stream.status).toBe(200);
  await expect.poll(() => stream.text()).toContain('event: endpoint\n');
  const endpoint = /^event: endpoint\ndata: (\S+)\n\n/.exec(stream.text())?.[1] ?? '';
  const url = new URL(endpoint, here.url).href;
  const post: Session['post'] = (message, given = headers) =>
    ask(url, { ...legacy(message), headers: { 'content-type': 'application/json', ...given } });
  const messages = () =>
    [...stream.text().matchAll(/^event: message\ndata: (.+)\n\n/gm)].map(
      ([, data = '']) => JSON.parse(data) as Message,
    );
  return {
    stream,
    url,
    post,
    messages,
    async request(message) {
      expect(await post(message)).toMatchObject({ status: 202, text: 'Accepted' });
      const answer = () => messages().find(({ id }) => id === message.id);
      await expect.poll(answer, { timeout: 5_000 }).toBeDefined();
      return answer() as Message;
    },
  };
}

async function ready(here: Here, path = '/sse', headers: Record<string, string> = BEARER): Promise<Session> {
  const session = await begin(here, path, headers);
  await session.request({ ...HELLO, params: { ...HELLO.params, protocolVersion: '2024-11-05' } });
  await session.post({ method: 'notifications/initialized' });
  return session;
}

const echo = (id: number, args: Record<string, unknown> = {}): Message => ({
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: args },
});

describe.each(Object.entries(SHAPES))('%s', (_shape, path) => {
  it.each(Object.entries(SSE_AGENTS))('serves a client: %s', async (_name, connectAgent) => {
    const here = await start(async ({ args, caller }) => good(`${caller.id} ${JSON.stringify(args)}`));
    const agent = await connectAgent(at(here, path), TOKEN);
    expect(await agent.names()).toEqual(['echo']);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => agent.ok('echo', { index })));
    expect(answers).toEqual(answers.map((_, index) => `http {"index":${index}}`));
    await agent.close();
    await expect.poll(() => here.lines.some(line => line.includes(`GET ${path} 200`))).toBe(true);
  });

  it('speaks 2024-11-05, first says where to send, and takes each message with 202', async () => {
    const here = await start();
    const session = await begin(here, path);
    expect(session.url).toMatch(new RegExp(`${path === '/sse' ? '/messages' : '/mcp'}\\?sessionId=[\\w-]{36}$`));
    const hello = await session.request({ ...HELLO, params: { ...HELLO.params, protocolVersion: '2024-11-05' } });
    expect(hello.result).toMatchObject({ protocolVersion: '2024-11-05' });
    expect((await session.request(echo(7, { a: 1 }))).result).toMatchObject({ content: [{ text: '{"a":1}' }] });
  });

  it('knows a session for its caller only (S3-36)', async () => {
    const here = await start();
    const session = await ready(here, path);
    const taken = await session.post(echo(9), BOB);
    const unknown = await ask(session.url.replace(/sessionId=.*/, 'sessionId=none'), legacy(echo(9), BOB));
    expect([taken.status, unknown.status]).toEqual([404, 404]);
    expect(taken.text).toBe(unknown.text);
    expect((await session.post(echo(9), {})).status).toBe(401);
    expect(session.messages().some(({ id }) => id === 9)).toBe(false);
  });

  it('guards the stream and the messages alike', async () => {
    const here = await start();
    const stream = { accept: 'text/event-stream', ...BEARER };
    const status = async (headers: Record<string, string>) => (await ask(at(here, path), { headers })).status;
    expect(await status({ accept: 'text/event-stream' })).toBe(401);
    expect(await status({ ...stream, host: 'evil.test' })).toBe(403);
    expect(await status({ ...stream, origin: 'https://evil.test' })).toBe(403);
    const session = await ready(here, path);
    const post = async (headers: Record<string, string>, body = JSON.stringify({ jsonrpc: '2.0', ...echo(1) })) =>
      (await ask(session.url, { method: 'POST', headers: { ...BEARER, ...headers }, body })).status;
    const json = { 'content-type': 'application/json' };
    expect(await post({ 'content-type': 'text/plain' })).toBe(415);
    expect(await post({ ...json, host: 'evil.test' })).toBe(403);
    expect(await post({ ...json, origin: 'null' })).toBe(403);
    expect(await post(json, 'x'.repeat(5_000_000))).toBe(413);
    expect(await post(json, '{"jsonrpc":')).toBe(400);
    expect(await post(json, '[]')).toBe(400);
    expect(await post(json, '{"id":1}')).toBe(400);
    expect(session.messages()).toHaveLength(1);
  });

  it('ends with its stream: calls are cancelled, the session is gone', async () => {
    const { run, calls } = waiting();
    const here = await start(run);
    const session = await ready(here, path);
    await session.post(echo(1));
    await expect.poll(() => calls.length).toBe(1);
    session.stream.destroy();
    await expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
    await expect.poll(async () => (await session.post(echo(2))).status).toBe(404);
  });
});

describe('the paths', () => {
  it('of /sse and /messages take one method each, and messages need a session', async () => {
    const here = await start();
    expect((await ask(at(here, '/sse'), { method: 'POST', headers: BEARER })).status).toBe(405);
    expect((await ask(at(here, '/messages'), { headers: BEARER })).status).toBe(405);
    const { status, text } = await ask(at(here, '/messages'), legacy(echo(1), BEARER));
    expect(status).toBe(400);
    expect(text).toContain('sessionId is missing');
  });

  it('leave newer clients what is theirs', async () => {
    const here = await start();
    const headers = await handshake(here.url, BEARER);
    // A session of one transport is none of the other.
    expect((await ask(`${here.url}?sessionId=${headers['mcp-session-id']}`, legacy(echo(1), BEARER))).status).toBe(404);
    const session = await ready(here, '/mcp');
    const id = new URL(session.url).searchParams.get('sessionId') ?? '';
    const list = legacy({ id: 1, method: 'tools/list' }, { ...BEARER, 'mcp-session-id': id });
    expect((await ask(here.url, list)).status).toBe(404);
    expect((await ask(here.url, withToken(modern('tools/list'), TOKEN))).status).toBe(200);
    expect((await ask(here.url, { headers: BEARER })).status).toBe(400);
  });
});

describe('bounds', () => {
  it('a request is cancelled by a notice, and gives its place back', async () => {
    const { run, calls } = waiting();
    const here = await start(run, { messagesPerCaller: 2 });
    const session = await ready(here);
    await session.post(echo(1));
    await session.post(echo(2));
    await expect.poll(() => calls.length).toBe(2);
    expect(await session.post(echo(3))).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    // A notice needs no place of its own.
    expect((await session.post({ method: 'notifications/cancelled', params: { requestId: 1 } })).status).toBe(202);
    await expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
    expect((await session.post(echo(3))).status).toBe(202);
    await expect.poll(() => calls.length).toBe(3);
    expect(calls[1]?.signal?.aborted).toBe(false);
  });

  it('an id that is under way is not taken twice', async () => {
    const { run, calls, release } = waiting();
    const here = await start(run);
    const session = await ready(here);
    await session.post(echo(5));
    await expect.poll(() => calls.length).toBe(1);
    expect((await session.post(echo(5))).status).toBe(400);
    release();
    await expect.poll(() => session.messages().filter(({ id }) => id === 5).length).toBe(1);
    expect((await session.request(echo(6))).result).toBeDefined();
  });

  it('a silent stream says that it lives, and ends when unused for very long', async () => {
    const here = await start(undefined, { aliveMs: 30, listening: 2_000 });
    const session = await ready(here);
    await expect.poll(() => session.stream.text().match(/^: alive$/gm)?.length ?? 0).toBeGreaterThan(2);
    await session.stream.closed;
    expect((await session.post(echo(1))).status).toBe(404);
    expect(here.lines.some(line => line.includes('a session ends: unused'))).toBe(true);
  });

  it('a caller has so many sessions; more end its own oldest, never those of others', async () => {
    const here = await start(undefined, { sessionsPerCaller: 2 });
    const bob = await ready(here, '/sse', BOB);
    const [first, second] = [await ready(here), await ready(here, '/mcp')];
    const third = await ready(here);
    await first.stream.closed;
    for (const session of [bob, second, third]) expect((await session.request(echo(1))).result).toBeDefined();
    // Both transports share that bound.
    await handshake(here.url, BEARER);
    await second.stream.closed;
  });

  it('a caller whose sessions are all busy is told so', async () => {
    const { run, calls } = waiting();
    const here = await start(run, { sessionsPerCaller: 1 });
    const session = await ready(here);
    await session.post(echo(1));
    await expect.poll(() => calls.length).toBe(1);
    const refused = await ask(at(here, '/sse'), { headers: { accept: 'text/event-stream', ...BEARER } });
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    expect(here.refusals.at(-1)).toMatchObject({ caller: 'http', what: 'GET /sse', rule: 'caller_sessions' });
    await ready(here, '/sse', BOB);
  });

  /** A client that opens a stream and never reads it. */
  async function deaf(here: Here): Promise<{ url: string; gone: Promise<unknown> }> {
    const { hostname, port } = new URL(here.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /sse HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    const first = await new Promise<string>(resolve => socket.once('data', data => resolve(String(data))));
    socket.pause();
    socket.on('error', () => undefined);
    open.push({ ...here, end: async () => void socket.destroy() });
    const gone = expect
      .poll(() => here.lines.some(line => line.includes('GET /sse 200 in')), { timeout: 10_000 })
      .toBe(true);
    return { url: at(here, /data: (\S+)/.exec(first)?.[1] ?? ''), gone };
  }

  const big = 'x'.repeat(3_000_000);
  const post = (url: string, id: number): Promise<{ status: number }> =>
    ask(url, { ...legacy(echo(id)), headers: { ...JSON_BOTH, ...BEARER } } satisfies Asked);

  it.each([
    ['for long', { stalledMs: 500 }],
    ['while much waits for it', { stalledMs: 60_000, unreadBytes: 8_000_000 }],
  ])('a client that does not read %s is given up', async (_when, limits) => {
    const here = await start(async () => good(big), limits);
    const { url, gone } = await deaf(here);
    const hello = { ...HELLO, params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: CLIENT_INFO } };
    await ask(url, { ...legacy(hello), headers: { ...JSON_BOTH, ...BEARER } });
    for (let id = 1; id <= 6; id++) await post(url, id);
    await gone;
    await expect.poll(async () => (await post(url, 99)).status).toBe(404);
  });
});
