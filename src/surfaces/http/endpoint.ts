// /mcp: one address for every revision of the protocol. Clients of 2026-07-28 have no sessions, those before have.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CreateMcpHandlerOptions,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import type { Log } from '../../config/log.ts';
import { protocolServer } from '../mcp.ts';
import type { Offer } from '../offer.ts';
import { readJson } from './body.ts';
import { Refusal } from './refuse.ts';
import { type SessionLimits, Sessions } from './sessions.ts';
import { type Exchange, webExchange } from './web.ts';

export interface EndpointLimits extends SessionLimits {
  bodyBytes: number;
  /** Messages being read or answered at once. */
  messages: number;
  /** Streams that wait for changes. */
  subscriptions: number;
}

/** Who holds the token is one caller, over however many connections; `session` arguments keep agents apart. */
const CALLER = { id: 'http' };

export class Endpoint {
  /** For clients that take a stream of events, and for those that take only JSON. */
  readonly #streaming: McpHttpHandler;
  readonly #plain: McpHttpHandler;
  readonly #sessions: Sessions;
  readonly #limits: EndpointLimits;
  #messages = 0;

  constructor(offer: Offer, log: Log, limits: EndpointLimits) {
    const build = () => protocolServer(offer, CALLER);
    this.#limits = limits;
    this.#sessions = new Sessions(build, log, limits);
    const modern: CreateMcpHandlerOptions = {
      legacy: 'reject',
      maxSubscriptions: limits.subscriptions,
      onerror: error => log.warn(`http: ${error.message}`),
    };
    // A stream shows at once that a long call lives, also through proxies.
    this.#streaming = createMcpHandler(build, { ...modern, responseMode: 'sse' });
    this.#plain = createMcpHandler(build, modern);
  }

  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== 'POST') return this.#sessions.serve(webExchange(req, res));
    if (this.#messages >= this.#limits.messages)
      throw new Refusal(503, 'Too many calls at once. Try again soon.', { 'retry-after': '1' });
    this.#messages++;
    try {
      const body = await readJson(req, res, this.#limits.bodyBytes);
      await this.#route(webExchange(req, res), body);
    } finally {
      this.#messages--;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#streaming.close(), this.#plain.close(), this.#sessions.close()]);
  }

  async #route(exchange: Exchange, body: unknown): Promise<void> {
    if (await isLegacyRequest(exchange.request, body)) return this.#sessions.serve(exchange, body);
    const { request, answer } = exchange;
    const modern = request.headers.get('accept')?.includes('text/event-stream') ? this.#streaming : this.#plain;
    await answer(await modern.fetch(request, { parsedBody: body }));
  }
}
