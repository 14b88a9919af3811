// CONNECT: how a browser asks for TLS or a WebSocket. Host rules are judged before anything is sent out.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { normalizeUrl, originOf, type UrlOrigin } from '../../policy/normalize-url.ts';
import type { UrlVerdict } from '../../policy/url-rules.ts';
import type { ProxyPort } from './proxy-port.ts';
import { RuleRefusal, refusalResponse } from './refusal.ts';

const NOT_WATCHED = 'paths are judged only while the browser is watched';
const HIDDEN_PATH = 'a WebSocket over TLS hides its path, and not all of this host may be reached';
const NOT_TLS = 'only TLS, where not all of a host may be reached';

/** `https` is what pages load over TLS; `socket` may be ws: or wss:, which only its first bytes tell. */
export type TunnelKind = 'https' | 'socket';

/** A tunnel that a browser asks for. */
interface Tunnel {
  port: ProxyPort;
  client: Socket;
  origin: UrlOrigin;
  /** What the rules say of the origin when the tunnel carries TLS, and when it does not. */
  onTls: UrlVerdict;
  onPlain: UrlVerdict;
}

export async function answerTunnel(
  port: ProxyPort,
  kind: TunnelKind,
  request: IncomingMessage,
  client: Socket,
): Promise<void> {
  client.on('error', () => client.destroy());
  const origin = normalizeUrl(`https://${request.url}/`);
  if (!origin) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  const plain: UrlOrigin = { ...origin, scheme: 'http' };
  const { outcomes, rules } = port.egress;
  try {
    const rule = port.refusal(origin);
    if (rule !== undefined) throw new RuleRefusal(rule);
    const tunnel = { port, client, origin, onTls: rules.at(origin), onPlain: rules.at(plain) };
    await (kind === 'https' ? openPage(tunnel) : openSocket(tunnel));
  } catch (error) {
    if (kind === 'https') outcomes.failed(origin, `${originOf(origin)}/`, error, port.requester);
    else outcomes.failed(plain, socketUrl(origin, origin.port === 443), error, port.requester);
    hangUp(client, error instanceof RuleRefusal ? refusalResponse(error.rule) : BAD_GATEWAY);
  }
}

const BAD_GATEWAY = 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n';

async function openPage(tunnel: Tunnel): Promise<void> {
  const { port, client, origin, onTls, onPlain } = tunnel;
  const { outcomes, dialer } = port.egress;
  if (onTls.rule !== undefined) throw new RuleRefusal(onTls.rule);
  if (onTls.partly && !port.pathsWatched) throw new RuleRefusal(NOT_WATCHED);
  const target = await dialer.dial(origin);
  outcomes.connected(origin);
  establish(client);
  if ((onTls.partly || !isOpen(onPlain)) && !(await readFirstBytes(client))?.isTls) {
    target.destroy();
    outcomes.refused(`${originOf(origin)}/`, NOT_TLS, port.requester);
    client.destroy();
    return;
  }
  if (onTls.partly) port.trackPartlyOpen(client);
  join(client, target);
}

async function openSocket(tunnel: Tunnel): Promise<void> {
  const { port, client, origin, onTls, onPlain } = tunnel;
  const { outcomes, dialer } = port.egress;
  if (isOpen(onTls) && isOpen(onPlain)) {
    const target = await dialer.dial(origin);
    establish(client);
    return join(client, target);
  }
  if (onTls.rule !== undefined && onPlain.rule !== undefined) throw new RuleRefusal(onPlain.rule);
  establish(client);
  const first = await readFirstBytes(client);
  if (!first) return hangUp(client);
  const url = socketUrl(origin, first.isTls, first.socketPath);
  const rule = socketRule(tunnel, first, url);
  if (rule !== undefined) {
    outcomes.refused(url, rule, port.requester);
    return hangUp(client, first.isTls ? '' : refusalResponse(rule));
  }
  // It is too late for an answer of the proxy: a failure is the end of the connection.
  const dialed: UrlOrigin = { ...origin, scheme: first.isTls ? 'https' : 'http' };
  const target = await dialer.dial(dialed).catch(error => {
    outcomes.failed(dialed, url, error, port.requester);
    client.destroy();
  });
  if (target) join(client, target);
}

function socketRule({ port, onTls }: Tunnel, { isTls, socketPath }: FirstBytes, url: string): string | undefined {
  if (isTls) return onTls.rule ?? (onTls.partly ? HIDDEN_PATH : undefined);
  return socketPath === undefined ? NOT_TLS : port.egress.rules.refusal(url);
}

const socketUrl = ({ host, port }: UrlOrigin, isTls: boolean, path = '/'): string =>
  `${isTls ? 'wss' : 'ws'}://${host}:${port}${path}`;

const isOpen = ({ rule, partly }: UrlVerdict): boolean => rule === undefined && !partly;

const establish = (client: Socket): void => void client.write('HTTP/1.1 200 Connection Established\r\n\r\n');

/** What breaks one end breaks the other. */
function join(client: Socket, target: Socket): void {
  const end = (error: Error | null) => {
    if (!error) return; // one direction is over, the other may go on
    client.destroy();
    target.destroy();
  };
  pipeline(client, target, end);
  pipeline(target, client, end);
}

const HANG_UP_MS = 3_000;

/** Ends the connection after this response; a client that does not close its side is cut off. */
function hangUp(client: Socket, response = ''): void {
  client.setTimeout(HANG_UP_MS, () => client.destroy());
  client.resume();
  client.end(response);
}

const MOST_BYTES = 32_768;
const WAIT_MS = 15_000;
const TLS_HANDSHAKE = 0x16;

interface FirstBytes {
  isTls: boolean;
  /** The path that a WebSocket asks for; undefined when it is none. */
  socketPath?: string;
}

/** Waits for the first bytes and puts them back; undefined when the client sends nothing that can be understood. */
function readFirstBytes(client: Socket): Promise<FirstBytes | undefined> {
  return new Promise(resolve => {
    let seen: Buffer = Buffer.alloc(0);
    const end = (found: FirstBytes | undefined) => {
      clearTimeout(timer);
      client.off('data', read).off('close', gone).off('end', gone);
      client.pause();
      if (found && seen.length > 0) client.unshift(seen);
      resolve(found);
    };
    const gone = () => end(undefined);
    const read = (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      if (seen[0] === TLS_HANDSHAKE) return end({ isTls: true });
      const text = seen.toString('latin1');
      if (!/^[A-Z]{1,10}( |$)/.test(text.slice(0, 11))) return end({ isTls: false });
      if (text.includes('\r\n\r\n')) return end({ isTls: false, ...webSocketRequest(text) });
      return seen.length > MOST_BYTES ? gone() : undefined;
    };
    const timer = setTimeout(gone, WAIT_MS);
    client.on('data', read).once('close', gone).once('end', gone);
    client.resume();
  });
}

function webSocketRequest(head: string): { socketPath?: string } {
  const [, path] = /^GET (\/\S*) HTTP\/1\.1\r\n/.exec(head) ?? [];
  return path !== undefined && /\r\nupgrade: *websocket *\r\n/i.test(head) ? { socketPath: path } : {};
}
