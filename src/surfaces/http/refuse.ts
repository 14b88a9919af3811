// Refusals: how a request that is not served is answered. One JSON form for all, that of the protocol's own errors.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a sender may go on sending while it reads its refusal: bytes and ms. */
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_MS = 2_000;

/** Codes of JSON-RPC; what concerns HTTP alone is a server error. */
const SERVER_ERROR = -32_000;
export const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly code: number = SERVER_ERROR,
  ) {
    super(message);
  }
}

export const internalFault = (): Refusal =>
  new Refusal(500, 'A fault in Tabwright. Its log says more.', {}, INTERNAL_ERROR);

export function refuse(req: IncomingMessage, res: ServerResponse, { status, message, headers, code }: Refusal): void {
  if (res.headersSent) {
    // Half an answer cannot be taken back; only its end tells that it is not whole.
    res.destroy();
    return;
  }
  const text = `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`;
  const unread = hasBody(req) && !req.complete;
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(unread && { connection: 'close' }),
    ...headers,
  });
  if (!unread) res.end(text);
  else linger(req, res, text);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * The answer goes out at once. What still comes in is dropped, for a while: a connection that is cut
 * while the sender writes would take the answer away from it.
 */
function linger(req: IncomingMessage, res: ServerResponse, text: string): void {
  let left = LINGER_BYTES;
  const end = () => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
  req.once('end', end);
  req.once('close', end);
  res.write(text);
}
