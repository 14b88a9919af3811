// The proxy of the rules, spoken to without a browser: what it lets through, what it refuses, and that it changes nothing.
import { once } from 'node:events';
import http, { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { Egress, type EgressOptions } from '../../../src/engine/egress/egress.ts';
import type { RefusedRequest } from '../../../src/engine/egress/outcomes.ts';
import type { ProxyPort } from '../../../src/engine/egress/proxy-port.ts';
import { type UrlRuleOptions, UrlRules } from '../../../src/policy/url-rules.ts';
import { type Listener, listen, startTarget } from './sites.ts';
import { startSocks } from './socks.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const refused: RefusedRequest[] = [];
async function start(
  rules: Partial<UrlRuleOptions>,
  more: Partial<EgressOptions> = {},
): Promise<{ egress: Egress; door: ProxyPort }> {
  refused.length = 0;
  const egress = await Egress.start({
    rules: new UrlRules({ allowUrls: [], blockUrls: [], blockPrivate: false, ...rules }),
    proxy: undefined,
    report: one => refused.push(one),
    ...more,
  });
  cleanups.push(() => egress.close());
  return { egress, door: await egress.openPort('s1') };
}

async function target(isSecure = false): Promise<Listener> {
  const site = await startTarget(isSecure);
  cleanups.push(() => site.close());
  return site;
}

interface Got {
  status: number;
  body: string;
  headers: IncomingMessage['headers'];
}

async function get(door: ProxyPort, url: string, options: http.RequestOptions = {}, body?: string): Promise<Got> {
  const { hostname, port } = new URL(door.url);
  const request = http.request({ host: hostname, port, path: url, headers: { host: new URL(url).host }, ...options });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const part of response) chunks.push(part as Buffer);
  return { status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), headers: response.headers };
}

/** The status of a CONNECT, and its socket. */
async function tunnel(url: string, to: string): Promise<{ status: number; socket: Socket; text: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  cleanups.push(async () => socket.destroy());
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(first.toString())?.[1]), socket, text: first.toString() };
}

const socketsOf = (door: ProxyPort): string => /socks=(http:\S+)$/.exec(door.proxyRules)?.[1] ?? '';

describe('issue: URL rules as a boundary: plain requests', () => {
  it('pass unchanged, and their answers too', async () => {
    const seen: IncomingMessage[] = [];
    const server = createServer(async (request, response) => {
      seen.push(request);
      let body = '';
      for await (const part of request) body += part;
      response.writeHead(
        201,
        'Made',
        [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['X-Odd', '\xe4'],
        ].flat(),
      );
      response.end(`${request.method} ${request.url} ${body}`);
    });
    const site = await listen(server, []);
    cleanups.push(() => site.close());
    const { door } = await start({ blockUrls: ['other.test'] });
    const url = `http://127.0.0.1:${site.port}/a/../b%20c?d=%2f`;
    const headers = {
      host: `127.0.0.1:${site.port}`,
      'X-Case': 'Kept',
      'proxy-connection': 'keep-alive',
      te: 'trailers',
    };
    const got = await get(door, url, { method: 'PUT', headers }, 'body');
    expect(got).toMatchObject({ status: 201, body: 'PUT /b%20c?d=%2f body' });
    expect(got.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(got.headers['x-odd']).toBe('\xe4');
    expect(seen[0]?.rawHeaders).toEqual(expect.arrayContaining(['X-Case', 'Kept']));
    expect(Object.keys(seen[0]?.headers ?? {})).not.toContain('proxy-connection');
    expect((await get(door, url, { method: 'HEAD' })).status).toBe(201);
    expect(refused).toEqual([]);
  });

  it('are streamed, not collected', async () => {
    const server = createServer((_request, response) => void response.write('first'));
    const site = await listen(server, []);
    cleanups.push(() => site.close());
    const { door } = await start({ blockUrls: ['other.test'] });
    const { port } = new URL(door.url);
    const request = http.get({ port, path: `http://127.0.0.1:${site.port}/` });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(String((await once(response, 'data'))[0])).toBe('first');
    request.on('error', () => undefined).destroy();
  });

  it('50 at once are all answered, by keys and values of their own', async () => {
    const server = createServer((request, response) => void response.end(`for ${request.url}`));
    const site = await listen(server, []);
    cleanups.push(() => site.close());
    const { door } = await start({ blockUrls: ['other.test'] });
    const all = Array.from({ length: 50 }, (_, at) => get(door, `http://127.0.0.1:${site.port}/${at}`));
    expect((await Promise.all(all)).map(({ body }) => body)).toEqual(
      Array.from({ length: 50 }, (_, at) => `for /${at}`),
    );
  });

  it('are refused with a page that names the rule, and told once', async () => {
    const site = await target();
    const { door } = await start({ blockUrls: [`http://127.0.0.1:${site.port}/<b>/**`] });
    const url = `http://127.0.0.1:${site.port}/%3Cb%3E/x?token=1`;
    const got = await get(door, url);
    expect(got.status).toBe(403);
    expect(got.body).toContain('URL not allowed: rule &quot;--block-urls http://127.0.0.1');
    expect(got.body).not.toContain('<b>');
    await get(door, url);
    expect(refused).toEqual([
      {
        session: 's1',
        url: `http://127.0.0.1:${site.port}/%3Cb%3E/x`,
        rule: `--block-urls http://127.0.0.1:${site.port}/<b>/**`,
      },
    ]);
    expect(site.visits).toEqual([]);
    expect((await get(door, `http://127.0.0.1:${site.port}/else`)).status).toBe(200);
  });

  it('of the browser itself, by no window, lead nowhere', async () => {
    const site = await target();
    const { egress } = await start({ blockUrls: ['other.test'] });
    const own = await egress.openPort();
    expect((await get(own, `http://127.0.0.1:${site.port}/`)).status).toBe(403);
    expect((await tunnel(own.url, `127.0.0.1:${site.port}`)).status).toBe(403);
    expect(refused.map(({ session }) => session)).toEqual([undefined, undefined]);
    expect(site.visits).toEqual([]);
  });

  it('no flood of refusals reaches the journal', async () => {
    const { door } = await start({ blockUrls: ['127.0.0.1'] });
    for (let at = 0; at < 110; at++) await get(door, `http://127.0.0.1/${at}`);
    expect(refused).toHaveLength(101);
    expect(refused.at(-1)?.url).toContain('not listed');
  });

  it('to the proxy itself lead nowhere', async () => {
    const { egress, door } = await start({ blockUrls: ['other.test'] });
    const other = await egress.openPort('s2');
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0'])
      expect((await get(door, `http://${host}:${new URL(other.url).port}/`)).status).toBe(403);
    expect((await get(door, door.url)).status).toBe(403);
    const { hostname, port } = new URL(door.url);
    const [response] = (await once(http.get({ host: hostname, port, path: '/' }), 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    response.resume();
  });
});

describe('issue: URL rules as a boundary: addresses', () => {
  it('a name is looked up once, and what was checked is what is connected to', async () => {
    const site = await target();
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2', '127.0.0.1'], ['::1', '127.0.0.1']];
    const asked: string[] = [];
    const lookup = async (host: string) => {
      asked.push(host);
      return answers.shift() ?? [];
    };
    // The address is allowed by itself: so a name that leads there may be opened, but to no other private address.
    const { door, egress } = await start(
      { blockPrivate: true, allowUrls: ['rebind.test', '127.0.0.1', '[::1]'] },
      { lookup },
    );
    const url = `http://rebind.test:${site.port}`;
    expect((await get(door, `${url}/1`, { agent: false })).status).toBe(200);
    expect((await get(door, `${url}/2`, { agent: false })).status).toBe(403);
    expect(egress.outcomes.ruleFor(`${url}/9`)).toBe('--block-private (127.0.0.2 is a loopback address)');
    expect((await get(door, `${url}/3`, { agent: false })).status).toBe(200);
    expect(egress.outcomes.ruleFor(`${url}/9`)).toBeUndefined();
    expect((await get(door, `${url}/4`, { agent: false })).status).toBe(200);
    expect(asked).toEqual(Array.from({ length: 4 }, () => 'rebind.test'));
    expect(site.visits).toEqual(['/1', '/3', '/4']);
  });

  it.each([
    '10.0.0.1',
    '169.254.1.1',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    'fd00::1',
    '0.0.0.0',
    '100.64.1.1',
  ])('a name that leads to %s is refused, for pages and for sockets', async address => {
    const { door } = await start({ blockPrivate: true }, { lookup: async () => [address] });
    expect((await get(door, 'http://inner.test/x')).status).toBe(403);
    expect((await tunnel(door.url, 'inner.test:443')).status).toBe(403);
    expect((await tunnel(socketsOf(door), 'inner.test:80')).status).toBe(403);
    expect(refused.map(({ rule }) => rule)).toEqual(refused.map(() => expect.stringMatching(/^--block-private \(/)));
    expect(refused).toHaveLength(3);
  });

  it('a name that leads to the keys of a cloud is refused, whatever the rules', async () => {
    const { door } = await start({ blockUrls: ['else.test'] }, { lookup: async () => ['169.254.169.254'] });
    expect((await get(door, 'http://inner.test/latest/meta-data')).status).toBe(403);
    expect(refused.map(({ rule }) => rule)).toEqual(['no metadata services of clouds']);
  });

  it('a blocked address is blocked by any name', async () => {
    const site = await target();
    const { door } = await start({ blockUrls: ['127.0.0.1'] }, { lookup: async () => ['127.0.0.1'] });
    expect((await get(door, `http://alias.test:${site.port}/`)).status).toBe(403);
    expect(site.visits).toEqual([]);
  });

  it('a host that cannot be reached is no refusal, and its error is kept', async () => {
    const lookup = async (host: string) => {
      if (host === 'dead.test') return ['127.0.0.1'];
      throw Object.assign(new Error(host), { code: 'ENOTFOUND' });
    };
    const { door, egress } = await start({ blockUrls: ['other.test'] }, { lookup });
    const closed = await target();
    await closed.close();
    await expect(get(door, `http://dead.test:${closed.port}/`)).rejects.toThrow('socket hang up');
    expect((await tunnel(door.url, `unknown.test:443`)).status).toBe(502);
    expect(egress.outcomes.errorFor(`http://dead.test:${closed.port}/x`)).toBe('ECONNREFUSED');
    expect(egress.outcomes.errorFor('https://unknown.test/')).toBe('ENOTFOUND');
    expect(refused).toEqual([]);
  });
});

describe('issue: URL rules as a boundary: tunnels', () => {
  const hello = (socket: Socket) => tls.connect({ socket, rejectUnauthorized: false });

  it('are opened to what is allowed, and carry what is sent', async () => {
    const site = await target(true);
    const { door } = await start({ allowUrls: ['127.0.0.1'] });
    const { status, socket } = await tunnel(door.url, `127.0.0.1:${site.port}`);
    expect(status).toBe(200);
    const secure = hello(socket);
    secure.write('GET /in HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(String((await once(secure, 'data'))[0])).toContain('200 OK');
    expect(site.visits).toEqual(['/in']);
  });

  it('are refused with the rule in the answer', async () => {
    const { door } = await start({ allowUrls: ['example.com'] });
    const { status, text } = await tunnel(door.url, '127.0.0.1:443');
    expect([status, text]).toEqual([403, expect.stringContaining('not in --allow-urls')]);
    expect(refused).toEqual([{ session: 's1', url: 'https://127.0.0.1/', rule: 'not in --allow-urls' }]);
  });

  it('to a host that is only partly open need a guard over the paths, and end with it', async () => {
    const site = await target(true);
    const { door } = await start({ allowUrls: [`https://127.0.0.1:${site.port}/open/**`] });
    expect((await tunnel(door.url, `127.0.0.1:${site.port}`)).status).toBe(403);
    door.pathsWatched = true;
    const { status, socket } = await tunnel(door.url, `127.0.0.1:${site.port}`);
    expect(status).toBe(200);
    const secure = hello(socket);
    secure.on('error', () => undefined);
    await once(secure, 'secureConnect');
    door.pathsWatched = false;
    await once(socket, 'close');
  });

  it('carry only TLS to a host that is only partly open: nothing is said in clear', async () => {
    const site = await target();
    const { door } = await start({ allowUrls: [`https://127.0.0.1:${site.port}/open/**`] });
    door.pathsWatched = true;
    const { socket } = await tunnel(door.url, `127.0.0.1:${site.port}`);
    socket.write('GET /shut HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'close');
    expect(site.visits).toEqual([]);
    expect(refused[0]?.rule).toContain('only TLS');
  });

  it('^https:// lets TLS pass, of pages and of sockets, and nothing else', async () => {
    const [secure, plain] = [await target(true), await target()];
    const { door } = await start({ allowUrls: ['^https://'] });
    for (const url of [door.url, socketsOf(door)]) {
      const { socket } = await tunnel(url, `127.0.0.1:${secure.port}`);
      await once(hello(socket), 'secureConnect');
    }
    const { socket } = await tunnel(socketsOf(door), `127.0.0.1:${plain.port}`);
    socket.write('GET /s HTTP/1.1\r\nhost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toContain('403');
    expect((await get(door, `http://127.0.0.1:${plain.port}/`)).status).toBe(403);
    expect(plain.visits).toEqual([]);
  });

  it('of WebSockets are judged by their path, and shut when TLS hides it', async () => {
    const site = await target();
    const { door } = await start({ allowUrls: [`127.0.0.1:${site.port}/open/**`] });
    door.pathsWatched = true;
    const ask = async (path: string) => {
      const { socket } = await tunnel(socketsOf(door), `127.0.0.1:${site.port}`);
      // In pieces: what is not understood yet is waited for.
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nConnection: Up`);
      socket.write('grade\r\nUpgrade: websocket\r\n\r\n');
      return String((await once(socket, 'data'))[0]);
    };
    expect(await ask('/open/a')).toContain('400 Bad Request');
    expect(await ask('/shut')).toContain('403 Forbidden');
    expect(site.visits).toEqual(['/open/a']);
    const { socket } = await tunnel(socketsOf(door), `127.0.0.1:${site.port}`);
    hello(socket).on('error', () => undefined);
    await once(socket, 'close');
    const rules = refused.map(({ url, rule }) => [url, rule]);
    expect(rules).toEqual([
      [`http://127.0.0.1:${site.port}/shut`, 'not in --allow-urls'],
      [`https://127.0.0.1:${site.port}/`, expect.stringContaining('hides its path')],
    ]);
  });
});

describe('issue: URL rules as a boundary: the proxy of the user', () => {
  /** An HTTP proxy that leads everything to loopback. */
  async function upstream(): Promise<Listener> {
    const visits: string[] = [];
    const server = createServer((request, response) => {
      visits.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      response.end('through the proxy');
    });
    server.on('connect', (request, client: Socket) => {
      visits.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      const there = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(there).pipe(client);
      });
      there.on('error', () => client.destroy());
      client.on('error', () => there.destroy());
    });
    const listener = await listen(server, visits);
    cleanups.push(() => listener.close());
    return listener;
  }

  it('carries what is allowed, by name, with its login; what is refused never gets there', async () => {
    const proxy = await upstream();
    const site = await target(true);
    const { door } = await start({ blockUrls: ['evil.test'] }, { proxy: `http://me:pa%3Ass@127.0.0.1:${proxy.port}` });
    expect((await get(door, 'http://good.test/x?y')).body).toBe('through the proxy');
    expect((await tunnel(door.url, `good.test:${site.port}`)).status).toBe(200);
    expect((await get(door, 'http://evil.test/')).status).toBe(403);
    expect((await tunnel(door.url, 'evil.test:443')).status).toBe(403);
    const login = `Basic ${Buffer.from('me:pa:ss').toString('base64')}`;
    expect(proxy.visits).toEqual([`GET http://good.test/x?y ${login}`, `CONNECT good.test:${site.port} ${login}`]);
  });

  it('is told the address, not the name, when addresses are judged', async () => {
    const proxy = await upstream();
    const site = await target(true);
    const lookup = async (host: string) => (host === 'good.test' ? ['8.8.8.8'] : ['10.0.0.1']);
    const { door } = await start({ blockPrivate: true }, { proxy: `http://127.0.0.1:${proxy.port}`, lookup });
    expect((await tunnel(door.url, `good.test:${site.port}`)).status).toBe(200);
    expect((await tunnel(door.url, `inner.test:${site.port}`)).status).toBe(403);
    expect((await get(door, 'http://inner.test/')).status).toBe(403);
    expect(proxy.visits).toEqual([`CONNECT 8.8.8.8:${site.port}`]);
  });

  it('that does not answer is named as the fault', async () => {
    const gone = await target();
    await gone.close();
    const { door, egress } = await start({ blockUrls: ['evil.test'] }, { proxy: `http://127.0.0.1:${gone.port}` });
    expect((await tunnel(door.url, 'good.test:443')).status).toBe(502);
    expect(egress.outcomes.errorFor('https://good.test/')).toBe('PROXY_DOWN');
  });

  it('may speak SOCKS', async () => {
    const socks = await startSocks();
    cleanups.push(() => socks.close());
    const [site, secure] = [await target(), await target(true)];
    const { door } = await start({ blockUrls: ['evil.test'] }, { proxy: `socks5://127.0.0.1:${socks.port}` });
    expect((await get(door, `http://good.test:${site.port}/x`)).status).toBe(200);
    const { status, socket } = await tunnel(door.url, `good.test:${secure.port}`);
    expect(status).toBe(200);
    await once(tls.connect({ socket, rejectUnauthorized: false }), 'secureConnect');
    expect((await get(door, `http://evil.test:${site.port}/x`)).status).toBe(403);
    expect(socks.visits).toEqual([`good.test:${site.port}`, `good.test:${secure.port}`]);
  });
});

describe('issue: URL rules as a boundary: the end', () => {
  it('nothing listens any more, and no connection stays', async () => {
    const site = await target(true);
    const { door, egress } = await start({ blockUrls: ['evil.test'] });
    const other = await egress.openPort('s2');
    const { socket } = await tunnel(door.url, `127.0.0.1:${site.port}`);
    const ports = [door.url, socketsOf(door), other.url, socketsOf(other)].map(url => Number(new URL(url).port));
    expect(new Set(ports).size).toBe(4);
    const closed = once(socket, 'close');
    await egress.close();
    await closed;
    for (const port of ports) {
      const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
      expect(error.code).toBe('ECONNREFUSED');
    }
  });

  it('a door that is shut leaves the others open', async () => {
    const site = await target();
    const { door, egress } = await start({ blockUrls: ['evil.test'] });
    const other = await egress.openPort('s2');
    await egress.closePort(door);
    expect((await get(other, `http://127.0.0.1:${site.port}/`)).status).toBe(200);
  });
});
