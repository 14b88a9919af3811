// The request tool: cookies both ways, bodies, redirects step by step, bounds, and what goes wrong.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { js } from './page.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

let kit: Kit;
let server: Server;
let at: string;
let seen: Seen[] = [];

const ANSWERS: Record<string, (res: ServerResponse, seen: Seen) => void> = {
  '/login': res => {
    res.setHeader('set-cookie', [
      'sid=s3cret; HttpOnly; Path=/',
      'theme=dark; Max-Age=1000',
      'evil=1; Domain=example.com',
    ]);
    res.end('in');
  },
  '/logout': res => res.setHeader('set-cookie', 'sid=; Max-Age=0; Path=/').end('out'),
  '/moved': res => res.writeHead(302, { location: '/echo', 'set-cookie': 'hop=1' }).end(),
  '/see-other': res => res.writeHead(303, { location: '/echo' }).end(),
  '/keep': res => res.writeHead(307, { location: '/echo' }).end(),
  '/away': res => res.writeHead(302, { location: `${kit.site.otherSiteUrl}/api/echo` }).end(),
  '/to-file': res => res.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/circle': res => res.writeHead(302, { location: '/circle' }).end(),
  '/picture': res => res.setHeader('content-type', 'image/png').end(Buffer.from([137, 80, 78, 71, 0, 1, 2, 3])),
  '/unknown': res => res.setHeader('content-type', 'model/x').end('plain words'),
  '/bytes': res => res.setHeader('content-type', 'application/x').end(Buffer.from([1, 0, 255])),
  '/gzip': res => res.setHeader('content-encoding', 'gzip').end(gzipSync('unpacked')),
  '/br': res => res.setHeader('content-encoding', 'br').end(brotliCompressSync('unpacked')),
  '/latin': res => res.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from([0xe9])),
  '/long': res => res.setHeader('content-type', 'text/plain').end('line\n'.repeat(20_000)),
  '/endless': res => {
    res.setHeader('content-type', 'text/plain');
    const more = () => !res.destroyed && res.write('x'.repeat(1 << 20), more);
    more();
  },
  '/silent': () => undefined,
  '/half': res => res.setHeader('content-type', 'text/plain').write('half'),
  '/broken': res => {
    res.writeHead(200, { 'content-length': '100' }).write('only this');
    setImmediate(() => res.socket?.destroy());
  },
  '/rubbish': res => res.socket?.end('this is no HTTP\r\n\r\n'),
  '/echo': (res, { method, headers, body }) => {
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ method, headers, body }));
  },
};

beforeAll(async () => {
  kit = await startKit();
  server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url = '', headers } = req;
    const one = { method, url, headers, body: Buffer.concat(chunks).toString('latin1') };
    seen.push(one);
    (ANSWERS[url] ?? (() => res.writeHead(404).end('nothing here')))(res, one);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await kit.close();
});
beforeEach(() => {
  seen = [];
});

const echo = async (args: Record<string, unknown>): Promise<Seen> => {
  const text = await kit.ok('request', { url: `${at}/echo`, ...args });
  return JSON.parse(text.slice(text.indexOf('\n') + 1));
};

describe('request (S1-52)', () => {
  it('GET by default: status, type, size and body', async () => {
    const text = await kit.ok('request', { url: `${at}/echo` });
    expect(text).toMatch(/^200 OK, application\/json, \d+ bytes, \d+ ms\n\{"method":"GET"/);
    expect(seen[0]?.headers['user-agent']).toMatch(/Chrome\/\d+/);
    expect(await kit.ok('request', { url: `${at}/nowhere` })).toMatch(/^404 Not Found.*\nnothing here$/s);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])('method %s', async method => {
    await kit.ok('request', { url: `${at}/echo`, method });
    expect(seen[0]?.method).toBe(method);
  });

  it('HEAD shows the headers', async () => {
    expect(await kit.ok('request', { url: `${at}/login`, method: 'HEAD' })).toMatch(
      /^200 OK.*\nset-cookie: sid=\[redacted\]; HttpOnly; Path=\/, theme=/s,
    );
  });

  it('headers, body, json and form_data', async () => {
    expect((await echo({ headers: { 'X-One': 'two', Accept: 'text/x' } })).headers).toMatchObject({
      'x-one': 'two',
      accept: 'text/x',
    });
    expect(await echo({ method: 'POST', body: 'plain täxt' })).toMatchObject({
      body: Buffer.from('plain täxt').toString('latin1'),
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'content-length': '11' },
    });
    expect(await echo({ method: 'PUT', json: { a: [1, { b: null }] } })).toMatchObject({
      body: '{"a":[1,{"b":null}]}',
      headers: { 'content-type': 'application/json' },
    });
    mkdirSync(join(kit.folder, 'output'), { recursive: true });
    writeFileSync(join(kit.folder, 'output', 'note.txt'), 'from a file');
    const form = await echo({
      method: 'POST',
      form_data: {
        name: 'Ann',
        age: 7,
        tag: ['x', 'y'],
        note: { path: join(kit.folder, 'output', 'note.txt'), mime_type: 'text/plain' },
        dot: { base64: 'Li4u', name: 'dot.bin' },
      },
    });
    expect(form.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(form.body).toMatch(
      /name="name"\r\n\r\nAnn\r\n.*name="age"\r\n\r\n7\r\n.*name="tag"\r\n\r\nx\r\n.*\r\n\r\ny\r\n/s,
    );
    expect(form.body).toMatch(/name="note"; filename="note.txt"\r\nContent-Type: text\/plain\r\n\r\nfrom a file/i);
    expect(form.body).toMatch(/filename="dot.bin"\r\nContent-Type: application\/octet-stream\r\n\r\n\.\.\.\r\n/i);
  });

  it("sends the browser's cookies, and keeps those of the answer in the browser", async () => {
    await kit.open(`${at}/echo`);
    await js(kit, "document.cookie = 'theme=; max-age=0'; document.cookie = 'page=1'");
    await kit.ok('request', { url: `${at}/logout` });
    expect((await echo({})).headers.cookie).toBe('page=1');
    const login = await kit.call('request', { url: `${at}/login` });
    expect(login.text).toMatch(/set cookies sid, theme\nin$/);
    expect(JSON.stringify(login.data)).not.toContain('s3cret');
    expect(await js(kit, 'document.cookie')).toMatch(/page=1; theme=dark/); // sid is for HTTP only
    await js(kit, 'fetch("/echo").then(() => 1)');
    expect(seen.at(-1)?.headers.cookie).toContain('sid=s3cret');
    await kit.ok('request', { url: `${at}/logout` });
    expect((await echo({})).headers.cookie).toBe('page=1; theme=dark');
    expect((await echo({ headers: { Cookie: 'own=1' } })).headers.cookie).toBe('own=1');
  });

  it('tabId: the cookies of that tab', async () => {
    await kit.open(`${at}/echo`);
    await js(kit, 'document.cookie = "page=1"');
    const opened = await kit.call('window_new', { url: `${at}/echo`, incognito: true });
    const { tabId } = opened.data as { tabId: number };
    await js(kit, 'document.cookie = "private=1"');
    expect((await echo({ tabId })).headers.cookie).toBe('private=1');
    expect((await echo({ tabId: 1 })).headers.cookie).toContain('page=1');
    await kit.ok('tab_close', { tabId });
    expect((await kit.fails('request', { url: `${at}/echo`, tabId })).code).toBe('no_tab');
  });

  it('follows redirects as a browser does, or not', async () => {
    const moved = await kit.ok('request', { url: `${at}/moved`, method: 'POST', json: { a: 1 } });
    expect(moved).toContain(`at ${at}/echo after 1 redirect, set cookies hop`);
    expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'POST /moved {"a":1}',
      'GET /echo ',
    ]);
    expect(seen[1]?.headers.cookie).toContain('hop=1');
    seen = [];
    await kit.ok('request', { url: `${at}/keep`, method: 'POST', json: { a: 1 } });
    await kit.ok('request', { url: `${at}/see-other`, method: 'PUT', body: 'x' });
    expect(seen.filter(({ url }) => url === '/echo').map(({ method, body }) => `${method} ${body}`)).toEqual([
      'POST {"a":1}',
      'GET ',
    ]);
    const stays = await kit.ok('request', { url: `${at}/moved`, follow_redirects: false });
    expect(stays).toMatch(/^302 Found, .*leads to \/echo/);
  });

  it('what logs in at one site is not sent to another', async () => {
    await kit.ok('request', {
      url: `${at.replace('//', '//ann:pw@')}/away`,
      headers: { 'X-Keep': '1' },
    });
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ann:pw').toString('base64')}`);
    const there = kit.site.requests.at(-1);
    expect(there?.headers).toMatchObject({ 'x-keep': '1' });
    expect(there?.headers.authorization).toBeUndefined();
  });

  it('every step obeys the url rules', async () => {
    const file = await kit.fails('request', { url: `${at}/to-file` });
    expect(file).toMatchObject({ code: 'refused' });
    expect(file.text).toContain('no file:');
    expect((await kit.fails('request', { url: 'file:///etc/passwd' })).code).toBe('refused');
    expect((await kit.fails('request', { url: 'data:text/plain,hi' })).text).toContain('http or https');
    expect((await kit.fails('request', { url: `${at}/circle` })).text).toMatch(/after 20 redirects/);
    expect(seen).toHaveLength(22);
  });

  it.each(['/gzip', '/br'])('unpacks %s', async path => {
    expect(await kit.ok('request', { url: `${at}${path}` })).toMatch(/\nunpacked$/);
  });

  it('reads the charset, describes binary bodies, saves them', async () => {
    expect(await kit.ok('request', { url: `${at}/latin` })).toMatch(/\né$/);
    expect(await kit.ok('request', { url: `${at}/unknown` })).toMatch(/\nplain words$/);
    expect(await kit.ok('request', { url: `${at}/bytes` })).toMatch(/binary/);
    expect(await kit.ok('request', { url: `${at}/picture` })).toMatch(
      /^200 OK, image\/png, 8 bytes, \d+ ms\nThe body is binary: save_path keeps it\.$/,
    );
    const saved = await kit.ok('request', { url: `${at}/picture`, save_path: 'deep/dot.png' });
    const path = join(kit.folder, 'output', 'deep', 'dot.png');
    expect(saved).toContain(`Saved to ${path}`);
    expect(readFileSync(path)).toEqual(Buffer.from([137, 80, 78, 71, 0, 1, 2, 3]));
    expect((await kit.fails('request', { url: `${at}/picture`, save_path: '/etc/dot.png' })).code).toBe('refused');
    expect(existsSync('/etc/dot.png')).toBe(false);
  });

  it('cuts long bodies and says so; an endless one ends', async () => {
    const long = await kit.ok('request', { url: `${at}/long` });
    expect(long.length).toBeLessThan(25_000);
    expect(long).toMatch(/\[\d+ of 100000 characters are cut off here: save_path keeps all\.\]$/);
    const endless = await kit.call('request', { url: `${at}/endless` });
    expect(endless.text).toMatch(/^200 OK, text\/plain, more than 50 MB/);
    expect(endless.text.length).toBeLessThan(25_000);
  });

  it('timeout, cancellation, and what is no answer', async () => {
    const late = await kit.call('request', { url: `${at}/silent`, timeout: 300 });
    expect(late).toMatchObject({ failure: { code: 'timeout' } });
    expect(late.ms).toBeLessThan(5_000);
    const before = seen.length;
    const stop = new AbortController();
    const running = kit.call('request', { url: `${at}/silent` }, { signal: stop.signal });
    // The first may have been given up before it was sent.
    await expect.poll(() => seen.length).toBeGreaterThan(before);
    stop.abort();
    expect(await running).toMatchObject({ failure: { code: 'cancelled' } });
    expect(await kit.fails('request', { url: 'http://127.0.0.1:9/' })).toMatchObject({
      code: 'request_failed',
      text: expect.stringMatching(/connection refused/),
    });
    expect((await kit.fails('request', { url: 'http://nowhere.invalid/' })).text).toMatch(/host name/);
    expect((await kit.fails('request', { url: `${at}/rubbish` })).text).toMatch(/no HTTP/);
    expect((await kit.fails('request', { url: `${at}/half`, timeout: 300 })).code).toBe('timeout');
    expect((await kit.fails('request', { url: `${at}/broken` })).text).toMatch(/closed the connection/);
  });

  it('works while a dialog is open, and lets reads pass', async () => {
    await kit.open(`${at}/echo`);
    await js(kit, 'void setTimeout(() => alert(1))');
    await expect.poll(() => kit.call('title').then(({ failure }) => failure?.code)).toBe('dialog_open');
    expect(await kit.ok('request', { url: `${at}/gzip` })).toMatch(/unpacked$/);
    await kit.ok('dialog', { action: 'accept' });
    const slow = kit.call('request', { url: `${at}/silent`, timeout: 3_000 });
    expect(await kit.ok('title')).toBe('');
    expect((await slow).ms).toBeGreaterThan(2_500);
  });

  it.each([
    [{ body: 'x', json: {} }, /one body/],
    [{ form_data: { a: { what: 1 } } }, /form_data\.a/],
    [{ form_data: { a: { path: '/etc/passwd' } } }, /refused/],
    [{ method: 'TRACE' }, /method/],
    [{ headers: { 'a b': 'x' } }, /headers/],
    [{ headers: { a: 'x\r\ny: z' } }, /headers/],
    [{ url: '/only/a/path' }, /url/],
  ])('refuses %j', async (args, said) => {
    expect((await kit.fails('request', { url: `${at}/echo`, method: 'POST', ...args })).text).toMatch(said);
    expect(seen).toHaveLength(0);
  });

  it('nothing of the body reaches the journal', async () => {
    await kit.ok('request', {
      url: `${at}/echo`,
      method: 'POST',
      headers: { Authorization: 'Bearer hidden-1' },
      json: { note: 'hidden-2' },
    });
    await kit.server.journal.close();
    const journal = readFileSync(join(kit.folder, 'state', 'journal', 'journal.jsonl'), 'utf8');
    expect(journal).toContain('"tool":"request"');
    expect(journal).not.toMatch(/hidden-\d/);
  });
});

describe('request through a proxy (S1-52)', () => {
  const proxied: string[] = [];
  let proxy: Server;
  let behind: Kit;
  beforeAll(async () => {
    proxy = createServer((req, res) => {
      proxied.push(`${req.method} ${req.url} ${req.headers['proxy-authorization'] ?? ''}`);
      const on = forward(req.url ?? '', { method: req.method, headers: req.headers }, answer => {
        res.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(res);
      });
      req.pipe(on);
    });
    proxy.on('connect', (req, socket: Socket) => {
      proxied.push(`CONNECT ${req.url}`);
      const on = connect(Number(req.url?.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.once('data', () => proxied.push('through the tunnel'));
        on.pipe(socket).pipe(on);
      });
      on.on('error', () => socket.destroy());
      socket.on('error', () => on.destroy());
    });
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    behind = await startKit('--proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await behind.close();
    proxy.closeAllConnections();
    proxy.close();
  });

  it('goes the way that the browser goes, and no other', async () => {
    expect(await behind.ok('request', { url: `${at}/gzip` })).toMatch(/unpacked$/);
    expect(proxied).toContain(`GET ${at}/gzip `);
    const plain = await behind.fails('request', { url: `${at.replace('http:', 'https:')}/gzip` });
    expect(plain).toMatchObject({ code: 'request_failed', text: expect.stringMatching(/does not speak TLS/) });
    expect(proxied.slice(-2)).toEqual([`CONNECT ${at.slice('http://'.length)}`, 'through the tunnel']);
  });

  it('refuses a proxy that it cannot use', async () => {
    const socks = await startKit('--proxy', 'socks5://127.0.0.1:9');
    const { code, text } = await socks.fails('request', { url: `${at}/gzip` }).finally(() => socks.close());
    expect(code).toBe('refused');
    expect(text).toContain('socks5');
  });
});
