// Refusals: how a request that is not served is answered. One JSON form for all, that of the protocol's own errors.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a sender may go on sending while it reads its refusal: bytes and ms. */
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_MS = 2_000;

/** The rules by the names that the answer, the journal and the metrics give them, each with its status. */
export const RULES = {
  message: 400,
  token: 401,
  host: 403,
  origin: 403,
  rights: 403,
  path: 404,
  dialect: 404,
  session: 404,
  method: 405,
  slow: 408,
  size: 413,
  type: 415,
  caller_calls: 429,
  caller_sessions: 429,
  headers: 431,
  fault: 500,
  calls: 503,
  sessions: 503,
  connections: 503,
  ending: 503,
} as const;

export type HttpRule = keyof typeof RULES;

/** Codes of JSON-RPC; what concerns HTTP alone is a server error. */
const SERVER_ERROR = -32_000;
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

interface Answer {
  headers?: Readonly<Record<string, string>>;
  code?: number;
  /** Who sent it, where that is known though the request is refused. */
  caller?: string | undefined;
}

export class HttpRefusal extends Error {
  override readonly name = 'Refusal';
  readonly headers: Readonly<Record<string, string>>;
  readonly code: number;
  readonly caller: string | undefined;

  constructor(
    readonly rule: HttpRule,
    message: string,
    { headers = {}, code = SERVER_ERROR, caller }: Answer = {},
  ) {
    super(message);
    this.headers = headers;
    this.code = code;
    this.caller = caller;
  }

  get status(): number {
    return RULES[this.rule];
  }

  /** As an error of JSON-RPC. */
  get form(): object {
    const { code, message, rule } = this;
    return { jsonrpc: '2.0', id: null, error: { code, message, data: { rule } } };
  }
}

/** With the number of seconds after which to try again. */
export const retryLater = (
  rule: HttpRule,
  message: string,
  seconds: number,
  headers: Answer['headers'] = {},
): HttpRefusal => new HttpRefusal(rule, message, { headers: { 'retry-after': String(seconds), ...headers } });

export const internalFault = (): HttpRefusal =>
  new HttpRefusal('fault', 'A fault in Tabwright. Its log says more.', { code: INTERNAL_ERROR });

const bodyOf = (form: unknown): string => `${JSON.stringify(form)}\n`;

/** `form` is the body as a value: that of the protocol, or of another API. */
export function refuse(req: IncomingMessage, res: ServerResponse, refusal: HttpRefusal, form: unknown): void {
  if (res.headersSent) {
    // A response that has begun cannot be replaced; cutting it off shows that it is not whole.
    res.destroy();
    return;
  }
  const body = bodyOf(form);
  const unread = hasBody(req) && !req.complete;
  res.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(unread && { connection: 'close' }),
    ...refusal.headers,
  });
  if (!unread) res.end(body);
  else linger(req, res, body);
}

/** On a connection whose request never became one. */
export function refuseConnection(socket: Duplex, refusal: HttpRefusal): void {
  const body = bodyOf(refusal.form);
  const head = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`;
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const text = `${head}\r\nContent-Type: application/json\r\n${length}\r\nConnection: close\r\n\r\n${body}`;
  // Its other end may stay open for ever.
  socket.end(text, () => socket.destroy());
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
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
