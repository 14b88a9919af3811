// The keeper of a profile's browser: a small process that holds the pipe to Chrome, so that Chrome outlives the server and ends with the
// keeper, however that ends. It lets in who knows the address that it tells the server. Arguments: the browser and its switches.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import { switchingTo } from '../../../../cdp/websocket-server.ts';
import { ChromePipe } from './chrome-pipe.ts';

/** What the keeper tells the server: the process of Chrome when it has begun, and its address when it is ready. */
export type KeeperMessage = { pid: number } | { url: string };

const MOST_CLIENTS = 32;
/** Also of those who have not yet said what they want. */
const MOST_CONNECTIONS = 256;
const HEADERS_MS = 5_000;

const tell = (message: KeeperMessage) => process.send?.(message);

const [path = '', ...switches] = process.argv.slice(2);
const chrome = spawn(path, switches, {
  stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
  // A group of its own, in which all its helpers are.
  detached: process.platform !== 'win32',
  windowsHide: true,
});
chrome.once('error', error => {
  console.error(error.message);
  process.exit(1);
});
chrome.once('exit', code => process.exit(code ?? 1));

// Until the server says that it has noted the browser down, the browser ends with the server.
const orphaned = () => process.exit(1);
process.once('disconnect', orphaned);
process.once('message', () => {
  process.off('disconnect', orphaned);
  process.disconnect();
});

const secret = `/devtools/browser/${randomBytes(32).toString('base64url')}`;
const pipe = new ChromePipe(chrome.stdio[3] as Writable, chrome.stdio[4] as Readable);
const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: HEADERS_MS });
let clients = 0;

const addressOf = () => `ws://127.0.0.1:${(server.address() as AddressInfo).port}${secret}`;
const digest = (text: string) => createHash('sha256').update(text).digest('base64');
/** What a server of ours asks, by the digests of the paths: how long a comparison takes says nothing about the secret then. */
const ANSWERS = new Map<string, () => unknown>([
  [digest(`${secret}/json/version/`), () => ({ webSocketDebuggerUrl: addressOf() })],
  [digest(`${secret}/json/list`), () => pipe.tabs.map(id => ({ id }))],
]);
const SOCKET = digest(secret);

/** Whoever is on this machine, but no page: a browser sends the origin of the page. */
const isLocal = ({ headers: { host = '', origin } }: IncomingMessage): boolean =>
  /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host) && origin === undefined;

function open(request: IncomingMessage, socket: Duplex, first: Buffer): void {
  // A connection that breaks is reported by its close event.
  socket.on('error', () => socket.destroy());
  const key = request.headers['sec-websocket-key'];
  const isAllowed = digest(request.url ?? '') === SOCKET && isLocal(request);
  if (!isAllowed || key === undefined || clients >= MOST_CLIENTS) {
    socket.destroy();
    return;
  }
  clients++;
  socket.once('close', () => clients--);
  if (first.length > 0) socket.unshift(first);
  void pipe.serve(socket, () => socket.write(switchingTo(key)));
}

// Whoever does not know the secret gets no answer at all: a page does not even learn that somebody listens.
server.on('request', (request, response) => {
  const answer = ANSWERS.get(digest(request.url ?? ''));
  if (answer && isLocal(request)) response.end(JSON.stringify(answer()));
  else request.socket.destroy();
});
server.maxConnections = MOST_CONNECTIONS;
server.on('clientError', (_error, socket) => socket.destroy());
server.on('upgrade', open);
server.listen(0, '127.0.0.1', async () => {
  tell({ pid: chrome.pid ?? 0 });
  await pipe.ready;
  tell({ url: addressOf() });
});
