// CONNECT: what a browser asks for to speak TLS or to open a WebSocket. Host rules are judged before anything is sent out.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { normalizeUrl, originOf, type UrlOrigin } from '../../policy/normalize-url.ts';
import type { UrlVerdict } from '../../policy/url-rules.ts';
import { readFirstBytes } from './first-bytes.ts';
import { AddressRefusal } from './lookup.ts';
import { noteFailure, type ProxyContext } from './proxy-context.ts';
import { refusalHead } from './refusal-page.ts';

const NOT_GUARDED = 'paths are judged only while the browser is watched';
const HIDDEN_PATH = 'a WebSocket over TLS hides its path, and not all of this host may be reached';
const NOT_TLS = 'only TLS, where not all of a host may be reached';

/** `https` is what pages load over TLS; `socket` may be ws: or wss:, which only its first bytes tell. */
export type TunnelKind = 'https' | 'socket';

export async function answerTunnel(
  way: ProxyContext,
  kind: TunnelKind,
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  client.on('error', () => client.destroy());
  const place = normalizeUrl(`https://${request.url}/`);
  if (!place) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  if (head.length > 0) client.unshift(head);
  const plain: UrlOrigin = { ...place, scheme: 'http' };
  const [onTls, onPlain] = [way.boundary.at(place), way.boundary.at(plain)];
  try {
    const rule = way.doorRule(place);
    if (rule !== undefined) throw new AddressRefusal(rule);
    if (kind === 'https') await openPage(way, place, onTls, onPlain, client);
    else await openSocket(way, place, onTls, onPlain, client);
  } catch (error) {
    if (kind === 'https') refuse(way, place, `${originOf(place)}/`, client, error);
    else refuse(way, plain, socketUrl(place, place.port === 443), client, error);
  }
}

async function openPage(
  way: ProxyContext,
  place: UrlOrigin,
  onTls: UrlVerdict,
  onPlain: UrlVerdict,
  client: Socket,
): Promise<void> {
  if (onTls.rule !== undefined) throw new AddressRefusal(onTls.rule);
  if (onTls.partly && !way.isGuarded()) throw new AddressRefusal(NOT_GUARDED);
  const target = await way.dialer.dial(place);
  way.outcomes.connected(place);
  established(client);
  if ((onTls.partly || !isOpen(onPlain)) && !(await readFirstBytes(client))?.isTls) {
    target.destroy();
    way.outcomes.refused(`${originOf(place)}/`, NOT_TLS, way.asker);
    client.destroy();
    return;
  }
  join(way, client, target, onTls.partly === true);
}

async function openSocket(
  way: ProxyContext,
  place: UrlOrigin,
  onTls: UrlVerdict,
  onPlain: UrlVerdict,
  client: Socket,
): Promise<void> {
  if (isOpen(onTls) && isOpen(onPlain)) {
    const target = await way.dialer.dial(place);
    established(client);
    return join(way, client, target, false);
  }
  if (onTls.rule !== undefined && onPlain.rule !== undefined) throw new AddressRefusal(onPlain.rule);
  established(client);
  const begins = await readFirstBytes(client);
  const rule = begins && socketRule(way, place, onTls, begins);
  if (!begins || rule !== undefined) {
    if (rule !== undefined)
      way.outcomes.refused(socketUrl(place, begins?.isTls ?? true, begins?.socketPath), rule, way.asker);
    goodbye(client, begins?.isTls || rule === undefined ? undefined : refusalHead(rule));
    return;
  }
  // It is too late for an answer of the proxy: a failure is the end of the connection.
  const there: UrlOrigin = { ...place, scheme: begins.isTls ? 'https' : 'http' };
  const target = await way.dialer.dial(there).catch(error => {
    noteFailure(way, there, socketUrl(place, begins.isTls, begins.socketPath), error);
    client.destroy();
  });
  if (target) join(way, client, target, false);
}

function socketRule(
  way: ProxyContext,
  place: UrlOrigin,
  onTls: UrlVerdict,
  { isTls, socketPath }: { isTls: boolean; socketPath?: string },
): string | undefined {
  if (isTls) return onTls.rule ?? (onTls.partly ? HIDDEN_PATH : undefined);
  return socketPath === undefined ? NOT_TLS : way.boundary.refusal(socketUrl(place, false, socketPath));
}

const socketUrl = (place: UrlOrigin, isTls: boolean, path = '/'): string =>
  `${isTls ? 'wss' : 'ws'}://${place.host}:${place.port}${path}`;

const isOpen = ({ rule, partly }: UrlVerdict): boolean => rule === undefined && !partly;

const established = (client: Socket): void => void client.write('HTTP/1.1 200 Connection Established\r\n\r\n');

/** What breaks one end breaks the other. */
function join(way: ProxyContext, client: Socket, target: Socket, partly: boolean): void {
  way.keep(client, partly);
  const end = (error: Error | null) => {
    if (!error) return; // one direction is over, the other may go on
    client.destroy();
    target.destroy();
  };
  pipeline(client, target, end);
  pipeline(target, client, end);
}

function refuse(way: ProxyContext, place: UrlOrigin, url: string, client: Socket, error: unknown): void {
  noteFailure(way, place, url, error);
  const isRefused = error instanceof AddressRefusal;
  goodbye(client, isRefused ? refusalHead(error.rule) : 'HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
}

const GOODBYE_MS = 3_000;

/** The last words; who does not hang up is hung up on. */
function goodbye(client: Socket, words = ''): void {
  client.setTimeout(GOODBYE_MS, () => client.destroy());
  client.resume();
  client.end(words);
}
