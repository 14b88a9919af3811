// The front of the HTTP server: each request is admitted, served by its route, and logged with how it ended.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { switchingTo } from '../../cdp/websocket-server.ts';
import { healthProof } from '../client/running-servers.ts';
import type { McpServerConfig } from '../mcp/server-config.ts';
import { type AdmissionDeps, type Admitted, type ArrivedRequest, admit } from './admission.ts';
import type { HostOriginCheck } from './auth/host-origin.ts';
import type { TokenStore } from './auth/token-store.ts';
import { CallLimiter, type ConnectionLimiter, RequestLimiter } from './limiters.ts';
import type { HttpLimits } from './limits.ts';
import { McpEndpoint, type SharedDeps } from './mcp/endpoint.ts';
import { McpSessions, type SessionHooks } from './mcp/mcp-sessions.ts';
import type { Gauges } from './metrics/prometheus.ts';
import { HttpRequestLog, type RequestOutputs } from './metrics/request-log.ts';
import { OpenRequests } from './open-requests.ts';
import { HttpRefusal, internalFault, refuse, refuseConnection } from './refuse.ts';
import { type HttpRequest, type Route, type RouteGroup, RouteTable, type SocketRoute } from './routes.ts';
import { sendWhole } from './web.ts';

/** What is served, to whom, and what is recorded. */
export interface ServedApi extends RequestOutputs {
  /** At /mcp. */
  mcp: McpServerConfig;
  /** At /mcp/NAME, each made with its first request. */
  dialects?: Readonly<Record<string, () => Promise<McpServerConfig>>>;
  /** APIs beside MCP. */
  routeGroups?: readonly RouteGroup[];
  checkHostOrigin: HostOriginCheck;
  tokens: TokenStore;
  sessionHooks?: SessionHooks;
  /** By which /health proves to a client of this machine that it is this server. */
  healthKey?: string;
  /** The paths that there are; all when left out. */
  only?: readonly string[];
  /** A plain GET opens a stream of the oldest transport. */
  plainStreams?: boolean;
  /** What the browser side has open. */
  state?: () => Pick<Gauges, 'sessions' | 'browsers'>;
}

type Asked = Pick<HttpRequest, 'req' | 'res' | 'path' | 'query' | 'signal'>;

const OTHER = 'other';
const NONCE = /^[0-9a-f]{32,64}$/;
const MCP_METHODS = ['GET', 'POST', 'DELETE'] as const;

/** The status of a request whose sender went before it was answered, as proxies log it. */
const GONE = 499;

export class HttpFront {
  readonly #served: ServedApi;
  readonly #deps: AdmissionDeps & SharedDeps;
  readonly #requestLog: HttpRequestLog;
  readonly #endpoints = new Map<string, Promise<McpEndpoint>>();
  /** The routes of this server; all paths that belong to no group are theirs. */
  readonly #own: RouteTable;
  readonly #groups: readonly RouteTable[];
  /** The paths that the log and the metrics name, in the order in which a person would try them. */
  readonly #names: readonly string[];
  /** The WebSockets that are open. */
  readonly #sockets = new Set<Duplex>();
  /** The running request of a connection: how to refuse it. */
  readonly #current = new WeakMap<Duplex, (refusal: HttpRefusal) => void>();

  constructor(served: ServedApi, limits: HttpLimits, connections: ConnectionLimiter) {
    const { log, tokens, checkHostOrigin, plainStreams = false, routeGroups = [] } = served;
    const sessions = new McpSessions(log, limits, served.sessionHooks);
    this.#served = served;
    this.#deps = {
      log,
      limits,
      connections,
      checkHostOrigin,
      tokens,
      open: new OpenRequests(tokens, () => sessions.endUnknown(caller => tokens.knows(caller))),
      reading: new RequestLimiter(limits),
      requests: new RequestLimiter(limits),
      calls: new CallLimiter(limits.calls),
      sessions,
      plainStreams,
    };
    this.#requestLog = new HttpRequestLog(served, limits);
    const routes = this.#ownRoutes().filter(({ path }) => served.only?.includes(path) ?? true);
    this.#names = [...routes.map(({ path }) => path), ...routeGroups.flatMap(({ under }) => under)];
    this.#own = new RouteTable({
      under: [],
      routes: () => (served.dialects ? [...routes, this.#unknownDialect()] : routes),
      refusal: ({ form }) => form,
      help: `Paths: ${this.#names.join(', ')}.`,
    });
    this.#groups = routeGroups.map(group => new RouteTable(group));
  }

  /** A fault in one request ends that request only. */
  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (req.url ?? '').split('?', 2);
    const arrived: ArrivedRequest = { req, res, path, table: this.#tableOf(path) };
    const began = performance.now();
    let refused: HttpRefusal | undefined;
    const end = (refusal: HttpRefusal) => {
      // A response that has begun is not a refusal any more.
      if (!res.headersSent) refused = refusal;
      refuse(req, res, refusal, arrived.table.group.refusal(refusal));
    };
    const gone = new AbortController();
    this.#current.set(req.socket, end);
    res.once('close', () => {
      if (!res.writableFinished) gone.abort();
      if (this.#current.get(req.socket) === end) this.#current.delete(req.socket);
      this.#log(arrived, refused, Math.round(performance.now() - began));
    });
    try {
      const admitted = await admit(this.#deps, arrived);
      const asked = { req, res, path, query: new URLSearchParams(query), signal: gone.signal };
      if (admitted) await this.#serve(admitted, asked);
    } catch (error) {
      end(this.#refusalOf(error, req));
    }
  }

  /** Whether a WebSocket may be opened at that path; to other paths, an offer to change the protocol is none. */
  opensSocket(path: string): boolean {
    return this.#socketAt(path) !== undefined;
  }

  /** Opens a WebSocket, for a page that is known and by a login that is good. */
  async upgrade(req: IncomingMessage, socket: Duplex): Promise<void> {
    // A connection that breaks is reported by its close event.
    socket.on('error', () => socket.destroy());
    const { connections, checkHostOrigin, open, calls } = this.#deps;
    try {
      connections.check(socket);
      checkHostOrigin(req.headers);
      const { 'sec-websocket-key': key, origin } = req.headers;
      if (origin === undefined) throw new HttpRefusal('origin', 'A WebSocket needs the Origin header of its page.');
      if (key === undefined) throw new HttpRefusal('message', 'That is no handshake of a WebSocket.');
      calls.checkOpen();
      await open.refresh();
      const route = this.#socketAt(req.url?.split('?', 1)[0] ?? '');
      if (!route) throw new HttpRefusal('path', 'There is no WebSocket here.');
      const grant = route.admits(req.headers);
      open.add(socket, grant);
      this.#sockets.add(socket.once('close', () => this.#sockets.delete(socket)));
      await route.open(socket, grant, () => socket.write(switchingTo(key)));
    } catch (error) {
      const refusal = this.#refusalOf(error, req);
      this.refused(refusal);
      refuseConnection(socket, refusal);
    }
  }

  #socketAt(path: string): SocketRoute | undefined {
    return this.#groups.flatMap(({ group }) => group.sockets ?? []).find(route => route.path === path);
  }

  /** Refuses the running request of a connection; false when there is none. */
  interrupt(socket: Duplex, refusal: HttpRefusal): boolean {
    const end = this.#current.get(socket);
    this.#current.delete(socket);
    end?.(refusal);
    return end !== undefined;
  }

  /** Logs a refusal of what never became a request. */
  refused(refusal: HttpRefusal): void {
    this.#requestLog.add({ method: OTHER, path: OTHER, status: refusal.status, ms: 0, refusal });
  }

  /** From here on no call begins; those that run go on. */
  refuseNew(): void {
    this.#deps.calls.refuseNew();
  }

  /** Settles when the running calls have ended and are answered, or after so many ms. */
  async quiet(ms: number): Promise<void> {
    const until = performance.now() + ms;
    await this.#deps.calls.idle(ms);
    await this.#deps.requests.idle(Math.max(0, until - performance.now()));
    this.#requestLog.close();
  }

  /** Ends sessions and streams; responses have so many ms to leave. */
  async close(ms: number): Promise<void> {
    await this.#deps.requests.idle(ms);
    for (const socket of this.#sockets) socket.destroy();
    const endpoints = await Promise.all(this.#endpoints.values());
    await Promise.all([...endpoints, this.#deps.sessions].map(part => part.close()));
    await this.#deps.open.settled(ms);
  }

  #tableOf(path: string): RouteTable {
    const matching = this.#groups.filter(group => group.prefixOf(path) > 0);
    return matching.sort((a, b) => b.prefixOf(path) - a.prefixOf(path))[0] ?? this.#own;
  }

  async #serve({ route, params, grant, body, release }: Admitted, asked: Asked): Promise<void> {
    const { res, signal } = asked;
    const { caller } = grant;
    const { limits, calls } = this.#deps;
    const send: HttpRequest['send'] = (status, content, headers) => {
      const all = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...headers };
      if (!res.closed) sendWhole(res, status, all, content, limits.stalledMs);
    };
    const json: HttpRequest['json'] = (status, value, headers) =>
      send(status, `${JSON.stringify(value)}\n`, { 'content-type': 'application/json', ...headers });
    const run: HttpRequest['run'] = async call => {
      if (route.open) throw new Error(`${route.path} is open to all and may run no calls`);
      return calls.run({ ...call, caller, signal }, this.#served.mcp.run);
    };
    try {
      await route.serve({ ...asked, params, caller, grant, body, release, run, json, send });
    } finally {
      release();
    }
  }

  #ownRoutes(): Route[] {
    const { mcp, dialects = {} } = this.#served;
    const main = new McpEndpoint(mcp, this.#deps);
    this.#endpoints.set(mcp.dialect ?? 'native', Promise.resolve(main));
    return [
      { kind: 'mcp', method: MCP_METHODS, path: '/mcp', serve: request => main.serve(request) },
      ...Object.entries(dialects).map(
        ([name, make]): Route => ({
          kind: 'mcp',
          method: MCP_METHODS,
          path: `/mcp/${name}`,
          serve: async request => (await this.#endpoint(name, make)).serve(request),
        }),
      ),
      { kind: 'mcp', method: ['GET'], path: '/sse', serve: request => main.openSse(request, '/messages') },
      { kind: 'mcp', method: 'POST', path: '/messages', serve: request => main.postMessage(request) },
      { kind: 'status', method: 'GET', path: '/metrics', serve: request => this.#metrics(request) },
      { kind: 'status', method: 'GET', path: '/health', open: true, serve: request => this.#health(request) },
    ];
  }

  #endpoint(dialect: string, make: () => Promise<McpServerConfig>): Promise<McpEndpoint> {
    const known = this.#endpoints.get(dialect);
    if (known) return known;
    const made = make().then(config => new McpEndpoint(config, this.#deps));
    this.#endpoints.set(dialect, made);
    // Another request may try again.
    made.catch(() => this.#endpoints.delete(dialect));
    return made;
  }

  /** Which dialects there are is told only to those who have a token. */
  #unknownDialect(): Route {
    const names = Object.keys(this.#served.dialects ?? {}).join(', ');
    return {
      kind: 'mcp',
      method: MCP_METHODS,
      path: '/mcp/:dialect',
      serve() {
        throw new HttpRefusal('dialect', `There is no such dialect. /mcp/NAME takes ${names}.`);
      },
    };
  }

  #health({ json, query }: HttpRequest): void {
    const { isEnding } = this.#deps.calls;
    const { healthKey } = this.#served;
    const nonce = query.get('nonce');
    const isAsked = healthKey !== undefined && nonce !== null && NONCE.test(nonce);
    json(isEnding ? 503 : 200, {
      status: isEnding ? 'ending' : 'ok',
      name: 'tabwright',
      ...(isAsked && { proof: healthProof(healthKey, nonce) }),
    });
  }

  async #metrics({ send }: HttpRequest): Promise<void> {
    const { metrics, state, mcp } = this.#served;
    if (!metrics) throw new HttpRefusal('path', 'Nothing is counted here.');
    const { sessions, calls, connections } = this.#deps;
    const { contentType, text } = await metrics.page({
      ...(state?.() ?? { sessions: 0, browsers: 0 }),
      runningCalls: calls.count,
      connections: connections.count,
      protocolSessions: { streamable: sessions.count('streamable'), sse: sessions.count('sse') },
      version: mcp.version,
    });
    send(200, text, { 'content-type': contentType });
  }

  #refusalOf(error: unknown, { method, url }: IncomingMessage): HttpRefusal {
    if (error instanceof HttpRefusal) return error;
    const fault = error instanceof Error ? error.stack : String(error);
    this.#served.log.error(`http: ${method} ${url?.split('?', 1)[0]?.slice(0, 80)}: ${fault}`);
    return internalFault();
  }

  #log({ req, res, path, table, route, caller }: ArrivedRequest, refusal: HttpRefusal | undefined, ms: number): void {
    // What stands for the parameters of a route is the sender's choice, so the log names the route.
    const known = table === this.#own ? OTHER : (route?.path ?? OTHER);
    this.#requestLog.add({
      method: req.method ?? '',
      path: this.#names.includes(path) ? path : known,
      status: res.headersSent ? res.statusCode : GONE,
      ms,
      caller: caller?.id ?? refusal?.caller,
      refusal,
    });
  }
}
