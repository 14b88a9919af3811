// A small site for the tests of the network tools: pages with a worker and a service worker, an API, redirects, a WebSocket.
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface NetworkSite {
  url: string;
  /** What has arrived, such as `GET /api/user`; WebSockets as `UPGRADE /socket`. */
  seen: { line: string; headers: IncomingHttpHeaders; body: string }[];
  lines(): string[];
  close(): Promise<void>;
}

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const WORKER_PAGE = `<title>worker</title><script>
  window.answer = new Promise(done => { new Worker('/worker.js').onmessage = event => done(event.data); });
</script>`;
const SERVICE_PAGE = `<title>service</title><script>
  window.ready = navigator.serviceWorker.register('/service.js').then(() => new Promise(done => {
    if (navigator.serviceWorker.controller) done(1);
    else navigator.serviceWorker.oncontrollerchange = () => done(1);
  }));
</script>`;
const SERVICE = `
  oninstall = () => skipWaiting();
  onactivate = event => event.waitUntil(clients.claim());
  onfetch = event => { if (event.request.url.includes('/api/')) event.respondWith(fetch(event.request)); };
`;

const PAGES: Record<string, [type: string, body: string | Buffer, headers?: Record<string, string>]> = {
  '/': ['text/html', '<title>home</title><h1>Home</h1><img src="/pixel.png">'],
  '/pixel.png': ['image/png', PIXEL, { 'cache-control': 'max-age=1000' }],
  '/worker': ['text/html', WORKER_PAGE],
  '/worker.js': ['text/javascript', "fetch('/api/worker').then(r => r.text(), String).then(postMessage)"],
  '/service': ['text/html', SERVICE_PAGE],
  '/service.js': ['text/javascript', SERVICE],
};

function answer(res: ServerResponse, url: string, line: string, headers: IncomingHttpHeaders, body: string): void {
  const { pathname } = new URL(url, 'http://site');
  const page = PAGES[pathname];
  if (page) res.writeHead(200, { 'content-type': page[0], ...page[2] }).end(page[1]);
  else if (pathname.startsWith('/to/')) res.writeHead(302, { location: pathname.replace('/to/', '/api/') }).end();
  else if (pathname.startsWith('/api/'))
    res
      .writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'visit=v1sit; Path=/' })
      .end(JSON.stringify({ real: true, line, headers, body }));
  else if (pathname === '/cut') res.socket?.destroy();
  else if (pathname === '/never') res.writeHead(200, { 'content-type': 'text/plain' }).write('begun');
  else res.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
}

/** Opens every WebSocket and greets it. */
function greet(socket: Socket, key: string): void {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const hello = Buffer.from('hello');
  socket.write(Buffer.concat([Buffer.from([0x81, hello.length]), hello]));
  // 0x88 begins a closing frame; the small frames of the tests hold no such byte.
  socket.on('data', chunk => chunk.includes(0x88) && socket.end(Buffer.from([0x88, 0])));
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
}

export async function startNetworkSite(): Promise<NetworkSite> {
  const seen: NetworkSite['seen'] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const line = `${req.method} ${req.url}`;
    const body = Buffer.concat(chunks).toString();
    if (req.url !== '/favicon.ico') seen.push({ line, headers: req.headers, body });
    answer(res, req.url ?? '/', line, req.headers, body);
  });
  const sockets = new Set<Socket>();
  server.on('upgrade', (req, socket: Socket) => {
    sockets.add(socket);
    seen.push({ line: `UPGRADE ${req.url}`, headers: req.headers, body: '' });
    greet(socket, String(req.headers['sec-websocket-key']));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    lines: () => seen.map(({ line }) => line),
    close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}
