// Between node:http and the web's Request and Response, which the protocol's SDK speaks.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A client that reads nothing for so long, in ms, is given up. */
const STALLED_MS = 60_000;
/** After this time, in ms, a client sees the head of a stream that has no event yet. */
const FLUSH_MS = 50;

export interface Exchange {
  request: Request;
  /** Sends the response; settles when it is out or the client is gone. */
  answer(response: Response): Promise<void>;
}

/** The body is read apart. The request's signal aborts when the client goes before it has its answer. */
export function webExchange(req: IncomingMessage, res: ServerResponse): Exchange {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const { method = 'GET', url = '/' } = req;
  const request = new Request(`http://${req.headers.host}${url}`, {
    method,
    headers: headersOf(req),
    signal: gone.signal,
  });
  return { request, answer: response => send(res, response, gone.signal) };
}

/** The token stays here. */
function headersOf({ headers: { authorization: _, ...given } }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
}

async function send(res: ServerResponse, response: Response, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return response.body?.cancel();
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  if (body && headers['content-type']?.startsWith('text/event-stream')) {
    res.writeHead(status, headers);
    return stream(res, body, gone);
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  res.writeHead(status, { ...headers, 'content-length': bytes.length });
  res.end(bytes);
}

/** Events as they come, no faster than the client reads. A client that goes ends them at once. */
async function stream(res: ServerResponse, body: ReadableStream<Uint8Array>, gone: AbortSignal): Promise<void> {
  const reader = body.getReader();
  // What goes wrong with it, read() tells.
  const cancel = () => void reader.cancel().catch(() => undefined);
  gone.addEventListener('abort', cancel, { once: true });
  // Most answers come so soon that all of it goes out in one piece.
  const early = setTimeout(() => res.flushHeaders(), FLUSH_MS);
  for (let next = await reader.read(); !next.done; next = await reader.read())
    if (!res.write(next.value)) await drained(res, gone);
  clearTimeout(early);
  gone.removeEventListener('abort', cancel);
  res.end();
}

async function drained(res: ServerResponse, gone: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(STALLED_MS)]);
  await once(res, 'drain', { signal }).catch(() => res.destroy());
}
