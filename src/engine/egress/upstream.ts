// The proxy that the user named: how it is reached, and tunnels through it.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { Failure } from '../../errors.ts';

export interface Upstream {
  module: typeof http | typeof https;
  at: { host: string; port: string };
  headers: Record<string, string>;
  /** Plain requests too go through tunnels. */
  onlyTunnels?: true;
}

/** Undefined for a proxy that does not speak HTTP. */
export function upstreamOf(given: string): Upstream | undefined {
  const { protocol, hostname, port, username, password } = new URL(given);
  if (!/^https?:$/.test(protocol)) return undefined;
  const isSecure = protocol === 'https:';
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return {
    module: isSecure ? https : http,
    at: { host: bare(hostname), port: port || (isSecure ? '443' : '80') },
    headers: username === '' ? {} : { 'proxy-authorization': `Basic ${login}` },
  };
}

/** A connection to `host:port` through the proxy. */
export async function tunnel({ module, at, headers }: Upstream, to: string, signal: AbortSignal): Promise<Socket> {
  const request = module.request({
    ...at,
    agent: false,
    method: 'CONNECT',
    path: to,
    headers: { host: to, ...headers },
    signal,
  });
  request.end();
  const [response, socket, head] = (await once(request, 'connect', { signal })) as [IncomingMessage, Socket, Buffer];
  if (head.length > 0) socket.unshift(head);
  if (response.statusCode === 200) return socket;
  socket.destroy();
  throw new Failure('request_failed', `The proxy refuses the way to ${to}: ${response.statusCode}.`, 'Check --proxy.');
}

/** The proxy that the user named does not answer, or refuses: that is no fault of the place behind it. */
export const proxyFault = (cause: unknown): Error =>
  Object.assign(new Error('the proxy behind this one failed', { cause }), {
    code: cause instanceof Failure ? 'PROXY_REFUSES' : 'PROXY_DOWN',
  });

/** An IPv6 address without its brackets. */
export const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

export interface SocksBridge {
  upstream: Upstream;
  close(): Promise<void>;
}

export async function bridgeTo(socks: string): Promise<SocksBridge> {
  // Loaded here: few users have such a proxy.
  const { Server } = await import('proxy-chain');
  const secret = randomBytes(16).toString('hex');
  const server = new Server({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: ({ password }) =>
      password === secret ? { upstreamProxyUrl: socks } : { requestAuthentication: true },
  });
  await server.listen();
  const upstream = upstreamOf(`http://tabwright:${secret}@127.0.0.1:${server.port}`);
  if (!upstream) throw new Error('unreachable: the url above is http');
  // By tunnels names are looked up behind the SOCKS proxy, as Chrome would have it.
  return { upstream: { ...upstream, onlyTunnels: true }, close: () => server.close(true) };
}
