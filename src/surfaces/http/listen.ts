// The HTTP server: connections, limits against slow and many senders, and why it could not listen.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../../errors.ts';
import { isTabwright } from '../client/running-servers.ts';
import { inUrl, isWildcard } from './auth/host-origin.ts';
import { type FrontLimits, HttpFront, type ServedApi } from './front.ts';
import { HttpRefusal, later, refuseConnection } from './refuse.ts';

export interface HttpLimits extends FrontLimits {
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
  messagesPerCaller: 64,
  calls: 256,
  subscriptions: 32,
  sessions: 256,
  sessionsPerCaller: 64,
  idle: 30 * 60_000,
  listening: 12 * 3_600_000,
  aliveMs: 15_000,
  stalledMs: 60_000,
  unreadBytes: 64 * 1024 * 1024,
  refusalsMs: 60_000,
  refusalKinds: 100,
  headersMs: 10_000,
  requestMs: 30_000,
  checkMs: 1_000,
  keepMs: 60_000,
  connections: 512,
};

/** Connections beyond the limit that are still told so; what comes on top is cut. */
const TOLD = 64;
/** How long, in ms, answers may take to leave at the end. */
const LEAVE_MS = 1_000;

export interface ListenAddress {
  host: string;
  port: number;
}

export interface Listening {
  /** Where MCP is served, such as http://127.0.0.1:9223/mcp. */
  url: string;
  /** Takes no new calls, and /health says so; what runs goes on. */
  stop(): void;
  /** Settles when the calls that run have ended, or after so many ms. */
  quiet(ms: number): Promise<void>;
  /** Ends every session and stream, then the connections. */
  end(): Promise<void>;
}

/** Rejects with the error of the system when the place cannot be had. */
export async function listen(place: ListenAddress, served: ServedApi, limits: HttpLimits = LIMITS): Promise<Listening> {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepMs,
  });
  const crowd = watchCrowd(server, limits.connections);
  const front = new HttpFront(served, limits, crowd.size);
  const answer: RequestListener = (req, res) => void front.answer(req, res, crowd.refusal(req.socket));
  server.on('request', answer);
  // A sender that asks before it sends its body is first looked at like any other.
  server.on('checkContinue', answer);
  server.on('clientError', (error, socket) => refuseBroken(front, error, socket));
  await open(server, place);
  const { address, port } = server.address() as AddressInfo;
  return {
    url: `${originOf(address, port)}/mcp`,
    stop: () => front.refuseNew(),
    quiet: ms => front.quiet(ms),
    async end() {
      server.close();
      await front.close(LEAVE_MS);
      server.closeAllConnections();
    },
  };
}

interface Crowd {
  size(): number;
  /** For a connection that is one too many. */
  refusal(socket: Duplex): HttpRefusal | undefined;
}

/** A connection beyond the limit gets an answer that says so, rather than none. */
function watchCrowd(server: Server, most: number): Crowd {
  const surplus = new WeakSet<Duplex>();
  let open = 0;
  server.maxConnections = most + TOLD;
  server.on('connection', socket => {
    open++;
    socket.once('close', () => open--);
    if (open <= most) return;
    surplus.add(socket);
    // Those that only wait for a next request make room.
    server.closeIdleConnections();
  });
  const tooMany = () =>
    later('connections', `There are ${most} connections, the most at once. Try again soon.`, 1, {
      connection: 'close',
    });
  return { size: () => open, refusal: socket => (surplus.has(socket) && open > most ? tooMany() : undefined) };
}

/** Too slow, too long, or no HTTP at all. */
function refuseBroken(front: HttpFront, { code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  const refusal = brokenBy(code);
  if (!refusal || !socket.writable) {
    socket.destroy();
    return;
  }
  if (front.interrupt(socket, refusal)) return;
  front.refused(refusal);
  refuseConnection(socket, refusal);
}

function brokenBy(code: string): HttpRefusal | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new HttpRefusal('slow', 'The request came too slowly. Send it at once.');
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpRefusal('headers', 'The headers are too long.');
  if (code === 'HPE_INVALID_EOF_STATE') return new HttpRefusal('message', 'The request ended early.');
  return code.startsWith('HPE_') ? new HttpRefusal('message', 'That is not HTTP.') : undefined;
}

/** A wildcard is no address to connect to; this machine's own is. */
function originOf(host: string, port: number): string {
  const own = host === '::' ? '::1' : '127.0.0.1';
  return `http://${inUrl(isWildcard(host) ? own : host)}:${port}`;
}

async function open(server: Server, place: ListenAddress): Promise<void> {
  server.listen(place.port, place.host);
  await once(server, 'listening');
}

/** Why listen() failed, for whoever chose the place by flags. */
export async function notListening(error: NodeJS.ErrnoException, { host, port }: ListenAddress): Promise<Failure> {
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
