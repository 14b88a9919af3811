// One endpoint, such as /mcp: one address for every revision of the protocol and each of its transports.
import type { IncomingMessage } from 'node:http';
import {
  type AuthInfo,
  type CreateMcpHandlerOptions,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import type { Log } from '../../../config/log.ts';
import type { Caller } from '../../../session/server.ts';
import { protocolServer } from '../../mcp/server.ts';
import type { McpServerConfig } from '../../mcp/server-config.ts';
import { readBody } from '../body.ts';
import type { HttpRequest } from '../http-request.ts';
import type { CallLimiter, RequestLimiter } from '../limiters.ts';
import { HttpRefusal } from '../refuse.ts';
import { type Exchange, webExchange } from '../web.ts';
import { asksForChanges, ChangeStreams } from './change-streams.ts';
import type { McpSessions } from './mcp-sessions.ts';
import { Sse, type StreamLimits } from './sse.ts';
import { Streamable } from './streamable.ts';

export interface EndpointLimits extends StreamLimits {
  bodyBytes: number;
  /** Streams that wait for changes. */
  subscriptions: number;
}

/** What all endpoints of a server share. */
export interface SharedDeps {
  log: Log;
  limits: EndpointLimits;
  sessions: McpSessions;
  /** Bodies that are being read, and requests that are under way. */
  reading: RequestLimiter;
  load: RequestLimiter;
  busy: CallLimiter;
  /** Whoever is no browser opens a stream of the oldest transport by a plain GET, whatever it says to accept. */
  plainStreams: boolean;
}

/** Carries the caller through the SDK, which knows only this form. The token is none of its business. */
class Holder implements AuthInfo {
  readonly token = '';
  readonly scopes: string[] = [];
  readonly clientId: string;

  constructor(readonly caller: Caller) {
    this.clientId = caller.id;
  }
}

function callerIn(info: AuthInfo | undefined): Caller {
  if (info instanceof Holder) return info.caller;
  throw new Error('a request without its caller');
}

export class McpEndpoint {
  readonly #house: SharedDeps;
  /** For clients that take a stream of events, and for those that take only JSON. */
  readonly #streaming: McpHttpHandler;
  readonly #plain: McpHttpHandler;
  readonly #changes: ChangeStreams;
  readonly #streamable: Streamable;
  readonly #sse: Sse;

  constructor(offer: McpServerConfig, house: SharedDeps) {
    const { log, limits, sessions, busy } = house;
    const guarded: McpServerConfig = { ...offer, run: call => busy.run(call, offer.run) };
    const build = (caller: Caller) => protocolServer(guarded, caller);
    this.#house = house;
    this.#streamable = new Streamable(build, sessions);
    this.#sse = new Sse(build, sessions, limits);
    const modern: CreateMcpHandlerOptions = {
      legacy: 'reject',
      keepAliveMs: limits.aliveMs,
      onerror: error => log.warn(`http: ${error.message}`),
    };
    this.#changes = new ChangeStreams(guarded, modern, limits.subscriptions);
    // A stream shows at once that a long call lives, also through proxies.
    this.#streaming = createMcpHandler(({ authInfo }) => build(callerIn(authInfo)), { ...modern, responseMode: 'sse' });
    this.#plain = createMcpHandler(({ authInfo }) => build(callerIn(authInfo)), modern);
  }

  /** Each revision and transport has its own form of request. */
  async serve(visit: HttpRequest): Promise<void> {
    const { req, path } = visit;
    if (req.method === 'POST') return this.post(visit);
    if (req.method === 'GET' && opensSse(req, this.#house.plainStreams)) return this.openSse(visit, path);
    if (req.method === 'GET') this.#house.busy.checkOpen();
    return this.#streamable.serve(this.#exchange(visit), visit.caller);
  }

  /** The stream of the oldest transport; messages come to that path. */
  async openSse(visit: HttpRequest, path: string): Promise<void> {
    this.#house.busy.checkOpen();
    await this.#sse.open(visit, path);
  }

  async post(visit: HttpRequest): Promise<void> {
    const body = await readBody(visit, this.#house);
    const leave = this.#enter(visit.caller, body);
    let isKept = false;
    try {
      const id = visit.query.get('sessionId');
      if (id !== null) isKept = this.#sse.post(visit, id, body, leave);
      else await this.#route(this.#exchange(visit), visit.caller, body, leave);
    } finally {
      if (!isKept) leave();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#streaming.close(), this.#plain.close(), this.#changes.close()]);
  }

  /** Who has all requests under way that it may have can still cancel one, or answer a question. */
  #enter(caller: Caller, body: unknown): () => void {
    if (!isRequest(body)) return () => undefined;
    this.#house.busy.checkOpen();
    return this.#house.load.enter(caller);
  }

  async #route(exchange: Exchange, caller: Caller, body: unknown, leave: () => void): Promise<void> {
    if (await isLegacyRequest(exchange.request, body)) return this.#streamable.serve(exchange, caller, body);
    const { request, answer } = exchange;
    if (asksForChanges(body)) {
      // It may wait for long: there is a limit of its own for these.
      leave();
      return answer(await this.#changes.fetch(caller, request, body));
    }
    const modern = request.headers.get('accept')?.includes('text/event-stream') ? this.#streaming : this.#plain;
    await answer(await modern.fetch(request, { parsedBody: body, authInfo: new Holder(caller) }));
  }

  #exchange({ req, res }: HttpRequest): Exchange {
    return webExchange(req, res, this.#house.limits.stalledMs);
  }
}

/** Clients of the later transport ask for a stream only with the id of their session. */
const opensSse = ({ headers }: IncomingMessage, plain: boolean): boolean =>
  headers['mcp-session-id'] === undefined &&
  (headers.accept?.includes('text/event-stream') === true || (plain && headers['sec-fetch-mode'] === undefined));

const methodOf = (message: unknown): unknown => Object(message).method;

/** Wants an answer; answers and notices about calls under way do not. */
const isRequest = (body: unknown): boolean =>
  [body].flat().some(message => methodOf(message) !== undefined && Object(message).id !== undefined);

/** For what needs the id of a session of the oldest transport. */
export const withoutSession = (): HttpRefusal =>
  new HttpRefusal(
    'message',
    'sessionId is missing. Open the stream first: its first event says where to send messages.',
  );
