// One HTTP exchange from this process: through the proxy if there is one, its answer unpacked and bounded.
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import tls from 'node:tls';
import zlib from 'node:zlib';
import { Failure } from '../../../errors.ts';
import { calledTool, phrase, toolName } from '../../../text.ts';
import { bare, tunnel, type Upstream, upstreamOf } from '../../egress/upstream.ts';
import type { Header } from '../request-row.ts';

export interface OutgoingRequest {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: Buffer | undefined;
}

export interface IncomingResponse {
  status: number;
  statusText: string;
  /** Names as the server wrote them; a name may come several times. */
  headers: Header[];
  body: Buffer;
  /** The body was longer than it may be; the rest was not read. */
  cut: boolean;
}

export interface ExchangeOptions {
  proxy: string | undefined;
  mostBytes: number;
  signal: AbortSignal;
}

export async function exchange(out: OutgoingRequest, options: ExchangeOptions): Promise<IncomingResponse> {
  try {
    const request = await open(out, options);
    // The reader of the response gets the errors that come after its begin.
    request.on('error', () => undefined);
    request.end(out.body);
    const [response] = (await once(request, 'response', { signal: options.signal })) as [IncomingMessage];
    const { body, cut } = await read(response, out.method, options.mostBytes);
    return {
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      headers: headersOf(response.rawHeaders),
      body,
      cut,
    };
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof Failure ? error : unreachable(out.url, error);
  }
}

/** Sends the request. It gets a new connection: a kept-alive one could break just when it is used again. */
async function open(
  { url, method, headers }: OutgoingRequest,
  { proxy, signal }: ExchangeOptions,
): Promise<ClientRequest> {
  const isSecure = url.protocol === 'https:';
  const { hostname, port, pathname, search, host } = url;
  const plain = { method, signal, agent: false as const, headers: { host, ...headers } };
  const there = { ...plain, host: bare(hostname), port, path: `${pathname}${search}` };
  if (proxy === undefined) return isSecure ? https.request(there) : http.request(there);
  const through = proxyOf(proxy);
  if (isSecure) {
    const socket = await tunnel(through, `${url.hostname}:${url.port || 443}`, signal);
    const inside = () => tls.connect({ socket, ...named(hostname) });
    return https.request({ ...there, agent: undefined, createConnection: inside });
  }
  const asked = new URL(url);
  asked.hash = '';
  return through.module.request({
    ...plain,
    ...through.at,
    path: asked.href,
    headers: { ...plain.headers, ...through.headers },
  });
}

function proxyOf(given: string): Upstream {
  const upstream = upstreamOf(given);
  if (upstream) return upstream;
  throw new Failure(
    'refused',
    phrase`${calledTool('request')} cannot go through a ${new URL(given).protocol.slice(0, -1)} proxy, and goes through no other way.`,
    phrase`Open the url in a tab, or fetch it with ${toolName('evaluate')}.`,
  );
}

/** Addresses have no name to show. */
const named = (hostname: string): { servername?: string } =>
  /^\[|^[\d.]+$/.test(hostname) ? {} : { servername: hostname };

/** Node gives names and values in turn. */
const headersOf = (raw: readonly string[]): Header[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: raw[at + 1] ?? '' }] : []));

/** An answer that was cut off by its server is read as far as it goes. */
const FLUSH = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const BROTLI = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};
const UNPACK: Readonly<Record<string, () => Duplex>> = {
  gzip: () => zlib.createGunzip(FLUSH),
  'x-gzip': () => zlib.createGunzip(FLUSH),
  deflate: () => zlib.createInflate(FLUSH),
  br: () => zlib.createBrotliDecompress(BROTLI),
};

async function read(response: IncomingMessage, method: string, most: number): Promise<{ body: Buffer; cut: boolean }> {
  const packed = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const isEmpty = method === 'HEAD' || response.statusCode === 204 || response.statusCode === 304;
  const unpack = isEmpty || !Object.hasOwn(UNPACK, packed) ? undefined : UNPACK[packed]?.();
  // The reader of the last stream gets the errors of all.
  const stream = unpack ? pipeline(response, unpack, () => undefined) : response;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, most - size));
    size += chunk.length;
    if (size > most) break;
  }
  response.destroy();
  return { body: Buffer.concat(chunks), cut: size > most };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there (connection refused)',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  ETIMEDOUT: 'the server does not answer',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'there is no network',
  PROXY_DOWN: 'the proxy does not answer',
  PROXY_REFUSES: 'the proxy refuses the connection',
  EPROTO: 'the server does not speak TLS properly: try http://',
};

export function unreachable(url: URL, cause: unknown): Failure {
  const { code = '', message = String(cause) } = cause as NodeJS.ErrnoException;
  const why =
    REASONS[code] ??
    (/CERT|SIGNED|ALTNAME/.test(code)
      ? 'its certificate is not valid'
      : code.startsWith('HPE_')
        ? 'its answer is no HTTP'
        : code.startsWith('Z_') || /BROTLI|ERR__ERROR/.test(code)
          ? 'its body could not be unpacked'
          : message.split('\n')[0]);
  const shown = `${url.origin}${url.pathname}`.slice(0, 200);
  const text = `${shown} could not be fetched: ${why}${code && ` (${code})`}.`;
  return new Failure('request_failed', text, 'Check the url.', { cause });
}
