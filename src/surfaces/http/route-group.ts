// A mount: an API of paths with parameters under the front, with answers and refusals in a form of its own.
import type { Call, Result } from '../../call/call.ts';
import { readBody } from './body.ts';
import type { HttpRequest } from './http-request.ts';
import type { SharedDeps } from './mcp/endpoint.ts';
import { HttpRefusal, hasBody } from './refuse.ts';

export interface RouteGroup {
  /** Every path at or below these, such as /api, belongs to it; of several mounts, to the one that names the longest. */
  under: readonly string[];
  /** What it is made of; asked for with the first request. Of routes that fit, the first in the table serves. */
  routes(): readonly Route[] | Promise<readonly Route[]>;
  /** The body of a refusal, as a value that becomes JSON. */
  refusal(refusal: HttpRefusal): unknown;
  /** Where to look, told to whom a path leads nowhere. */
  help: string;
}

export interface Route {
  /** GET takes HEAD as well. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Each :name stands for one segment: /api/browser/:id/click. */
  path: string;
  /** Also without a token; it cannot run calls. */
  open?: true;
  serve(visit: RouteRequest): void | Promise<void>;
}

export interface RouteRequest extends HttpRequest {
  /** Decoded. */
  params: Readonly<Record<string, string>>;
  /** The body, which must be JSON and no larger than the limit; undefined when there is none. */
  body(): Promise<unknown>;
  /** Runs a call of this caller, within the limits of the server. It is cancelled when the client goes. */
  run(call: Pick<Call, 'name' | 'args' | 'dialect'>): Promise<Result>;
  json(status: number, value: unknown, headers?: Headers): void;
  send(status: number, content: string | Buffer, headers: Headers): void;
}

type Headers = Readonly<Record<string, string>>;

export interface RouteMatch {
  route: Route;
  params: Readonly<Record<string, string>>;
}

/** The routes of a mount, ready to be compared with paths. */
export class MountedRoutes {
  readonly mount: RouteGroup;
  #routes: Promise<readonly Pattern[]> | undefined;

  constructor(mount: RouteGroup) {
    this.mount = mount;
  }

  /** How much of the path it claims; 0 for a path of others. */
  claim(path: string): number {
    const claimed = this.mount.under.filter(under => path === under || path.startsWith(`${under}/`));
    return Math.max(0, ...claimed.map(under => under.length));
  }

  /** The route of that path and method; a Refusal when there is none. */
  async match(method: string, path: string): Promise<RouteMatch> {
    this.#routes ??= this.#load();
    const segments = path.split('/');
    const fitting = (await this.#routes).flatMap(pattern => compared(pattern, segments) ?? []);
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = fitting.find(({ route }) => route.method === wanted);
    if (found) return found;
    if (fitting.length === 0) throw new HttpRefusal('path', `There is nothing here. ${this.mount.help}`);
    throw wrongMethod(path, [...new Set(fitting.flatMap(({ route }) => methodsOf(route)))]);
  }

  async #load(): Promise<readonly Pattern[]> {
    try {
      return (await this.mount.routes()).map(route => ({ route, segments: route.path.split('/') }));
    } catch (error) {
      // Another request may try again.
      this.#routes = undefined;
      throw error;
    }
  }
}

/** Whose paths those are. */
export function mountOf(mounts: readonly MountedRoutes[], path: string): MountedRoutes | undefined {
  const [first] = mounts.filter(one => one.claim(path) > 0).sort((a, b) => b.claim(path) - a.claim(path));
  return first;
}

interface Pattern {
  route: Route;
  segments: readonly string[];
}

const methodsOf = ({ method }: Route): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

function compared({ route, segments }: Pattern, given: readonly string[]): RouteMatch | undefined {
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

export const wrongMethod = (path: string, methods: readonly string[]): HttpRefusal =>
  new HttpRefusal('method', `${path.slice(0, 200)} takes ${methods.join(', ')}.`, {
    headers: { allow: methods.join(', ') },
  });

const NO_CONTENT = 204;

/** Serves one visit; what it took of the server's room is given back when it ends. */
export async function serveRoute(
  { route, params }: RouteMatch,
  visit: HttpRequest,
  house: SharedDeps,
  run: (call: Call) => Promise<Result>,
): Promise<void> {
  const { req, res, caller } = visit;
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  let leave: (() => void) | undefined;
  const send: RouteRequest['send'] = (status, content, headers) => {
    if (res.closed) return;
    res.writeHead(status, {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
      ...(status !== NO_CONTENT && { 'content-length': String(Buffer.byteLength(content)) }),
    });
    // A client that reads nothing for so long is given up.
    res.setTimeout(house.limits.stalledMs);
    res.end(content);
  };
  try {
    await route.serve({
      ...visit,
      params,
      body: async () => (hasBody(req) ? readBody(visit, house) : undefined),
      async run(call) {
        if (route.open) throw new Error(`${route.path} is open to all and may run no calls`);
        house.busy.checkOpen();
        leave ??= house.load.enter(caller);
        return house.busy.run({ ...call, caller, signal: gone.signal }, run);
      },
      json: (status, value, headers) =>
        send(status, `${JSON.stringify(value)}\n`, { 'content-type': 'application/json', ...headers }),
      send,
    });
  } finally {
    leave?.();
  }
}
