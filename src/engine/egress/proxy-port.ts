// Door: two ports on loopback that the browser sends everything through, one for pages and one for WebSockets.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { addressOf, privateKind } from '../../policy/addresses.ts';
import type { UrlOrigin } from '../../policy/normalize-url.ts';
import { isLocalName } from '../../policy/url-rules.ts';
import { forward, MOST_HEADERS } from './forward.ts';
import type { ProxyContext, ProxyRules } from './proxy-context.ts';
import { answerTunnel, type TunnelKind } from './tunnels.ts';

const HOST = '127.0.0.1';
/** Chrome has nothing to ask for by itself. */
const NO_WINDOW = 'only windows of sessions have a way out';
const ITSELF = 'no way to the proxy of the rules itself';

export class ProxyPort {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #partly = new Set<Socket>();
  readonly #around: ProxyRules;
  readonly #way: ProxyContext;
  #guarded = false;

  constructor(around: ProxyRules, session: string | undefined) {
    this.#around = around;
    this.#way = {
      ...around,
      requester: session === undefined ? {} : { session },
      arePathsWatched: () => this.#guarded,
      portRule(place) {
        if (session === undefined) return NO_WINDOW;
        return around.ports.has(place.port) && leadsHere(place) ? ITSELF : undefined;
      },
      trackTunnel: (client, partly) => {
        if (!partly) return;
        this.#partly.add(client);
        client.once('close', () => this.#partly.delete(client));
      },
    };
  }

  static async open(around: ProxyRules, session?: string): Promise<ProxyPort> {
    const door = new ProxyPort(around, session);
    await door.#listen('https');
    await door.#listen('socket');
    return door;
  }

  /** Where pages are sent through. */
  get url(): string {
    return `http://${HOST}:${this.#ports[0]}`;
  }

  /** As Chrome takes it: what is not http or https, a WebSocket, goes to what it calls the socks proxy. */
  get rules(): string {
    const [pages, sockets] = this.#ports;
    return `http=${HOST}:${pages};https=${HOST}:${pages};socks=http://${HOST}:${sockets}`;
  }

  /** Whether requests are judged by their path before they come. Without that, hosts that are only partly open are shut. */
  set pathsWatched(isGuarded: boolean) {
    this.#guarded = isGuarded;
    if (!isGuarded) for (const socket of this.#partly) socket.destroy();
  }

  async close(): Promise<void> {
    for (const port of this.#ports) this.#around.ports.delete(port);
    const closed = this.#servers.map(server => once(server.close(), 'close'));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  get #ports(): number[] {
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
      if (kind === 'https') void forward(this.#way, request, response);
      else response.writeHead(400).end();
    });
    server.on('connect', (request, client: Socket, head) => void answerTunnel(this.#way, kind, request, client, head));
    server.on('clientError', (_error, socket) => socket.destroy());
    server.listen(0, HOST);
    await once(server, 'listening');
    this.#servers.push(server);
    this.#around.ports.add((server.address() as AddressInfo).port);
  }
}

/** By any of the addresses and names of this machine, as far as they are known without a lookup. */
function leadsHere({ host }: UrlOrigin): boolean {
  const address = addressOf(host);
  return isLocalName(host) || (address !== undefined && privateKind(address) !== undefined);
}
