// Admission: every check between a request and the route that serves it, in one order: connection, Host and Origin, path and
// method, token, body, and the limits of what is under way.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import type { Caller } from '../../session/server.ts';
import type { HostOriginCheck } from './auth/host-origin.ts';
import type { TokenStore } from './auth/token-store.ts';
import type { TokenGrant } from './auth/tokens.ts';
import type { CallLimiter, ConnectionLimiter, RequestLimiter } from './limiters.ts';
import type { HttpLimits } from './limits.ts';
import type { OpenRequests } from './open-requests.ts';
import { HttpRefusal, hasBody, PARSE_ERROR } from './refuse.ts';
import type { Route, RouteMatch, RouteTable } from './routes.ts';

export interface AdmissionDeps {
  connections: ConnectionLimiter;
  checkHostOrigin: HostOriginCheck;
  tokens: TokenStore;
  open: OpenRequests;
  /** Requests whose body is being read. */
  reading: RequestLimiter;
  /** Requests under way. */
  requests: RequestLimiter;
  calls: CallLimiter;
  limits: HttpLimits;
}

export interface ArrivedRequest {
  req: IncomingMessage;
  res: ServerResponse;
  /** Without the query. */
  path: string;
  table: RouteTable;
  /** Set by `admit` as soon as they are known: the log names them also when the request is refused. */
  route?: Route;
  caller?: Caller;
}

export interface Admitted extends RouteMatch {
  grant: TokenGrant;
  body: unknown;
  /** Ends its count among the requests under way. */
  release(): void;
}

const NOBODY: TokenGrant = { hash: Buffer.alloc(0), caller: { id: 'unknown' } };

/** An HttpRefusal for a request that may not be served; undefined when its sender is gone. */
export async function admit(deps: AdmissionDeps, arrived: ArrivedRequest): Promise<Admitted | undefined> {
  const { req, res, path, table } = arrived;
  deps.connections.check(req.socket);
  deps.checkHostOrigin(req.headers);
  const match = await table.match(req.method ?? '', path);
  const { route } = match;
  arrived.route = route;
  if (route.open) return { ...match, grant: NOBODY, body: undefined, release: () => undefined };
  await deps.open.refresh();
  const grant = route.admits ? route.admits(req.headers) : deps.tokens.admit(req.headers);
  const { caller } = grant;
  arrived.caller = caller;
  if (res.closed) return undefined;
  deps.open.add(res, grant);
  const body = readsBody(route, req) ? await readBody(deps, arrived, caller) : undefined;
  const demand = demandOf(route, req, body);
  if (demand !== 'nothing') deps.calls.checkOpen();
  const release = demand === 'call' ? deps.requests.enter(caller) : () => undefined;
  return { ...match, grant, body, release };
}

/** A POST of MCP must have a body, requests of other APIs may have one. */
const readsBody = ({ kind }: Route, req: IncomingMessage): boolean =>
  kind === 'mcp' ? req.method === 'POST' : kind !== 'status' && hasBody(req);

/** Whoever has all the requests under way that it may have can still cancel one, or answer a question. */
function demandOf({ kind }: Route, { method }: IncomingMessage, body: unknown): 'call' | 'stream' | 'nothing' {
  if (kind === 'status') return 'nothing';
  if (kind !== 'mcp' || (method === 'POST' && isRequest(body))) return 'call';
  return method === 'GET' ? 'stream' : 'nothing';
}

/** True when a JSON-RPC message wants a response; notifications and responses do not. */
const isRequest = (body: unknown): boolean =>
  [body].flat().some(message => Object(message).method !== undefined && Object(message).id !== undefined);

/** While the body is read, it counts among those of its caller. */
async function readBody(deps: AdmissionDeps, { req, res }: ArrivedRequest, caller: Caller): Promise<unknown> {
  const done = deps.reading.enter(caller);
  try {
    return await readJson(req, res, deps.limits.bodyBytes);
  } finally {
    done();
  }
}

async function readJson(req: IncomingMessage, res: ServerResponse, maxBytes: number): Promise<unknown> {
  if (!isJsonContentType(req.headers['content-type']))
    throw new HttpRefusal('type', 'The body must be JSON. Send it with Content-Type: application/json.');
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // Only now may a sender that asked first go on.
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const text = (await readBytes(req, maxBytes)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpRefusal('message', 'Parse error: the body is not valid JSON.', { code: PARSE_ERROR });
  }
}

/** Leaves the stream open when it stops early: the refusal goes out on the same connection. */
function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
      } else {
        chunks = [];
        reject(tooLarge(maxBytes));
      }
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    // Every request closes; one that did not come to its end was cut off.
    req.once('close', () => {
      if (!req.complete) reject(new HttpRefusal('message', 'The body ended early.'));
    });
    req.once('error', () => undefined);
  });
}

const tooLarge = (maxBytes: number): HttpRefusal =>
  new HttpRefusal('size', `The body is larger than ${maxBytes} bytes, the most accepted.`);
