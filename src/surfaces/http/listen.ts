// The HTTP server: connections, limits against slow and many senders, and why it could not listen.
import { once } from 'node:events';
import { createServer, IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure } from '../../errors.ts';
import { ownPorts } from '../../policy/closed-places.ts';
import { isTabwright } from '../client/running-servers.ts';
import { originOf } from './auth/host-origin.ts';
import { HttpFront, type ServedApi } from './front.ts';
import { ConnectionLimiter } from './limiters.ts';
import { type HttpLimits, LIMITS } from './limits.ts';
import { HttpRefusal, refuseConnection } from './refuse.ts';

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

/** Rejects with the error of the system when it cannot listen at the address. */
export async function listen(at: ListenAddress, served: ServedApi, limits: HttpLimits = LIMITS): Promise<Listening> {
  let front: HttpFront | undefined;
  const server = createServer({
    IncomingMessage: leavingHttpAt(path => front?.opensSocket(path) ?? false),
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepMs,
  });
  const opened = new HttpFront(served, limits, new ConnectionLimiter(server, limits.connections));
  front = opened;
  const answer: RequestListener = (req, res) => void opened.answer(req, res);
  server.on('request', answer);
  // A sender that asks before it sends its body is admitted like any other.
  server.on('checkContinue', answer);
  server.on('upgrade', (req, socket, first) => {
    if (first.length > 0) socket.unshift(first);
    void opened.upgrade(req, socket);
  });
  server.on('clientError', (error, socket) => refuseBroken(opened, error, socket));
  server.listen(at.port, at.host);
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;
  ownPorts.add(port);
  return {
    url: `${originOf(ownAddress(address), port)}/mcp`,
    stop: () => opened.refuseNew(),
    quiet: ms => opened.quiet(ms),
    async end() {
      ownPorts.delete(port);
      server.close();
      await opened.close(LEAVE_MS);
      server.closeAllConnections();
    },
  };
}

/**
 * Requests that leave HTTP at the paths of WebSockets only. Node hands every offer of another protocol to whoever listens
 * for upgrades; some clients offer HTTP/2 with each request, and are served as if they had not.
 */
function leavingHttpAt(isSocket: (path: string) => boolean): typeof IncomingMessage {
  return class extends IncomingMessage {
    declare offered: boolean;

    get upgrade(): boolean {
      const isWebSocket = this.headers.upgrade?.toLowerCase() === 'websocket';
      return this.offered && isWebSocket && isSocket(this.url?.split('?', 1)[0] ?? '');
    }

    set upgrade(offered: boolean) {
      this.offered = offered;
    }
  };
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

/** Of all addresses of IPv6, the one of this machine. */
const ownAddress = (host: string): string => (host === '::' ? '::1' : host);

/** Why listen() failed, for whoever chose the address by flags. */
export async function notListening(error: NodeJS.ErrnoException, { host, port }: ListenAddress): Promise<Failure> {
  const failed = (message: string, hint: string) => new Failure('listen_failed', message, hint, { cause: error });
  const other = 'Choose another with --port; --port 0 takes any free one.';
  switch (error.code) {
    case 'EADDRINUSE':
      return (await isTabwright(new URL('/health', originOf(ownAddress(host), port))))
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
