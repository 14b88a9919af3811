// Two sites on loopback: one that pages are opened from, and one that rules keep them from, which writes down who comes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { CERTIFICATE, KEY } from './certificate.ts';
import { pageFor } from './ways.ts';

export interface Listener {
  port: number;
  /** Paths of the requests that came; WebSockets too. */
  visits: string[];
  close(): Promise<void>;
}

/** Answers everything with something harmless, and writes it down. */
function answer(request: IncomingMessage, response: ServerResponse, visits: string[]): void {
  visits.push(request.url ?? '');
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('content-type', /\.js$/.test(request.url ?? '') ? 'text/javascript' : 'text/html');
  response.end(/\.js$/.test(request.url ?? '') ? '//' : '<title>There</title>There');
}

export async function listen(server: Server, visits: string[]): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    visits.push(request.url ?? '');
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    visits,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export function startTarget(isSecure = false): Promise<Listener> {
  const visits: string[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => answer(request, response, visits);
  const server = isSecure ? createSecureServer({ key: KEY, cert: CERTIFICATE }, listener) : createServer(listener);
  return listen(server, visits);
}

/** Serves the pages of ways.ts: `/NAME?to=URL` tries to reach the url in the way of that name. */
export function startOpen(): Promise<Listener> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://open');
    const made = pageFor(pathname.slice(1), searchParams.get('to') ?? '');
    response.writeHead(made.status ?? 200, {
      'content-type': 'text/html',
      'cache-control': 'no-store',
      ...made.headers,
    });
    response.end(made.body);
  });
  return listen(server, visits);
}
