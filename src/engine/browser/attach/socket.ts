// The WebSocket to a browser that somebody else has started, from the address that a person gives.

import type { CdpCommands } from '../../tab/cdp-session.ts';
import { type WebSocketLike, webSocket } from '../playwright.ts';

/** One message of the protocol: a command, its answer, or an event. */
export interface CdpMessage {
  id?: number;
  method?: string;
  params?: unknown;
  sessionId?: string;
  result?: unknown;
  error?: { message: string };
}

export type Params<M extends keyof CdpCommands> = CdpCommands[M]['paramsType'][0];

/** A trace or a large page comes as one message. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Settles when it is open. A signal that aborts before then gives it up. */
export async function openSocket(endpoint: string, signal: AbortSignal): Promise<WebSocketLike> {
  const { address, headers } = await resolve(endpoint, signal);
  const socket = new (webSocket())(address, [], { perMessageDeflate: false, maxPayload: MOST_BYTES, headers });
  return new Promise((done, reject) => {
    const abort = () => {
      socket.terminate();
      reject(signal.reason);
    };
    socket.on('open', () => {
      signal.removeEventListener('abort', abort);
      done(socket);
    });
    // Later it tells of a connection that was cut, which its close tells as well.
    socket.on('error', reject);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

/** What its HTTP port tells under that name. */
export function httpAddress(endpoint: string, name: string): URL {
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

/** A browser tells on its HTTP port where its WebSocket is. A name and a password in the address are sent as they should. */
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
