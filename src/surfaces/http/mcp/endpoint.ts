// One endpoint, such as /mcp: one address for every revision of the protocol and each of its transports.
import type { IncomingMessage } from 'node:http';
import {
  type AuthInfo,
  type CreateMcpHandlerOptions,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  type McpHttpHandler,
  parseJSONRPCMessage,
  type Server,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport as StreamableTransport,
} from '@modelcontextprotocol/server';
import type { Log } from '../../../config/log.ts';
import type { Caller } from '../../../session/server.ts';
import { changesFor, protocolServer } from '../../mcp/server.ts';
import type { McpServerConfig } from '../../mcp/server-config.ts';
import type { CallLimiter } from '../limiters.ts';
import type { HttpLimits } from '../limits.ts';
import { HttpRefusal } from '../refuse.ts';
import type { HttpRequest } from '../routes.ts';
import { sendWeb, webRequest } from '../web.ts';
import type { McpSession, McpSessions } from './mcp-sessions.ts';
import { SseTransport } from './sse.ts';

/** What all endpoints of a server share. */
export interface SharedDeps {
  log: Log;
  limits: HttpLimits;
  sessions: McpSessions;
  calls: CallLimiter;
  /** A client that is no browser opens a stream of the oldest transport by a plain GET, whatever it says to accept. */
  plainStreams: boolean;
}

/** The caller in the form in which the SDK passes it on. The token is not passed on. */
const infoOf = (caller: Caller): AuthInfo => ({ token: '', scopes: [], clientId: caller.id, extra: { caller } });

/** How many callers can have as many streams of changes as they may before there is no more room. */
const SHARES = 4;

interface Connection {
  transport: StreamableTransport;
  connected: Promise<void>;
}

export class McpEndpoint {
  readonly #config: McpServerConfig;
  readonly #deps: SharedDeps;
  readonly #options: CreateMcpHandlerOptions;
  /** From 2026-07-28 on: for clients that take a stream of events, and for those that take only JSON. */
  readonly #streaming: McpHttpHandler;
  readonly #plain: McpHttpHandler;
  /** Streams of changes, each with a handler and its caller's id: one handler for all would send everybody's changes to each. */
  readonly #changes = new Map<McpHttpHandler, string>();
  readonly #streamable = new WeakMap<Server, Connection>();
  readonly #sse = new WeakMap<McpSession, SseTransport>();

  constructor(config: McpServerConfig, deps: SharedDeps) {
    const { log, limits, calls } = deps;
    this.#config = { ...config, run: call => calls.run(call, config.run) };
    this.#deps = deps;
    this.#options = {
      legacy: 'reject',
      keepAliveMs: limits.aliveMs,
      onerror: error => log.warn(`http: ${error.message}`),
    };
    const build = ({ authInfo }: { authInfo?: AuthInfo }) => this.#build(authInfo?.extra?.caller as Caller);
    // A stream shows at once that a long call lives, also through proxies.
    this.#streaming = createMcpHandler(build, { ...this.#options, responseMode: 'sse' });
    this.#plain = createMcpHandler(build, this.#options);
  }

  /** Each revision and transport has its own form of request. */
  async serve(request: HttpRequest): Promise<void> {
    const { req, path, query, body } = request;
    if (req.method === 'GET' && opensSse(req, this.#deps.plainStreams)) return this.openSse(request, path);
    if (req.method === 'POST' && query.has('sessionId')) return this.postMessage(request);
    const web = webRequest(request);
    if (req.method !== 'POST' || (await isLegacyRequest(web, body))) return this.#serveStreamable(request, web);
    const handler = web.headers.get('accept')?.includes('text/event-stream') ? this.#streaming : this.#plain;
    const response = isSubscription(body)
      ? this.#subscribe(request, web)
      : handler.fetch(web, { parsedBody: body, authInfo: infoOf(request.caller) });
    await sendWeb(request, await response, this.#deps.limits.stalledMs);
  }

  /** Opens the stream of the oldest transport; its client posts messages to that path. Settles with the end of the stream. */
  async openSse({ res, caller }: HttpRequest, path: string): Promise<void> {
    const { sessions, limits } = this.#deps;
    const session = sessions.open(caller, (_id, as) => ({
      kind: 'sse',
      endpoint: this,
      server: this.#build(as),
      isOpen: () => true,
    }));
    const transport = new SseTransport(session.id, path, res, limits);
    this.#sse.set(session, transport);
    const release = sessions.hold(session, 'streams');
    const closed = new Promise(resolve => res.once('close', resolve));
    await session.server.connect(transport);
    // Until its first message it counts as idle.
    sessions.hold(session, 'messages')();
    await closed;
    release();
  }

  /** A message of the oldest transport. Settles when it needs no more care; its response says only that it came. */
  async postMessage({ res, caller, query, body }: HttpRequest): Promise<void> {
    const id = query.get('sessionId');
    const hint = 'Open the stream first: its first event says where to send messages.';
    if (id === null) throw new HttpRefusal('message', `sessionId is missing. ${hint}`);
    const { sessions } = this.#deps;
    const session = sessions.find(id, caller, this, 'sse');
    const message = messageIn(body);
    const release = sessions.hold(session, 'messages');
    try {
      const received = this.#sse.get(session)!.receive(message);
      res.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
      await received;
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#streaming, this.#plain, ...this.#changes.keys()].map(handler => handler.close()));
  }

  #build(caller: Caller): Server {
    return protocolServer(this.#config, caller);
  }

  /** Streamable HTTP before 2026-07-28: a session that begins with a handshake and is known by its id. */
  async #serveStreamable(request: HttpRequest, web: Request): Promise<void> {
    const { sessions, limits } = this.#deps;
    const session = this.#findStreamable(request, web.headers.get('mcp-session-id'));
    const release = sessions.hold(session, web.method === 'GET' ? 'streams' : 'messages');
    try {
      const { transport, connected } = this.#streamable.get(session.server)!;
      await connected;
      await sendWeb(request, await transport.handleRequest(web, { parsedBody: request.body }), limits.stalledMs);
    } finally {
      release();
    }
  }

  #findStreamable({ caller, body }: HttpRequest, id: string | null): McpSession {
    const { sessions } = this.#deps;
    if (id) return sessions.find(id, caller, this, 'streamable');
    const hint = 'Send an initialize request first, then the id that its answer carries.';
    if (!isInitializeRequest(body)) throw new HttpRefusal('message', `Mcp-Session-Id is missing. ${hint}`);
    return sessions.open(caller, (newId, as) => {
      const transport = new StreamableTransport({ sessionIdGenerator: () => newId });
      const server = this.#build(as);
      this.#streamable.set(server, { transport, connected: server.connect(transport) });
      return { kind: 'streamable', endpoint: this, server, isOpen: () => transport.sessionId !== undefined };
    });
  }

  /** A stream of the caller's changes. It may wait for long: there is a limit of its own for these. */
  #subscribe({ caller, body, release }: HttpRequest, web: Request): Promise<Response> {
    release();
    const changes = changesFor(this.#config, caller);
    const bus: ServerEventBus = {
      publish: event => changes.publish(event),
      subscribe: listener => {
        this.#changes.set(handler, caller.id);
        const end = changes.subscribe(listener);
        return () => {
          end();
          this.#changes.delete(handler);
        };
      },
    };
    const maxSubscriptions = this.#hasRoom(caller) ? 1 : 0;
    const handler = createMcpHandler(() => this.#build(caller), { ...this.#options, bus, maxSubscriptions });
    return handler.fetch(web, { parsedBody: body });
  }

  #hasRoom({ id }: Caller): boolean {
    const most = this.#deps.limits.subscriptions;
    const own = [...this.#changes.values()].filter(other => other === id).length;
    return this.#changes.size < most && own < Math.ceil(most / SHARES);
  }
}

const isSubscription = (body: unknown): boolean => Object(body).method === 'subscriptions/listen';

function messageIn(body: unknown): ReturnType<typeof parseJSONRPCMessage> {
  try {
    return parseJSONRPCMessage(body);
  } catch {
    throw new HttpRefusal('message', 'The body must be one JSON-RPC message.');
  }
}

/** Clients of the later transport ask for a stream only with the id of their session. */
const opensSse = ({ headers }: IncomingMessage, plain: boolean): boolean =>
  headers['mcp-session-id'] === undefined &&
  (headers.accept?.includes('text/event-stream') === true || (plain && headers['sec-fetch-mode'] === undefined));
