// Between node:http and the web's Request and Response, which the protocol's SDK uses.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { HttpRequest } from './routes.ts';

/** After this time, in ms, a client sees the head of a stream that has no event yet. */
const FLUSH_MS = 50;

/** Without its body, which is read already, and without the token. */
export function webRequest({ req, signal }: HttpRequest): Request {
  const { authorization: _, 'x-api-key': __, ...given } = req.headers;
  const headers = Object.entries(given).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Request(`http://${req.headers.host}${req.url}`, { method: req.method ?? 'GET', headers, signal });
}

/** Settles when the response is out or the client is gone. A client that reads nothing for `stalledMs` is given up. */
export async function sendWeb({ res, signal }: HttpRequest, response: Response, stalledMs: number): Promise<void> {
  if (signal.aborted) return response.body?.cancel();
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  if (!body || !headers['content-type']?.startsWith('text/event-stream'))
    return sendWhole(res, status, headers, Buffer.from(await response.arrayBuffer()), stalledMs);
  const reader = body.getReader();
  // read() reports what goes wrong with it.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  const writeHead = () => res.headersSent || res.writeHead(status, headers);
  // Most answers come so soon that all of it goes out in one piece.
  const early = setTimeout(() => {
    writeHead();
    res.flushHeaders();
  }, FLUSH_MS);
  const first = await reader.read();
  clearTimeout(early);
  const error = res.headersSent || first.done ? undefined : missingCapability(first.value);
  if (error) return sendWhole(res, 400, { 'content-type': 'application/json' }, error, stalledMs);
  writeHead();
  // No faster than the client reads.
  for (let next = first; !next.done; next = await reader.read())
    if (!res.write(next.value)) await drained(res, signal, stalledMs);
  signal.removeEventListener('abort', cancel);
  res.end();
}

/** Sends a response whose content is known; the time to read it begins anew whenever some of it is taken. */
export function sendWhole(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  content: string | Buffer,
  stalledMs: number,
): void {
  const hasContent = status !== NO_CONTENT;
  res.writeHead(status, { ...headers, ...(hasContent && { 'content-length': Buffer.byteLength(content) }) });
  res.setTimeout(stalledMs);
  res.end(content);
}

const NO_CONTENT = 204;

/** The code of a call that needs a capability which the client lacks. */
const MISSING_CAPABILITY = -32_021;
/** An error has its code within so many bytes. */
const HEAD_BYTES = 1_000;

/** By the protocol such an error has the status 400; the SDK gives it no status when answers are streams. */
function missingCapability(event: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(event.buffer, event.byteOffset, event.byteLength);
  if (!bytes.subarray(0, HEAD_BYTES).includes(`"code":${MISSING_CAPABILITY}`)) return undefined;
  const [, data = '{}'] = /^data: (.+)$/m.exec(bytes.toString()) ?? [];
  return Object(JSON.parse(data).error).code === MISSING_CAPABILITY ? Buffer.from(data) : undefined;
}

async function drained(res: ServerResponse, gone: AbortSignal, stalledMs: number): Promise<void> {
  // Destroying it aborts `gone`.
  const late = setTimeout(() => res.destroy(), stalledMs);
  await once(res, 'drain', { signal: gone }).catch(() => res.destroy());
  clearTimeout(late);
}
