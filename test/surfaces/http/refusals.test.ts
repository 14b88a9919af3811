// Every request that must not be served, and the one form of its answer.
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostOriginCheck } from '../../../src/surfaces/http/auth/host-origin.ts';
import { type Asked, ask, JSON_BOTH, legacy, messagesIn, modern, talk, withToken } from './ask.ts';
import { BEARER, type Here, listenHere, TOKEN } from './here.ts';

let here: Here;
let health: string;

beforeAll(async () => {
  const guard = hostOriginCheck({
    host: '127.0.0.1',
    allowedHosts: ['box.test'],
    allowedOrigins: ['app.test', 'abcdef'],
  });
  here = await listenHere(undefined, {}, { checkHostOrigin: guard });
  health = here.url.replace('/mcp', '/health');
});
afterAll(() => here.end());

const list = withToken(modern('tools/list'), TOKEN);
const with_ = (headers: Record<string, string>): Asked => ({ ...list, headers: { ...list.headers, ...headers } });

async function refused(asked: Asked, status: number, words: RegExp, url = here.url) {
  const answer = await ask(url, asked);
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  const body = JSON.parse(answer.text);
  expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: expect.stringMatching(words) } });
  return { ...answer, code: body.error.code as number };
}

describe('the token', () => {
  it('is needed', async () => {
    const { headers } = await refused(modern('tools/list'), 401, /needs the token/);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it.each(['Bearer wrong', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, TOKEN, 'Bearer '])(
    'is not %s',
    async authorization => {
      await refused(with_({ authorization }), 401, /token/);
    },
  );

  it('opens the door', async () => {
    expect((await ask(here.url, list)).status).toBe(200);
    expect((await ask(here.url, with_({ authorization: `bearer ${TOKEN}` }))).status).toBe(200);
  });

  it('is asked for before a body is read', async () => {
    // Only the head of the request is ever sent.
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...JSON_BOTH, 'content-length': '1000' };
      const sent = request(here.url, { method: 'POST', agent: false, headers }, ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      });
      sent.on('error', reject).flushHeaders();
    });
    expect(answer).toBe(401);
  });
});

describe('the Host', () => {
  it.each(['evil.test', 'localhost.evil.test', '127.0.0.2', '0.0.0.0', 'evil.test@127.0.0.1', '127.0.0.1/x'])(
    '%s is refused on every path',
    async host => {
      await refused(with_({ host }), 403, /Host/);
      await refused({ headers: { host } }, 403, /Host/, health);
      await refused({ headers: { host } }, 403, /Host/, health.replace('/health', '/nothing'));
    },
  );

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:9223', 'box.test', 'Box.Test:80'])(
    '%s is known',
    async host => {
      expect((await ask(here.url, with_({ host }))).status).toBe(200);
      expect((await ask(health, { headers: { host } })).status).toBe(200);
    },
  );

  it('says how a name becomes known', async () => {
    await refused(with_({ host: 'mine.test:9223' }), 403, /--allowed-hosts mine\.test\b/);
  });

  it('must be there, also in HTTP/1.0', async () => {
    expect(await talk(here.url, 'GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('the Origin', () => {
  it.each([
    ...['null', 'http://evil.test', 'https://localhost.evil.test', 'chrome-extension://localhost'],
    ...['file://', 'http://127.0.0.1:80, http://evil.test', 'vscode-webview://x', 'nonsense'],
    // Other programs of this machine.
    ...['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:80'],
  ])('%s is refused on every path', async origin => {
    await refused(with_({ origin }), 403, /Origin/);
    await refused({ headers: { origin } }, 403, /Origin/, health);
  });

  it.each([
    ...['http://localhost:PORT', 'http://127.0.0.1:PORT', 'http://[::1]:PORT'],
    ...['https://app.test', 'moz-extension://ABCDEF'],
  ])('%s may send', async page => {
    const origin = page.replace('PORT', new URL(here.url).port);
    const answer = await ask(here.url, with_({ origin }));
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('gets no preflight', async () => {
    const headers = { origin: new URL(here.url).origin, 'access-control-request-method': 'POST' };
    await refused({ method: 'OPTIONS', headers }, 405, /takes/);
  });
});

describe('the body', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'of the type "%s" is refused',
    async type => {
      await refused(with_({ 'content-type': type }), 415, /application\/json/);
    },
  );

  it('may name its character set', async () => {
    expect((await ask(here.url, with_({ 'content-type': 'application/json; charset=utf-8' }))).status).toBe(200);
  });

  const five = 'x'.repeat(5_000_000);
  it('is at most 4 MiB, as declared', async () => {
    await refused({ ...list, body: five }, 413, /larger than 4194304/);
  });

  it('is at most 4 MiB, in pieces', async () => {
    await refused({ ...list, body: five.match(/.{1,100000}/gs) ?? [] }, 413, /larger than 4194304/);
  });

  it('may be sent on for a while, so that its sender comes to read the refusal', async () => {
    const { hostname, port } = new URL(here.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12000000\r\n\r\n`;
    const answer = text(socket);
    await promisify<string>(socket.write.bind(socket))(head);
    for (let sent = 0; sent < 12; sent++) await promisify<string>(socket.write.bind(socket))('x'.repeat(1_000_000));
    expect(await answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*needs the token/);
  });

  it('is not even sent when the sender asks first', async () => {
    let continued = false;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...list.headers, expect: '100-continue', 'content-length': '5000000' };
      const sent = request(here.url, { method: 'POST', agent: false, headers }, ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      });
      sent.on('continue', () => {
        continued = true;
      });
      sent.on('error', reject).flushHeaders();
    });
    expect({ status, continued }).toEqual({ status: 413, continued: false });
  });

  it('goes on when the sender asks first and may', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...list.headers, expect: '100-continue' };
      const sent = request(here.url, { method: 'POST', agent: false, headers }, ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      });
      sent.on('continue', () => sent.end(list.body));
      sent.on('error', reject).flushHeaders();
    });
    expect(status).toBe(200);
  });

  it.each(['{"jsonrpc":', '', 'undefined', '\u0000'])('%j is no JSON', async body => {
    expect((await refused({ ...list, body }, 400, /JSON/)).code).toBe(-32_700);
  });

  it.each(['null', '[]', '5', '"text"', '{}', '[[]]', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'])(
    '%s is JSON, but no message',
    async body => {
      const { status, text } = await ask(here.url, { ...list, body });
      expect(status).toBe(400);
      expect(JSON.parse(text)).toHaveProperty('error.code');
    },
  );

  it('nested without end is refused, and the server goes on', async () => {
    const deep = '['.repeat(1_000_000);
    expect((await ask(here.url, { ...list, body: deep })).status).toBe(400);
    expect((await ask(here.url, { ...list, body: deep + ']'.repeat(1_000_000) })).status).toBe(400);
    expect((await ask(here.url, list)).status).toBe(200);
  });
});

describe('paths and methods', () => {
  it.each(['/', '/mcp/', '/__proto__', '/constructor', '/mcp%2f', '//mcp'])('%s is not there', async path => {
    const paths = /Paths: \/mcp, \/sse, \/messages, \/metrics, \/health\./;
    await refused(list, 404, paths, here.url.replace('/mcp', path));
  });

  it.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS'])('%s /mcp is not possible', async method => {
    const { status, headers } = await ask(here.url, { method, headers: BEARER });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, POST, DELETE');
  });

  it('POST /health is not possible', async () => {
    const { headers } = await refused({ method: 'POST', body: '{}' }, 405, /takes GET, HEAD/, health);
    expect(headers.allow).toBe('GET, HEAD');
  });

  it('GET /health answers everybody, and tells nothing more', async () => {
    const { status, text, headers } = await ask(health);
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 200, body: { status: 'ok', name: 'tabwright' } });
    expect(headers['content-type']).toBe('application/json');
    expect(await ask(health, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  it('an absolute target is no way round the path', async () => {
    const answer = await talk(
      here.url,
      'GET http://evil.test/mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('sessions', () => {
  it('an unknown one is not found', async () => {
    const headers = { ...BEARER, 'mcp-session-id': 'no-such-session', accept: 'text/event-stream' };
    await refused(legacy({ id: 1, method: 'tools/list' }, { ...headers, ...JSON_BOTH }), 404, /no such session/);
    await refused({ headers }, 404, /no such session/);
    await refused({ method: 'DELETE', headers }, 404, /no such session/);
  });

  it('a message before the handshake is refused', async () => {
    await refused(legacy({ id: 1, method: 'tools/list' }, BEARER), 400, /initialize/);
    await refused({ headers: BEARER }, 400, /initialize/);
  });
});

describe('garbage', () => {
  it.each([
    'no http\r\n\r\n',
    'POST /mcp HTTP/9.9\r\n\r\n',
    '\u0016\u0003\u0001\u0002',
    'GET / HTTP/1.1\r\nA b: c\r\n\r\n',
  ])('%j ends its own connection only', async text => {
    expect(await talk(here.url, `${text}\r\n\r\n`)).toMatch(/^(HTTP\/1\.1 400 |$)/);
    expect((await ask(health)).status).toBe(200);
  });

  it('headers without end are cut off', async () => {
    const head = `GET /health HTTP/1.1\r\nHost: localhost\r\n${'X-Long: y\r\n'.repeat(5_000)}`;
    expect(await talk(here.url, head)).toMatch(/^(HTTP\/1\.1 431 |$)/);
  });

  it('a sender that goes away in its body hurts nobody', async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
    const { hostname, port } = new URL(here.url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head}Content-Length: 100\r\n\r\n{"json`, () => socket.resetAndDestroy());
    });
    await expect.poll(() => here.lines.some(line => line.includes('ended early'))).toBe(true);
    expect(here.lines.filter(line => line.startsWith('[error]'))).toEqual([]);
  });
});

describe('slow senders', () => {
  const quick = { headersMs: 300, requestMs: 600, checkMs: 50 };

  it('get no more time than the limit for their headers', async () => {
    const slow = await listenHere(undefined, { ...quick, requestMs: 60_000 });
    expect(await talk(slow.url, 'POST /mcp HTTP/1.1\r\nHost: local')).toMatch(/^HTTP\/1\.1 408 /);
    await slow.end();
  });

  it('get no more time than the limit for their body, however they drip', async () => {
    const slow = await listenHere(undefined, quick);
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
    let drip: NodeJS.Timeout | undefined;
    const answer = await talk(slow.url, `${head}Content-Length: 100000\r\n\r\n{`, write => {
      drip = setInterval(write, 50, ' ');
    });
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    await slow.end();
  });

  it('do not shorten the life of an answer', async () => {
    const slow = await listenHere(
      () =>
        new Promise(resolve =>
          setTimeout(resolve, 1_500, { ok: true, tool: 'echo', text: 'late', pictures: [], ms: 1 }),
        ),
      quick,
    );
    const answer = await ask(slow.url, withToken(modern('tools/call', { name: 'echo', arguments: {} }), TOKEN));
    expect(messagesIn(answer)[0]?.result).toMatchObject({ content: [{ text: 'late' }] });
    await slow.end();
  });
});
