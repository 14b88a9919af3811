// Between node:http and the web's Request and Response, which the protocol's SDK speaks.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** After this time, in ms, a client sees the head of a stream that has no event yet. */
const FLUSH_MS = 50;

export interface Exchange {
  request: Request;
  /** Sends the response; settles when it is out or the client is gone. */
  answer(response: Response): Promise<void>;
}

/**
 * The body is read apart. The request's signal aborts when the client goes before it has its answer;
 * one that reads nothing of it for so long, in ms, is given up.
 */
export function webExchange(req: IncomingMessage, res: ServerResponse, stalledMs: number): Exchange {
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
  return { request, answer: response => send(res, response, gone.signal, stalledMs) };
}

/** The token stays here. */
function headersOf({ headers: { authorization: _, 'x-api-key': __, ...given } }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
}

async function send(res: ServerResponse, response: Response, gone: AbortSignal, stalledMs: number): Promise<void> {
  if (gone.aborted) return response.body?.cancel();
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  if (body && headers['content-type']?.startsWith('text/event-stream'))
    return stream(res, { status, headers, body }, gone, stalledMs);
  sendWhole(res, status, headers, Buffer.from(await response.arrayBuffer()), stalledMs);
}

type Heads = Readonly<Record<string, string>>;

function sendWhole(res: ServerResponse, status: number, headers: Heads, bytes: Buffer, stalledMs: number): void {
  res.writeHead(status, { ...headers, 'content-length': bytes.length });
  // As long as some of it is taken, the time begins anew.
  res.setTimeout(stalledMs);
  res.end(bytes);
}

interface Streamed {
  status: number;
  headers: Heads;
  body: ReadableStream<Uint8Array>;
}

/** Events as they come, no faster than the client reads. A client that goes ends them at once. */
async function stream(
  res: ServerResponse,
  { status, headers, body }: Streamed,
  gone: AbortSignal,
  stalledMs: number,
): Promise<void> {
  const reader = body.getReader();
  // What goes wrong with it, read() tells.
  const cancel = () => void reader.cancel().catch(() => undefined);
  gone.addEventListener('abort', cancel, { once: true });
  // Most answers come so soon that all of it goes out in one piece.
  const begin = () => res.headersSent || res.writeHead(status, headers);
  const early = setTimeout(() => {
    begin();
    res.flushHeaders();
  }, FLUSH_MS);
  const first = await reader.read();
  clearTimeout(early);
  const lack = res.headersSent || first.done ? undefined : lackIn(first.value);
  if (lack !== undefined) return sendWhole(res, 400, { 'content-type': 'application/json' }, lack, stalledMs);
  begin();
  for (let next = first; !next.done; next = await reader.read())
    if (!res.write(next.value)) await drained(res, gone, stalledMs);
  gone.removeEventListener('abort', cancel);
  res.end();
}

/** The code for a call that needs what the client cannot do. */
const LACKING = -32_021;
/** An error says its code within so many bytes. */
const HEAD_BYTES = 1_000;

/** By the protocol such an answer has the status 400; the SDK gives it no status when answers are streams. */
function lackIn(event: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(event.buffer, event.byteOffset, event.byteLength);
  if (!bytes.subarray(0, HEAD_BYTES).includes(`"code":${LACKING}`)) return undefined;
  const [, data = '{}'] = /^data: (.+)$/m.exec(bytes.toString()) ?? [];
  return Object(JSON.parse(data).error).code === LACKING ? Buffer.from(data) : undefined;
}

async function drained(res: ServerResponse, gone: AbortSignal, stalledMs: number): Promise<void> {
  // That it is destroyed, `gone` tells.
  const late = setTimeout(() => res.destroy(), stalledMs);
  await once(res, 'drain', { signal: gone }).catch(() => res.destroy());
  clearTimeout(late);
}
