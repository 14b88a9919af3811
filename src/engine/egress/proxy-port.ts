// ProxyPort: a proxy on two loopback TCP ports that windows send everything through, one for pages and one for WebSockets.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { addressOf, privateKind } from '../../policy/addresses.ts';
import type { UrlOrigin } from '../../policy/normalize-url.ts';
import { isLocalName } from '../../policy/url-rules.ts';
import type { Egress } from './egress.ts';
import { forward, MOST_HEADERS } from './forward.ts';
import type { Requester } from './outcomes.ts';
import { answerTunnel, type TunnelKind } from './tunnels.ts';

const HOST = '127.0.0.1';
/** Chrome has nothing to ask for by itself. */
const NO_WINDOW = 'only windows of sessions have a way out';
const ITSELF = 'no way to the proxy of the rules itself';

export class ProxyPort {
  readonly requester: Requester;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  /** Tunnels to hosts of which only some paths may be reached. */
  readonly #partlyOpen = new Set<Socket>();
  #pathsWatched = false;

  private constructor(
    readonly egress: Egress,
    session: string | undefined,
  ) {
    this.requester = session === undefined ? {} : { session };
  }

  static async open(egress: Egress, session?: string): Promise<ProxyPort> {
    const port = new ProxyPort(egress, session);
    await port.#listen('https');
    await port.#listen('socket');
    return port;
  }

  /** The proxy for pages. */
  get url(): string {
    return `http://${HOST}:${this.#tcpPorts[0]}`;
  }

  /** As Chrome takes it: what is not http or https, a WebSocket, goes to what it calls the socks proxy. */
  get proxyRules(): string {
    const [pages, sockets] = this.#tcpPorts;
    return `http=${HOST}:${pages};https=${HOST}:${pages};socks=http://${HOST}:${sockets}`;
  }

  /** Whether requests are judged by their path before they come here. Without that, hosts that are only partly open are shut. */
  get pathsWatched(): boolean {
    return this.#pathsWatched;
  }

  set pathsWatched(isWatched: boolean) {
    this.#pathsWatched = isWatched;
    if (!isWatched) for (const socket of this.#partlyOpen) socket.destroy();
  }

  /** The rule of the port itself that refuses the origin, whatever the url rules say. */
  refusal(origin: UrlOrigin): string | undefined {
    if (this.requester.session === undefined) return NO_WINDOW;
    return this.egress.tcpPorts.has(origin.port) && isThisMachine(origin) ? ITSELF : undefined;
  }

  /** Ends the tunnel when paths are watched no more. */
  trackPartlyOpen(client: Socket): void {
    this.#partlyOpen.add(client);
    client.once('close', () => this.#partlyOpen.delete(client));
  }

  async close(): Promise<void> {
    for (const port of this.#tcpPorts) this.egress.tcpPorts.delete(port);
    const closed = this.#servers.map(server => once(server.close(), 'close'));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  get #tcpPorts(): number[] {
    return this.#servers.map(server => (server.address() as AddressInfo | null)?.port ?? 0);
  }

  async #listen(kind: TunnelKind): Promise<void> {
    const server = createServer({ maxHeaderSize: MOST_HEADERS, requestTimeout: 0, keepAliveTimeout: 60_000 });
    server.on('connection', socket => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request, response) => {
      // A WebSocket comes as a tunnel, never as a plain request.
      if (kind === 'https') void forward(this, request, response);
      else response.writeHead(400).end();
    });
    server.on('connect', (request, client: Socket, head) => {
      if (head.length > 0) client.unshift(head);
      void answerTunnel(this, kind, request, client);
    });
    server.on('clientError', (_error, socket) => socket.destroy());
    server.listen(0, HOST);
    await once(server, 'listening');
    this.#servers.push(server);
    this.egress.tcpPorts.add((server.address() as AddressInfo).port);
  }
}

/** By any of the addresses and names of this machine, as far as they are known without a lookup. */
function isThisMachine({ host }: UrlOrigin): boolean {
  const address = addressOf(host);
  return isLocalName(host) || (address !== undefined && privateKind(address) !== undefined);
}
