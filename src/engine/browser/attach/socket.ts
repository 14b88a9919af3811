// The WebSocket to a browser that somebody else has started, from the address that a person gives.

import { WebSocketClient } from '../../../cdp/websocket-client.ts';

/** Settles when it is open. A signal that aborts before then gives it up. */
export async function openSocket(endpoint: string, signal: AbortSignal): Promise<WebSocketClient> {
  const { url, headers } = await resolveEndpoint(endpoint, {}, signal);
  return WebSocketClient.open(url, headers, signal);
}

/** How long the browser may take to list its targets. */
const LIST_MS = 1_000;

/** The ids of the targets, the one used last first: only the HTTP port of the browser knows. None when it does not say. */
export async function targetsByUse(endpoint: string): Promise<string[]> {
  try {
    const answer = await fetch(httpAddress(endpoint, 'json/list'), { signal: AbortSignal.timeout(LIST_MS) });
    const rows: unknown = await answer.json();
    return Array.isArray(rows) ? rows.map(row => String(Object(row).id)) : [];
  } catch {
    return []; // a grid that speaks WebSocket only: the order of its tabs is not known
  }
}

/** The address of that resource on the HTTP port of the browser. */
function httpAddress(endpoint: string, name: string): URL {
  const url = new URL(endpoint);
  const folder = url.protocol.startsWith('ws') ? '/' : url.pathname.replace(/\/?$/, '/');
  url.protocol = url.protocol.replace('ws', 'http');
  url.username = url.password = '';
  url.pathname = `${folder}${name}`;
  return url;
}

/** Where the WebSocket of a browser is, and what is sent with the request for it. */
export interface SocketAddress {
  url: string;
  headers: Record<string, string>;
}

/** The WebSocket address, which the HTTP port of the browser has; user name and password go into a header. */
export async function resolveEndpoint(
  endpoint: string,
  given: Record<string, string>,
  signal: AbortSignal,
): Promise<SocketAddress> {
  const { url: plain, headers: secret } = withoutPassword(endpoint);
  const headers = { ...secret, ...given };
  if (plain.startsWith('ws')) return { url: plain, headers };
  const about = httpAddress(endpoint, 'json/version/');
  const answer = await fetch(about, { signal, headers }).catch(error => {
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  });
  if (!answer.ok) throw new Error(`${about.href} answered ${answer.status}`);
  const { webSocketDebuggerUrl: address } = Object(await answer.json()) as { webSocketDebuggerUrl?: string };
  if (address === undefined) throw new Error(`${about.href} tells no webSocketDebuggerUrl`);
  return { url: asSeenFrom(plain, address), headers };
}

/** User name and password of an address go into a header. */
function withoutPassword(endpoint: string): SocketAddress {
  const { href, username, password } = new URL(endpoint);
  const secret = [username, password].map(decodeURIComponent).join(':');
  const headers = { authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
  return { url: href.replace(/\/\/[^/]*@/, '//'), headers: secret === ':' ? {} : headers };
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

/** A service on another machine may call its browser by an address that holds only there. */
function asSeenFrom(service: string, address: string): string {
  const [from, to] = [new URL(service), new URL(address)];
  if (!LOOPBACK.test(to.hostname) || LOOPBACK.test(from.hostname)) return address;
  to.host = from.host;
  to.protocol = /^(?:https|wss):/.test(service) ? 'wss:' : 'ws:';
  return to.href;
}
