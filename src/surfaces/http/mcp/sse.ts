// HTTP+SSE, the transport of the first revision: events come on one long answer, messages are posted beside it.
import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import type { HttpLimits } from '../limits.ts';
import { HttpRefusal } from '../refuse.ts';

/** The transport of one client: its stream, and the requests that it waits for. */
export class SseTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /** The requests that wait for an answer, by their id. */
  readonly #waiting = new Map<RequestId, () => void>();
  readonly #res: ServerResponse;
  readonly #limits: HttpLimits;
  readonly #endpoint: string;
  #alive: NodeJS.Timeout | undefined;
  #stalled: NodeJS.Timeout | undefined;

  constructor(
    readonly sessionId: string,
    path: string,
    res: ServerResponse,
    limits: HttpLimits,
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
    // A client that does not read would never see the end.
    this.#stalled ??= setTimeout(() => this.#res.destroy(), this.#limits.stalledMs).unref();
  }

  /** Settles when the message is answered, cancelled or needs no answer, or the stream is closed. */
  receive(message: JSONRPCMessage): Promise<void> | undefined {
    const isRequest = 'method' in message && 'id' in message;
    if (isRequest && this.#waiting.has(message.id))
      throw new HttpRefusal('message', `A request with the id ${message.id} is under way.`);
    const answered = isRequest ? new Promise<void>(resolve => this.#waiting.set(message.id, resolve)) : undefined;
    // A cancelled request gets no answer.
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#answered(Object(message.params).requestId);
    this.onmessage?.(message);
    return answered;
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
