// The HTTP server: paths, limits against slow and many senders, and why it could not listen.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../../config/log.ts';
import { Failure } from '../../errors.ts';
import type { Offer } from '../offer.ts';
import { isTabwright } from '../running.ts';
import { Endpoint, type EndpointLimits } from './endpoint.ts';
import { type Guard, inUrl, isWildcard } from './guard.ts';
import { internalFault, Refusal, refuse } from './refuse.ts';

export interface HttpLimits extends EndpointLimits {
  /** How long, in ms, a sender may take for the headers, and for all of its request. */
  headersMs: number;
  requestMs: number;
  /** How often, in ms, that is looked at. */
  checkMs: number;
  /** How long, in ms, a connection may stay open without a request. */
  keepMs: number;
  connections: number;
}

export const LIMITS: HttpLimits = {
  bodyBytes: 4 * 1024 * 1024,
  messages: 128,
  subscriptions: 32,
  sessions: 64,
  idle: 30 * 60_000,
  headersMs: 10_000,
  requestMs: 30_000,
  checkMs: 1_000,
  keepMs: 60_000,
  connections: 512,
};

export interface Place {
  host: string;
  port: number;
}

export interface Listening {
  /** Where MCP is served, such as http://127.0.0.1:9223/mcp. */
  url: string;
  /** Takes no new connections; those that are there go on. */
  stop(): void;
  /** Ends every session and stream, then the connections. */
  end(): Promise<void>;
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

interface Path {
  methods: readonly string[];
  /** Also without the token. */
  open?: true;
  serve: Handler;
}

type Paths = ReadonlyMap<string, Path>;

const HEALTH = `${JSON.stringify({ status: 'ok', name: 'tabwright' })}\n`;

export async function listen(
  place: Place,
  offer: Offer,
  guard: Guard,
  log: Log,
  limits: HttpLimits = LIMITS,
): Promise<Listening> {
  const endpoint = new Endpoint(offer, log, limits);
  const paths: Paths = new Map<string, Path>([
    ['/mcp', { methods: ['GET', 'POST', 'DELETE'], serve: (req, res) => endpoint.serve(req, res) }],
    ['/health', { methods: ['GET', 'HEAD'], open: true, serve: health }],
  ]);
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepMs,
  });
  server.maxConnections = limits.connections;
  const handle = answering(paths, guard, log);
  server.on('request', handle);
  // A sender that asks before it sends its body is first looked at like any other.
  server.on('checkContinue', handle);
  await open(server, place);
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `${originOf(address, port)}/mcp`,
    stop: () => void server.close(),
    async end() {
      await endpoint.close();
      server.closeAllConnections();
    },
  };
}

/** A fault in one request ends that request only. */
function answering(paths: Paths, guard: Guard, log: Log): Handler {
  const handle: Handler = async (req, res) => {
    guard.checkSender(req.headers);
    const name = req.url?.split('?', 1)[0] ?? '';
    const path = paths.get(name);
    if (!path) throw new Refusal(404, `There is nothing here. Paths: ${[...paths.keys()].join(', ')}.`);
    if (!path.methods.includes(req.method ?? ''))
      throw new Refusal(405, `${name} takes ${path.methods.join(', ')}.`, { allow: path.methods.join(', ') });
    if (!path.open) guard.checkToken(req.headers);
    await path.serve(req, res);
  };
  return async (req, res) => {
    try {
      await handle(req, res);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : internalFault();
      const line = `http: ${refusal.status} ${req.method} ${req.url?.slice(0, 80)}`;
      if (error instanceof Refusal) log.info(`${line}: ${refusal.message}`);
      else log.error(`${line}: ${error instanceof Error ? error.stack : String(error)}`);
      refuse(req, res, refusal);
    }
  };
}

function health(_req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(200, {
    'content-type': 'application/json',
    'content-length': HEALTH.length,
    'cache-control': 'no-store',
  });
  res.end(HEALTH);
}

/** A wildcard is no address to connect to; this machine's own is. */
function originOf(host: string, port: number): string {
  const own = host === '::' ? '::1' : '127.0.0.1';
  return `http://${inUrl(isWildcard(host) ? own : host)}:${port}`;
}

async function open(server: Server, place: Place): Promise<void> {
  try {
    server.listen(place.port, place.host);
    await once(server, 'listening');
  } catch (error) {
    throw await explain(error as NodeJS.ErrnoException, place);
  }
}

async function explain(error: NodeJS.ErrnoException, { host, port }: Place): Promise<Failure> {
  const failed = (message: string, hint: string) => new Failure('listen_failed', message, hint, { cause: error });
  const other = 'Choose another with --port; --port 0 takes any free one.';
  switch (error.code) {
    case 'EADDRINUSE':
      return (await isTabwright(new URL(`${originOf(host, port)}/health`)))
        ? failed(`Another Tabwright listens at port ${port} of ${host}.`, `Use that one. ${other}`)
        : failed(`Another program listens at port ${port} of ${host}.`, other);
    case 'EACCES':
      return failed(`Port ${port} of ${host} may not be used by this user.`, other);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return failed(`This machine has no address ${host}.`, 'Give --host one of its own addresses, such as 127.0.0.1.');
    default:
      return failed(`Listening at ${host}, port ${port}, failed: ${error.message}.`, 'Try another --host or --port.');
  }
}
