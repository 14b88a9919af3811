// Mounts: APIs beside MCP, with paths that have parameters, and answers and refusals in their own form.
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpLimits } from '../../../src/surfaces/http/limits.ts';
import type { Route, RouteGroup } from '../../../src/surfaces/http/routes.ts';
import { type Asked, ask, begin, talk } from './ask.ts';
import { BEARER, fixedKeys, type Here, listenHere, TOKEN, waiting } from './here.ts';

const open: Here[] = [];
afterEach(() => Promise.all(open.splice(0).map(here => here.end())));

/** Answers with what it was given. */
const telling = (method: Route['method'], path: string): Route => ({
  method,
  path,
  serve({ params, query, caller, body, json }) {
    json(200, { path, params, query: Object.fromEntries(query), caller: caller.id, body });
  },
});

const ROUTES: Route[] = [
  telling('GET', '/things/all'),
  telling('GET', '/things/:id'),
  telling('DELETE', '/things/:id'),
  telling('POST', '/things/:id/parts/:part'),
  { method: 'GET', path: '/things/public/hello', open: true, serve: ({ send }) => send(200, 'ok', {}) },
  { method: 'POST', path: '/things/none', serve: ({ send }) => send(204, '', {}) },
  {
    method: 'POST',
    path: '/things/fault',
    serve() {
      throw new Error('not meant to happen');
    },
  },
  {
    method: 'GET',
    path: '/things/public/run',
    open: true,
    async serve({ run }) {
      await run({ name: 'echo', args: {} });
    },
  },
  {
    method: 'POST',
    path: '/things/run',
    async serve({ body, run, json }) {
      const { text } = await run({ name: 'echo', args: body });
      json(200, { text });
    },
  },
];

const things = (more: Partial<RouteGroup> = {}): RouteGroup => ({
  under: ['/things'],
  routes: () => ROUTES,
  refusal: ({ rule, status, message }) => ({ mine: true, rule, status, message }),
  help: 'See the things.',
  ...more,
});

type Run = Parameters<typeof listenHere>[0];

async function start(mounts: RouteGroup[], run?: Run, limits: Partial<HttpLimits> = {}): Promise<Here> {
  const keys = await fixedKeys({ http: TOKEN, bob: 'token-of-bob-the-builder' });
  const here = await listenHere(run, limits, { routeGroups: mounts, tokens: keys });
  open.push(here);
  return here;
}

const JSON_BODY = { ...BEARER, 'content-type': 'application/json' };
const posted = (value: unknown): Asked => ({ method: 'POST', headers: JSON_BODY, body: JSON.stringify(value) });

const askAt = async (here: Here, path: string, asked: Asked = { headers: BEARER }) => {
  const answer = await ask(here.url.replace('/mcp', path), asked);
  return { ...answer, json: answer.text.startsWith('{') ? JSON.parse(answer.text) : undefined };
};

describe('routes', () => {
  it('are found by path and method, the first in the table first', async () => {
    const here = await start([things()]);
    const at = async (path: string, asked?: Asked) => (await askAt(here, path, asked)).json;
    expect(await at('/things/all')).toMatchObject({ path: '/things/all', params: {} });
    expect(await at('/things/7?a=b')).toMatchObject({ path: '/things/:id', params: { id: '7' }, query: { a: 'b' } });
    expect(await at('/things/7', { method: 'DELETE', headers: BEARER })).toMatchObject({ path: '/things/:id' });
    expect(await at('/things/a%2Fb%20%C3%B6/parts/2', posted({ deep: [1] }))).toMatchObject({
      params: { id: 'a/b ö', part: '2' },
      body: { deep: [1] },
      caller: 'http',
    });
  });

  it('with GET take HEAD', async () => {
    const here = await start([things()]);
    const { status, text } = await askAt(here, '/things/7', { method: 'HEAD', headers: BEARER });
    expect({ status, text }).toEqual({ status: 200, text: '' });
  });

  it('may answer without a body, and need none', async () => {
    const here = await start([things()]);
    const { status, headers, text } = await askAt(here, '/things/none', { method: 'POST', headers: BEARER });
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers).not.toHaveProperty('content-length');
  });

  it('that are open ask for no token, and run no calls', async () => {
    const { calls, run } = waiting();
    const here = await start([things()], run);
    expect(await askAt(here, '/things/public/hello', {})).toMatchObject({ status: 200, text: 'ok' });
    expect((await askAt(here, '/things/public/run', {})).status).toBe(500);
    expect(calls).toEqual([]);
  });

  it('are asked for with the first request, and again when that failed', async () => {
    let loads = 0;
    const routes = async () => {
      if (++loads === 1) throw new Error('not yet');
      return ROUTES;
    };
    const here = await start([things({ routes })]);
    expect(loads).toBe(0);
    expect((await askAt(here, '/things/all')).status).toBe(500);
    expect((await askAt(here, '/things/all')).status).toBe(200);
    expect((await askAt(here, '/things/all')).status).toBe(200);
    expect(loads).toBe(2);
  });

  it('are told by their pattern, not by what the sender writes', async () => {
    const here = await start([things()]);
    await askAt(here, '/things/secret-name');
    await expect.poll(() => here.lines.join('\n')).toContain('http: GET /things/:id 200');
    expect(here.lines.join('\n')).not.toContain('secret-name');
  });
});

describe('of several mounts', () => {
  it('the one that names the longest prefix has the path, whatever their order', async () => {
    const inner = things({
      under: ['/things/inner'],
      routes: () => [telling('GET', '/things/inner/:id')],
      refusal: ({ message }) => ({ inner: message }),
    });
    for (const mounts of [
      [things(), inner],
      [inner, things()],
    ]) {
      const here = await start(mounts);
      expect((await askAt(here, '/things/inner/5')).json).toMatchObject({ path: '/things/inner/:id' });
      expect((await askAt(here, '/things/inner')).json).toHaveProperty('inner');
      expect((await askAt(here, '/things/innermost')).json).toMatchObject({ path: '/things/:id' });
    }
  });
});

describe('refusals', () => {
  const large = JSON.stringify('x'.repeat(5_000_000));

  it.each<[string, string, Asked, number, string]>([
    ['an unknown path', '/things/1/2/3', { headers: BEARER }, 404, 'path'],
    ['the prefix alone', '/things', { headers: BEARER }, 404, 'path'],
    ['an empty parameter', '/things/', { headers: BEARER }, 404, 'path'],
    ['a parameter that is no text', '/things/%ff', { headers: BEARER }, 404, 'path'],
    ['another method', '/things/7', { method: 'PUT', headers: BEARER }, 405, 'method'],
    ['no token', '/things/7', {}, 401, 'token'],
    ['a wrong token', '/things/7', { headers: { 'x-api-key': 'wrong' } }, 401, 'token'],
    ['another Host', '/things/7', { headers: { ...BEARER, host: 'evil.test' } }, 403, 'host'],
    [
      'another Host, also where no token is needed',
      '/things/public/hello',
      { headers: { host: 'evil.test' } },
      403,
      'host',
    ],
    ['another Origin', '/things/7', { headers: { ...BEARER, origin: 'https://evil.test' } }, 403, 'origin'],
    [
      'another type',
      '/things/run',
      { ...posted({}), headers: { ...BEARER, 'content-type': 'text/plain' } },
      415,
      'type',
    ],
    ['no JSON', '/things/run', { ...posted({}), body: '{' }, 400, 'message'],
    ['too much', '/things/run', { ...posted({}), body: large }, 413, 'size'],
    ['too much in pieces', '/things/run', { ...posted({}), body: [large, large] }, 413, 'size'],
    ['a fault', '/things/fault', posted({}), 500, 'fault'],
  ])('%s', async (_, path, asked, status, rule) => {
    const here = await start([things()]);
    const answer = await askAt(here, path, asked);
    expect(answer).toMatchObject({ status, json: { mine: true, status, rule, message: expect.any(String) } });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json.message).not.toContain('not meant to happen');
    await expect.poll(() => here.refusals).toMatchObject([{ door: 'http', rule }]);
    expect((await askAt(here, '/things/all')).status).toBe(200);
  });

  it('name the methods that there are', async () => {
    const here = await start([things()]);
    const { headers } = await askAt(here, '/things/7', { method: 'PUT', headers: BEARER });
    expect(headers.allow).toBe('GET, HEAD, DELETE');
  });

  it('of other paths keep the form of the protocol, and name the mounts', async () => {
    const here = await start([things()]);
    const { json } = await askAt(here, '/thingsx');
    expect(json).toMatchObject({ jsonrpc: '2.0', error: { message: expect.stringContaining('/health, /things.') } });
  });

  it('of slow senders have the form too', async () => {
    const slow = await start([things()], undefined, { headersMs: 300, requestMs: 600, checkMs: 50 });
    const head = `POST /things/run HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${TOKEN}\r\nContent-Type: application/json\r\n`;
    const answer = await talk(slow.url, `${head}Content-Length: 100\r\n\r\n{`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"mine":true,"rule":"slow"/);
  });
});

describe('calls', () => {
  it('have the limits of the server: a caller has its share, and others theirs', async () => {
    const { run, calls, release } = waiting();
    const here = await start([things()], run, { messagesPerCaller: 2, messages: 3 });
    const bob = {
      ...posted({}),
      headers: { 'x-api-key': 'token-of-bob-the-builder', 'content-type': 'application/json' },
    };
    const running = [askAt(here, '/things/run', posted({})), askAt(here, '/things/run', posted({}))];
    await expect.poll(() => calls.length).toBe(2);
    expect(await askAt(here, '/things/run', posted({}))).toMatchObject({ status: 429, json: { rule: 'caller_calls' } });
    running.push(askAt(here, '/things/run', bob));
    await expect.poll(() => calls.length).toBe(3);
    expect(calls[2]?.caller.id).toBe('bob');
    const full = await askAt(here, '/things/run', bob);
    expect(full).toMatchObject({ status: 503, json: { rule: 'calls' }, headers: { 'retry-after': '1' } });
    release();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await askAt(here, '/things/run', bob)).status).toBe(200);
  });

  it('are cancelled when the client goes, and their place is free again', async () => {
    const { run, calls } = waiting();
    const here = await start([things()], run, { messagesPerCaller: 1 });
    const { sent } = await begin(here.url.replace('/mcp', '/things/run'), posted({}));
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.signal?.aborted).toBe(false);
    sent.destroy();
    await expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
    await expect.poll(() => here.lines.some(line => line.includes('POST /things/run 499'))).toBe(true);
    const { sent: next } = await begin(here.url.replace('/mcp', '/things/run'), posted({}));
    await expect.poll(() => calls.length).toBe(2);
    next.destroy();
  });

  it('that are new are refused while the server ends, and those that run are answered', async () => {
    const { run, calls, release } = waiting();
    const here = await start([things()], run);
    const running = askAt(here, '/things/run', posted({}));
    await expect.poll(() => calls.length).toBe(1);
    here.stop();
    expect(await askAt(here, '/things/run', posted({}))).toMatchObject({ status: 503, json: { rule: 'ending' } });
    release();
    expect((await running).status).toBe(200);
  });
});
