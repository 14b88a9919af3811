// Routes: what is served at which path, and how a request finds its route.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Call, Result } from '../../call/call.ts';
import type { Caller } from '../../session/server.ts';
import type { TokenGrant } from './auth/tokens.ts';
import { HttpRefusal } from './refuse.ts';

/** An API: its routes, and its refusals in a form of its own. */
export interface RouteGroup {
  /** Every path at or below these, such as /api, belongs to it; of several groups, to the one with the longest prefix. */
  under: readonly string[];
  /** Loaded with the first request. Of routes that match, the first in the table serves. */
  routes(): readonly Route[] | Promise<readonly Route[]>;
  sockets?: readonly SocketRoute[];
  /** The body of a refusal, as a value that becomes JSON. */
  refusal(refusal: HttpRefusal): unknown;
  /** Where to look, for whom a path leads nowhere. */
  help: string;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Route {
  /** GET takes HEAD as well; a list is complete. */
  method: Method | readonly Method[];
  /** Each :name stands for one segment: /api/browser/:id/click. */
  path: string;
  /** Also without a token; it cannot run calls. */
  open?: true;
  /** Whose request it is, where a cookie or a code says so instead of a token. An HttpRefusal without a good one. */
  admits?(headers: IncomingHttpHeaders): TokenGrant;
  /**
   * What its requests count as: a call each; for `mcp`, whatever the JSON-RPC messages in the body ask for; for
   * `status`, nothing, so that they are answered by a server that is busy or ends.
   */
  kind?: 'mcp' | 'status';
  serve(request: HttpRequest): void | Promise<void>;
}

/** A path at which a page opens a WebSocket. */
export interface SocketRoute {
  path: string;
  admits(headers: IncomingHttpHeaders): TokenGrant;
  /** The connection, before the answer that makes it a WebSocket; an HttpRefusal when there is no room for it. */
  open(socket: Duplex, grant: TokenGrant, answer: () => void): void | Promise<void>;
}

/** A request that was admitted, and how to answer it. */
export interface HttpRequest {
  req: IncomingMessage;
  res: ServerResponse;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  /** The segments that the path of the route names, decoded. */
  params: Readonly<Record<string, string>>;
  caller: Caller;
  /** By which it was admitted. */
  grant: TokenGrant;
  /** The JSON in the body; undefined when there is none. */
  body: unknown;
  /** Aborts when the client goes before it has its answer. */
  signal: AbortSignal;
  /** Ends its count among the requests under way early, for a request that may wait for long. */
  release(): void;
  /** Runs a call of this caller, within the limits of the server. It is cancelled when the client goes. */
  run(call: Pick<Call, 'name' | 'args' | 'dialect'>): Promise<Result>;
  json(status: number, value: unknown, headers?: ResponseHeaders): void;
  send(status: number, content: string | Buffer, headers: ResponseHeaders): void;
}

type ResponseHeaders = Readonly<Record<string, string>>;

export interface RouteMatch {
  route: Route;
  params: Readonly<Record<string, string>>;
}

/** The routes of a group, ready to be compared with paths. */
export class RouteTable {
  readonly group: RouteGroup;
  #routes: Promise<readonly Pattern[]> | undefined;

  constructor(group: RouteGroup) {
    this.group = group;
  }

  /** The length of the prefix that makes the path one of its own; 0 for a path of others. */
  prefixOf(path: string): number {
    const prefixes = this.group.under.filter(under => path === under || path.startsWith(`${under}/`));
    return Math.max(0, ...prefixes.map(({ length }) => length));
  }

  /** The route of that path and method; an HttpRefusal when there is none. */
  async match(method: string, path: string): Promise<RouteMatch> {
    this.#routes ??= this.#load();
    const segments = path.split('/');
    const matching = (await this.#routes).flatMap(pattern => compare(pattern, segments) ?? []);
    const found = matching.find(({ route }) => methodsOf(route).includes(method as Method));
    if (found) return found;
    if (matching.length === 0) throw new HttpRefusal('path', `There is nothing here. ${this.group.help}`);
    const allow = [...new Set(matching.flatMap(({ route }) => methodsOf(route)))].join(', ');
    throw new HttpRefusal('method', `${path.slice(0, 200)} takes ${allow}.`, { headers: { allow } });
  }

  async #load(): Promise<readonly Pattern[]> {
    try {
      return (await this.group.routes()).map(route => ({ route, segments: route.path.split('/') }));
    } catch (error) {
      // Another request may try again.
      this.#routes = undefined;
      throw error;
    }
  }
}

interface Pattern {
  route: Route;
  segments: readonly string[];
}

function methodsOf({ method }: Route): readonly Method[] {
  if (typeof method !== 'string') return method;
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

function compare({ route, segments }: Pattern, given: readonly string[]): RouteMatch | undefined {
  if (given.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const value = given[at] ?? '';
    if (!segment.startsWith(':')) {
      if (segment !== value) return undefined;
      continue;
    }
    const decoded = decode(value);
    if (!decoded) return undefined;
    params[segment.slice(1)] = decoded;
  }
  return { route, params };
}

/** Empty for what is no text. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
