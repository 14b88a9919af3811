// Raw HTTP: requests with any headers and bodies, and bare sockets, for what no well-behaved client sends.
import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { CLIENT_INFO, type Message, MODERN } from '../process.ts';

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  /** Several pieces are sent chunked, without a length. */
  body?: string | string[];
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export function ask(url: string, { method = 'GET', headers = {}, body = '' }: Asked = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const pieces = Array.isArray(body) ? body : [];
    const length = typeof body === 'string' && body ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const sent = request(url, { method, agent: false, headers: { ...length, ...headers } }, async answer => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) });
      sent.destroy();
    });
    sent.on('error', reject);
    for (const piece of pieces) sent.write(piece);
    sent.end(typeof body === 'string' ? body : undefined);
  });
}

export const JSON_BOTH = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A request of the 2026-07-28 revision. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
): Asked {
  return {
    method: 'POST',
    headers: {
      ...JSON_BOTH,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...MODERN, ...meta } } }),
  };
}

/** A message of the revisions before. */
export const legacy = (message: Message, headers: Record<string, string> = {}): Asked => ({
  method: 'POST',
  headers: { ...JSON_BOTH, ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', ...message }),
});

export const HELLO: Message = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT_INFO },
};

export const withToken = (asked: Asked, token: string): Asked => ({
  ...asked,
  headers: { ...asked.headers, authorization: `Bearer ${token}` },
});

/** The messages of a body that is JSON or a stream of events. */
export function messagesIn({ text }: Pick<Answered, 'text'>): Message[] {
  if (text.startsWith('{')) return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data));
}

/** Begins a session of the revisions before 2026-07-28; gives the headers that its requests carry. */
export async function handshake(url: string, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const answer = await ask(url, legacy(HELLO, headers));
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`no session: ${answer.status} ${answer.text}`);
  const own = { ...headers, 'mcp-session-id': id };
  await ask(url, legacy({ method: 'notifications/initialized' }, own));
  return own;
}

/** Sends a request and gives its answer before that is whole. */
export async function begin(
  url: string,
  { method = 'GET', headers = {}, body }: Asked,
): Promise<{ sent: ClientRequest; answered: Promise<IncomingMessage> }> {
  const sent = request(url, { method, headers, agent: false });
  sent.on('error', () => undefined);
  sent.end(body);
  const answered = once(sent, 'response').then(([answer]) => answer as IncomingMessage);
  answered.catch(() => undefined);
  return { sent, answered };
}

export interface Stream {
  status: number;
  /** What has come so far. */
  text(): string;
  isOpen(): boolean;
  closed: Promise<void>;
  destroy(): void;
}

/** An open stream of events: that of a session, or without one that of the oldest transport. */
export async function listenTo(url: string, headers: Record<string, string>): Promise<Stream> {
  const { answered } = await begin(url, { headers: { accept: 'text/event-stream', ...headers } });
  const answer = await answered;
  let got = '';
  let isOpen = true;
  answer.setEncoding('utf8').on('data', piece => {
    got += piece;
  });
  answer.on('error', () => undefined);
  const closed = new Promise<void>(resolve => {
    answer.once('close', () => {
      isOpen = false;
      resolve();
    });
  });
  return {
    status: answer.statusCode ?? 0,
    text: () => got,
    isOpen: () => isOpen,
    closed,
    destroy: () => answer.destroy(),
  };
}

/** Writes to a bare connection; gives what came back until its end. */
export async function talk(
  url: string,
  first: string,
  then?: (write: (text: string) => void) => void,
): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let got = '';
  socket.setEncoding('utf8').on('data', piece => {
    got += piece;
  });
  // A connection that is cut ends what came back; how it is cut does not matter.
  socket.on('error', () => undefined);
  socket.write(first);
  then?.(piece => socket.write(piece));
  await once(socket, 'close');
  return got;
}
