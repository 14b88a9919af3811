// The WebSocket to a browser that somebody else has started, from the address that a person gives.

import { WebSocketClient } from '../../../cdp/websocket-client.ts';

/** Settles when it is open. A signal that aborts before then gives it up. */
export async function openSocket(endpoint: string, signal: AbortSignal): Promise<WebSocketClient> {
  const { address, headers } = await resolve(endpoint, signal);
  return WebSocketClient.open(address, headers, signal);
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

interface Address {
  address: string;
  headers: Record<string, string>;
}

/** The WebSocket address, which the HTTP port of the browser has; user name and password go into a header. */
async function resolve(endpoint: string, signal: AbortSignal): Promise<Address> {
  const { href, protocol, username, password } = new URL(endpoint);
  const secret = [username, password].map(decodeURIComponent).join(':');
  const headers = secret === ':' ? {} : { authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
  if (protocol.startsWith('ws')) return { address: href.replace(/\/\/[^/]*@/, '//'), headers };
  const about = httpAddress(endpoint, 'json/version/');
  const answer = await fetch(about, { signal, headers }).catch(error => {
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  });
  if (!answer.ok) throw new Error(`${about.href} answered ${answer.status}`);
  const { webSocketDebuggerUrl: address } = Object(await answer.json()) as { webSocketDebuggerUrl?: string };
  if (address === undefined) throw new Error(`${about.href} tells no webSocketDebuggerUrl`);
  return { address, headers };
}
