// Plain HTTP: requests whose whole url the proxy sees. Each is judged, and sent on over a connection that was checked.
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { type NormalizedUrl, normalizeUrl } from '../../policy/normalize-url.ts';
import { AddressRefusal } from './dial.ts';
import { noteFailure, type ProxyContext, REFUSAL_HEADERS, refusalPage } from './proxy-context.ts';
import { proxyFault, type Upstream } from './upstream.ts';

/** As much as Chrome itself takes. */
export const MOST_HEADERS = 262_144;

export async function forward(way: ProxyContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  const place = /^http:\/\//i.test(url) ? normalizeUrl(url) : undefined;
  if (!place) return void response.writeHead(400).end();
  try {
    const rule = way.portRule(place) ?? way.boundary.refusal(url);
    if (rule !== undefined) throw new AddressRefusal(rule);
    await pass(way, url, place, request, response);
  } catch (error) {
    fail(way, url, place, response, error);
  }
}

async function pass(
  way: ProxyContext,
  url: string,
  place: NormalizedUrl,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const out = await send(way, url, place, request);
  response.once('close', () => out.destroy());
  out.on('error', () => response.headersSent && response.destroy());
  request.pipe(out);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    out.once('response', resolve);
    out.once('error', error => reject(asked(way) ? proxyFault(error) : error));
  });
  way.outcomes.connected(place);
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept(answer.rawHeaders));
  // What breaks now is told to Chrome by a connection that breaks as well.
  pipeline(answer, response, () => undefined);
}

async function send(
  way: ProxyContext,
  url: string,
  place: NormalizedUrl,
  request: IncomingMessage,
): Promise<ClientRequest> {
  const upstream = asked(way);
  const { pathname, search } = new URL(url);
  const shared = { method: request.method, maxHeaderSize: MOST_HEADERS, insecureHTTPParser: true };
  const headers = kept(request.rawHeaders);
  if (!upstream)
    return http.request({
      ...shared,
      headers,
      path: `${pathname}${search}`,
      host: place.host,
      port: place.port,
      agent: agentOf(way, request.socket, place),
    });
  await way.dialer.check(place);
  return upstream.module.request({
    ...shared,
    ...upstream.at,
    agent: false,
    path: url,
    headers: [...headers, ...Object.entries(upstream.headers).flat()],
  });
}

/** The user's proxy, when it takes plain requests. */
const asked = ({ dialer: { upstream } }: ProxyContext): Upstream | undefined =>
  upstream?.onlyTunnels ? undefined : upstream;

const agents = new WeakMap<Socket, http.Agent>();

/** Each connection of the browser has its own ones to the servers: what logs in on a connection stays with it. */
function agentOf(way: ProxyContext, client: Socket, place: NormalizedUrl): http.Agent {
  const known = agents.get(client);
  if (known) return known;
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1 });
  agents.set(client, agent);
  client.once('close', () => agent.destroy());
  return Object.assign(agent, {
    createConnection(at: { host: string; port: number }, done: (error: Error | null, socket?: Socket) => void) {
      way.dialer.dial({ ...place, host: at.host, port: Number(at.port) }).then(
        socket => done(null, socket),
        error => done(error),
      );
    },
  });
}

const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** The headers that are for the other end, as the flat list that Node takes. */
function kept(raw: readonly string[]): string[] {
  return raw.flatMap((name, at) => {
    const value = raw[at + 1] ?? '';
    return at % 2 === 0 && !HOP_BY_HOP.test(name) && isValid(name, value) ? [name, value] : [];
  });
}

function isValid(name: string, value: string): boolean {
  try {
    http.validateHeaderName(name);
    http.validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

function fail(way: ProxyContext, url: string, place: NormalizedUrl, response: ServerResponse, error: unknown): void {
  noteFailure(way, place, url, error);
  if (error instanceof AddressRefusal) response.writeHead(403, REFUSAL_HEADERS).end(refusalPage(error.rule));
  // No answer at all: for the page it is a failed request, as without a proxy.
  else response.destroy();
}
