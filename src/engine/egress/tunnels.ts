// CONNECT: what a browser asks for to speak TLS or to open a WebSocket. Host rules are judged before anything is sent out.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { normalizeUrl, originOf, type UrlOrigin } from '../../policy/normalize-url.ts';
import type { UrlVerdict } from '../../policy/url-rules.ts';
import { AddressRefusal } from './dial.ts';
import { noteFailure, type ProxyContext, refusalHead } from './proxy-context.ts';

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
    const rule = way.portRule(place);
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
  if (onTls.partly && !way.arePathsWatched()) throw new AddressRefusal(NOT_GUARDED);
  const target = await way.dialer.dial(place);
  way.outcomes.connected(place);
  established(client);
  if ((onTls.partly || !isOpen(onPlain)) && !(await readFirstBytes(client))?.isTls) {
    target.destroy();
    way.outcomes.refused(`${originOf(place)}/`, NOT_TLS, way.requester);
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
      way.outcomes.refused(socketUrl(place, begins?.isTls ?? true, begins?.socketPath), rule, way.requester);
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
  way.trackTunnel(client, partly);
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

const MOST_BYTES = 32_768;
const WAIT_MS = 15_000;

interface FirstBytes {
  isTls: boolean;
  /** The path that a WebSocket asks for; undefined when it is none. */
  socketPath?: string;
}

/** Waits for the first bytes and puts them back; undefined when the client says nothing that can be understood. */
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
      if (text.includes('\r\n\r\n')) return end({ isTls: false, ...asSocket(text) });
      return seen.length > MOST_BYTES ? gone() : undefined;
    };
    const timer = setTimeout(gone, WAIT_MS);
    client.on('data', read).once('close', gone).once('end', gone);
    client.resume();
  });
}

const TLS_HANDSHAKE = 0x16;

function asSocket(head: string): { socketPath?: string } {
  const [, path] = /^GET (\/\S*) HTTP\/1\.1\r\n/.exec(head) ?? [];
  return path !== undefined && /\r\nupgrade: *websocket *\r\n/i.test(head) ? { socketPath: path } : {};
}
