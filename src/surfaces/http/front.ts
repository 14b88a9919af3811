// The front of the HTTP server: each request, past the guard and the keys, to its path; and how every one ended.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../config/log.ts';
import type { JournalRefusal } from '../../session/journal.ts';
import type { McpServerConfig } from '../mcp/server-config.ts';
import type { HostOriginCheck } from './auth/host-origin.ts';
import type { TokenStore } from './auth/token-store.ts';
import { type HttpRequest, OpenRequests } from './http-request.ts';
import { CallLimiter, RequestLimiter, type RequestLimits } from './limiters.ts';
import { type EndpointLimits, McpEndpoint, type SharedDeps, withoutSession } from './mcp/endpoint.ts';
import { McpSessions, type SessionHooks, type SessionLimits } from './mcp/mcp-sessions.ts';
import type { Gauges } from './metrics/prometheus.ts';
import { HttpRequestLog, type RequestLogLimits } from './metrics/request-log.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import { HttpRefusal, internalFault, refuse } from './refuse.ts';
import { MountedRoutes, mountOf, type RouteGroup, type RouteMatch, serveRoute, wrongMethod } from './route-group.ts';

export interface FrontLimits extends EndpointLimits, RequestLimits, SessionLimits, RequestLogLimits {
  /** Calls that run at once, also of clients that are gone. */
  calls: number;
}

/** What is served, to whom, and who is told. */
export interface ServedApi {
  /** At /mcp. */
  offer: McpServerConfig;
  /** At /mcp/NAME, each made when it is first asked for. */
  dialects?: Readonly<Record<string, () => Promise<McpServerConfig>>>;
  /** APIs beside MCP. */
  mounts?: readonly RouteGroup[];
  guard: HostOriginCheck;
  keys: TokenStore;
  log: Log;
  /** Told of what is refused. */
  journal?: { write(refusal: JournalRefusal): void };
  metrics?: ServerMetrics;
  /** Who hears of the protocol sessions. */
  lobby?: SessionHooks;
  /** The paths that there are; all when left out. */
  only?: readonly string[];
  /** A plain GET opens a stream of the oldest transport. */
  plainStreams?: boolean;
  /** What the browser side has open. */
  state?: () => Pick<Gauges, 'sessions' | 'browsers'>;
}

interface Path {
  methods: readonly string[];
  /** Also without a token. */
  open?: true;
  serve(visit: HttpRequest): void | Promise<void>;
}

/** How a request ended, before it is told. */
interface Course {
  path: string;
  caller?: string;
  refusal?: HttpRefusal;
}

const OTHER = 'other';
const MCP = { methods: ['GET', 'POST', 'DELETE'] };

/** The status of a request whose sender went before it was answered, as proxies log it. */
const GONE = 499;

export class HttpFront {
  readonly #served: ServedApi;
  readonly #house: SharedDeps;
  readonly #visits: OpenRequests;
  readonly #watch: HttpRequestLog;
  readonly #endpoints = new Map<string, Promise<McpEndpoint>>();
  readonly #paths: ReadonlyMap<string, Path>;
  readonly #mounts: readonly MountedRoutes[];
  /** Every path by name, in the order in which a person would try them. */
  readonly #names: readonly string[];
  readonly #connections: () => number;
  /** What a connection is busy with. */
  readonly #current = new WeakMap<Duplex, (refusal: HttpRefusal) => void>();

  constructor(served: ServedApi, limits: FrontLimits, connections: () => number) {
    const { log, offer, keys, metrics, journal, lobby, only, plainStreams = false } = served;
    const sessions = new McpSessions(log, limits, lobby);
    this.#served = served;
    this.#connections = connections;
    const busy = new CallLimiter(limits.calls);
    this.#house = {
      log,
      limits,
      sessions,
      reading: new RequestLimiter(limits),
      load: new RequestLimiter(limits),
      busy,
      plainStreams,
    };
    this.#visits = new OpenRequests(keys, () => sessions.sweep(caller => keys.knows(caller)));
    this.#watch = new HttpRequestLog(log, metrics, refusal => journal?.write(refusal), limits);
    const main = new McpEndpoint(offer, this.#house);
    this.#endpoints.set(offer.dialect ?? 'native', Promise.resolve(main));
    const paths: [string, Path][] = [
      ['/mcp', { ...MCP, serve: visit => main.serve(visit) }],
      ['/sse', { methods: ['GET'], serve: visit => main.openSse(visit, '/messages') }],
      ['/messages', { methods: ['POST'], serve: visit => this.#postMessage(main, visit) }],
      ['/metrics', { methods: ['GET', 'HEAD'], serve: visit => this.#metrics(visit) }],
      ['/health', { methods: ['GET', 'HEAD'], open: true, serve: visit => this.#health(visit) }],
    ];
    this.#paths = new Map(paths.filter(([name]) => only?.includes(name) ?? true));
    const dialects = Object.keys(served.dialects ?? {}).map(name => `/mcp/${name}`);
    this.#mounts = (served.mounts ?? []).map(mount => new MountedRoutes(mount));
    const mounted = this.#mounts.flatMap(({ mount }) => mount.under);
    this.#names = ['/mcp', ...dialects, ...[...this.#paths.keys()].slice(1), ...mounted];
  }

  /** A fault in one request ends that request only. */
  async answer(req: IncomingMessage, res: ServerResponse, first?: HttpRefusal): Promise<void> {
    const [name = '', query = ''] = (req.url ?? '').split('?', 2);
    const mounted = mountOf(this.#mounts, name);
    const course: Course = { path: this.#names.includes(name) ? name : OTHER };
    const began = performance.now();
    const end = (refusal: HttpRefusal) => {
      // What the answer says already counts.
      if (!res.headersSent) course.refusal = refusal;
      refuse(req, res, refusal, mounted && `${JSON.stringify(mounted.mount.refusal(refusal))}\n`);
    };
    this.#current.set(req.socket, end);
    res.once('close', () => {
      if (this.#current.get(req.socket) === end) this.#current.delete(req.socket);
      this.#tell(req, res, course, Math.round(performance.now() - began));
    });
    try {
      if (first) throw first;
      await this.#serve({ req, res, path: name, query: new URLSearchParams(query) }, mounted, course);
    } catch (error) {
      end(this.#refusalOf(error, req));
    }
  }

  /** Ends what a connection is busy with; false when that is nothing. */
  interrupt(socket: Duplex, refusal: HttpRefusal): boolean {
    const end = this.#current.get(socket);
    this.#current.delete(socket);
    end?.(refusal);
    return end !== undefined;
  }

  /** Something that never became a request. */
  refused(refusal: HttpRefusal): void {
    this.#watch.saw({ method: OTHER, path: OTHER, status: refusal.status, ms: 0, refusal });
  }

  /** From here on no call begins; those that run go on. */
  refuseNew(): void {
    this.#house.busy.refuseNew();
  }

  /** Settles when the running calls have ended and are answered, or the time is over. */
  async quiet(ms: number): Promise<void> {
    const until = performance.now() + ms;
    await this.#house.busy.quiet(ms);
    await this.#house.load.empty(Math.max(0, until - performance.now()));
    this.#watch.close();
  }

  /** Ends sessions and streams; answers have so many ms to leave. */
  async close(ms: number): Promise<void> {
    await this.#house.load.empty(ms);
    const endpoints = await Promise.all(this.#endpoints.values());
    await Promise.all([...endpoints, this.#house.sessions].map(part => part.close()));
    await this.#visits.settled(ms);
  }

  async #serve(asked: Omit<HttpRequest, 'caller'>, mounted: MountedRoutes | undefined, course: Course): Promise<void> {
    const { req, res } = asked;
    this.#served.guard(req.headers);
    const path = await this.#pathOf(asked, mounted, course);
    const caller = path.open ? undefined : await this.#visits.enter(req, res);
    if (caller) course.caller = caller.id;
    if (res.closed) return;
    await path.serve({ ...asked, caller: caller ?? { id: 'unknown' } });
  }

  async #pathOf(
    { req, path: name }: Omit<HttpRequest, 'caller'>,
    mounted: MountedRoutes | undefined,
    course: Course,
  ): Promise<Path> {
    const method = req.method ?? '';
    if (mounted) return this.#mountedPath(await mounted.match(method, name), course);
    const path = this.#paths.get(name) ?? this.#dialectPath(name);
    if (!path) throw new HttpRefusal('path', `There is nothing here. Paths: ${this.#names.join(', ')}.`);
    if (!path.methods.includes(method)) throw wrongMethod(name, path.methods);
    return path;
  }

  #mountedPath(match: RouteMatch, course: Course): Path {
    const { path, method, open } = match.route;
    // What stands for the parameters is in the hands of the sender.
    course.path = path;
    return {
      methods: [method],
      ...(open && { open }),
      serve: visit => serveRoute(match, visit, this.#house, this.#served.offer.run),
    };
  }

  /** Whether it is there is told only to those who may come in. */
  #dialectPath(name: string): Path | undefined {
    const [, dialect] = /^\/mcp\/([^/]+)$/.exec(name) ?? [];
    if (dialect === undefined || !this.#served.dialects) return undefined;
    return { ...MCP, serve: async visit => (await this.#endpoint(dialect)).serve(visit) };
  }

  #endpoint(dialect: string): Promise<McpEndpoint> {
    const { dialects = {} } = this.#served;
    const known = this.#endpoints.get(dialect);
    if (known) return known;
    const make = Object.hasOwn(dialects, dialect) ? dialects[dialect] : undefined;
    if (!make)
      throw new HttpRefusal(
        'dialect',
        `There is no such dialect. /mcp/NAME takes ${Object.keys(dialects).join(', ')}.`,
      );
    const made = make().then(offer => new McpEndpoint(offer, this.#house));
    this.#endpoints.set(dialect, made);
    // Another request may try again.
    made.catch(() => this.#endpoints.delete(dialect));
    return made;
  }

  #postMessage(main: McpEndpoint, visit: HttpRequest): Promise<void> {
    if (!visit.query.has('sessionId')) throw withoutSession();
    return main.post(visit);
  }

  #health({ res }: HttpRequest): void {
    const { isEnding } = this.#house.busy;
    const status = isEnding ? 'ending' : 'ok';
    send(res, isEnding ? 503 : 200, 'application/json', `${JSON.stringify({ status, name: 'tabwright' })}\n`);
  }

  async #metrics({ res }: HttpRequest): Promise<void> {
    const { metrics, state, offer } = this.#served;
    if (!metrics) throw new HttpRefusal('path', 'Nothing is counted here.');
    const { sessions, busy } = this.#house;
    const { contentType, text } = await metrics.page({
      ...(state?.() ?? { sessions: 0, browsers: 0 }),
      runningCalls: busy.running,
      connections: this.#connections(),
      protocolSessions: { streamable: sessions.count('streamable'), sse: sessions.count('sse') },
      version: offer.version,
    });
    send(res, 200, contentType, text);
  }

  #refusalOf(error: unknown, { method, url }: IncomingMessage): HttpRefusal {
    if (error instanceof HttpRefusal) return error;
    const fault = error instanceof Error ? error.stack : String(error);
    this.#served.log.error(`http: ${method} ${url?.split('?', 1)[0]?.slice(0, 80)}: ${fault}`);
    return internalFault();
  }

  #tell({ method = '' }: IncomingMessage, res: ServerResponse, { path, caller, refusal }: Course, ms: number): void {
    const status = res.headersSent ? res.statusCode : GONE;
    this.#watch.saw({ method, path, status, ms, caller: caller ?? refusal?.caller, refusal });
  }
}

function send(res: ServerResponse, status: number, type: string, text: string): void {
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  res.end(text);
}
