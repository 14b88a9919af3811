// HTTP+SSE, the transport of the first revision: events come on one long answer, messages are posted beside it.
import type { ServerResponse } from 'node:http';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../../session/server.ts';
import type { HttpRequest } from '../http-request.ts';
import { HttpRefusal } from '../refuse.ts';
import type { McpSession, McpSessions } from './mcp-sessions.ts';

export interface StreamLimits {
  /** How often, in ms, a stream without events says that it lives: proxies close silent ones. */
  aliveMs: number;
  /** A client that reads nothing for so long, in ms, is given up. */
  stalledMs: number;
  /** So is one for which so many bytes wait. */
  unreadBytes: number;
}

/** One client: its stream, and the requests it waits for. */
class Link implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /** By the id of each request: what gives its place back. */
  readonly #waiting = new Map<RequestId, () => void>();
  readonly #res: ServerResponse;
  readonly #limits: StreamLimits;
  readonly #endpoint: string;
  #alive: NodeJS.Timeout | undefined;
  #stalled: NodeJS.Timeout | undefined;

  constructor(
    readonly sessionId: string,
    path: string,
    res: ServerResponse,
    limits: StreamLimits,
  ) {
    this.#endpoint = `${path}?sessionId=${sessionId}`;
    this.#res = res;
    this.#limits = limits;
  }

  async start(): Promise<void> {
    this.#res.once('close', () => this.#closed());
    this.#res.on('drain', () => this.#reads());
    this.#res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    this.#write(`event: endpoint\ndata: ${this.#endpoint}\n\n`);
    this.#alive = setInterval(() => this.#write(': alive\n\n'), this.#limits.aliveMs).unref();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#res.closed) throw new Error('undeliverable: the client is gone');
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    if (!('method' in message) && message.id !== undefined) this.#answered(message.id);
  }

  async close(): Promise<void> {
    this.#res.end();
    // Whoever does not read would never see the end.
    this.#stalled ??= setTimeout(() => this.#res.destroy(), this.#limits.stalledMs).unref();
  }

  /** `done` is called when the message needs no more care; true when that is later. */
  take(message: JSONRPCMessage, done: () => void): boolean {
    const isRequest = 'method' in message && 'id' in message;
    if (isRequest) {
      if (this.#waiting.has(message.id))
        throw new HttpRefusal('message', `A request with the id ${message.id} is under way.`);
      this.#waiting.set(message.id, done);
    }
    if ('method' in message && message.method === 'notifications/cancelled') this.#cancelled(message.params);
    this.onmessage?.(message);
    return isRequest;
  }

  /** A cancelled request gets no answer. */
  #cancelled(params: object | undefined): void {
    const { requestId } = (params ?? {}) as { requestId?: RequestId };
    if (requestId !== undefined) this.#answered(requestId);
  }

  #answered(id: RequestId): void {
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }

  #write(text: string): void {
    if (this.#res.closed || this.#res.writableEnded || this.#res.write(text)) return;
    if (this.#res.writableLength > this.#limits.unreadBytes) this.#res.destroy();
    else this.#stalled ??= setTimeout(() => this.#res.destroy(), this.#limits.stalledMs).unref();
  }

  #reads(): void {
    clearTimeout(this.#stalled);
    this.#stalled = undefined;
  }

  #closed(): void {
    clearInterval(this.#alive);
    this.#reads();
    for (const id of [...this.#waiting.keys()]) this.#answered(id);
    this.onclose?.();
  }
}

export class Sse {
  readonly #build: (caller: Caller) => Server;
  readonly #sessions: McpSessions;
  readonly #limits: StreamLimits;
  readonly #links = new WeakMap<McpSession, Link>();

  constructor(build: (caller: Caller) => Server, sessions: McpSessions, limits: StreamLimits) {
    this.#build = build;
    this.#sessions = sessions;
    this.#limits = limits;
  }

  /** Begins a session; its client posts to that path. Settles with the end of the stream. */
  async open({ res, caller }: HttpRequest, path: string): Promise<void> {
    const session = this.#sessions.open(caller, (_id, as) => ({
      kind: 'sse',
      home: this,
      server: this.#build(as),
      isOpen: () => true,
    }));
    const link = new Link(session.id, path, res, this.#limits);
    this.#links.set(session, link);
    const letGo = this.#sessions.hold(session, 'streams');
    const closed = new Promise(resolve => res.once('close', resolve));
    await session.server.connect(link);
    // Without a message it rests from the start.
    this.#sessions.hold(session, 'messages')();
    await closed;
    letGo();
  }

  /** Takes a message; true when it is under way still, and `done` is called at its end. */
  post({ res, caller }: HttpRequest, id: string, body: unknown, done: () => void): boolean {
    const session = this.#sessions.find(id, caller, this);
    const message = messageIn(body);
    const letGo = this.#sessions.hold(session, 'messages');
    const end = () => {
      letGo();
      done();
    };
    let isKept = false;
    try {
      isKept = this.#links.get(session)!.take(message, end);
    } finally {
      if (!isKept) letGo();
    }
    res.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
    return isKept;
  }
}

function messageIn(body: unknown): JSONRPCMessage {
  try {
    return parseJSONRPCMessage(body);
  } catch {
    throw new HttpRefusal('message', 'The body must be one JSON-RPC message.');
  }
}
