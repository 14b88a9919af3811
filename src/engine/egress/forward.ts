// Plain HTTP: requests whose whole url the proxy sees. Each is judged, and sent on over a connection that was checked.
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { type NormalizedUrl, normalizeUrl } from '../../policy/normalize-url.ts';
import type { ProxyPort } from './proxy-port.ts';
import { REFUSAL_HEADERS, RuleRefusal, refusalPage } from './refusal.ts';
import { proxyFault, type Upstream } from './upstream.ts';

/** As much as Chrome itself takes. */
export const MOST_HEADERS = 262_144;

/** One request on its way through the proxy. */
interface Forwarded {
  port: ProxyPort;
  url: string;
  origin: NormalizedUrl;
  request: IncomingMessage;
  response: ServerResponse;
}

export async function forward(port: ProxyPort, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  const origin = /^http:\/\//i.test(url) ? normalizeUrl(url) : undefined;
  if (!origin) return void response.writeHead(400).end();
  const { rules, outcomes } = port.egress;
  try {
    const rule = port.refusal(origin) ?? rules.refusal(url);
    if (rule !== undefined) throw new RuleRefusal(rule);
    await pass({ port, url, origin, request, response });
  } catch (error) {
    outcomes.failed(origin, url, error, port.requester);
    if (error instanceof RuleRefusal) response.writeHead(403, REFUSAL_HEADERS).end(refusalPage(error.rule));
    // No answer at all: for the page it is a failed request, as without a proxy.
    else response.destroy();
  }
}

async function pass(forwarded: Forwarded): Promise<void> {
  const { port, origin, request, response } = forwarded;
  const upstream = upstreamFor(port);
  const out = await (upstream ? sendThrough(upstream, forwarded) : sendStraight(forwarded));
  response.once('close', () => out.destroy());
  out.on('error', () => response.headersSent && response.destroy());
  request.pipe(out);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    out.once('response', resolve);
    out.once('error', error => reject(upstream ? proxyFault(error) : error));
  });
  port.egress.outcomes.connected(origin);
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
  // A connection that breaks now breaks for Chrome as well.
  pipeline(answer, response, () => undefined);
}

const SENDING = { maxHeaderSize: MOST_HEADERS, insecureHTTPParser: true };

function sendStraight({ port, url, origin, request }: Forwarded): ClientRequest {
  const { pathname, search } = new URL(url);
  return http.request({
    ...SENDING,
    method: request.method,
    headers: endToEnd(request.rawHeaders),
    path: `${pathname}${search}`,
    host: origin.host,
    port: origin.port,
    agent: agentOf(port, request.socket, origin),
  });
}

async function sendThrough(upstream: Upstream, { port, url, origin, request }: Forwarded): Promise<ClientRequest> {
  await port.egress.dialer.check(origin);
  return upstream.module.request({
    ...SENDING,
    ...upstream.at,
    method: request.method,
    agent: false,
    path: url,
    headers: [...endToEnd(request.rawHeaders), ...Object.entries(upstream.headers).flat()],
  });
}

/** The user's proxy, when it takes plain requests. */
function upstreamFor({ egress }: ProxyPort): Upstream | undefined {
  const { upstream } = egress.dialer;
  return upstream?.onlyTunnels ? undefined : upstream;
}

const agents = new WeakMap<Socket, http.Agent>();

/** Each connection of the browser has its own ones to the servers: what logs in on a connection stays with it. */
function agentOf({ egress }: ProxyPort, client: Socket, origin: NormalizedUrl): http.Agent {
  const known = agents.get(client);
  if (known) return known;
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1 });
  agents.set(client, agent);
  client.once('close', () => agent.destroy());
  return Object.assign(agent, {
    createConnection(at: { host: string; port: number }, done: (error: Error | null, socket?: Socket) => void) {
      egress.dialer.dial({ ...origin, host: at.host, port: Number(at.port) }).then(
        socket => done(null, socket),
        error => done(error),
      );
    },
  });
}

const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** The headers that are for the other end, as the flat list that Node takes. */
function endToEnd(raw: readonly string[]): string[] {
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
