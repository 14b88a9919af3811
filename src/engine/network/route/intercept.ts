// Applies the matching rules to one request of a page or service worker, or to a WebSocket.
import type { Route, WebSocketRoute } from 'playwright-core';
import type { Options } from '../../../config/options.ts';
import { pageOf } from '../capture/entry.ts';
import { cookieHeader } from '../request/cookies.ts';
import type { RequestChanges, RoutePlan } from './rules.ts';

/** Bounds for a request that this process sends in the browser's place. */
const FETCH_MS = 30_000;
const FETCH_BYTES = 50_000_000;

export async function applyPlan(route: Route, { last, changes, used }: RoutePlan, options: Options): Promise<void> {
  for (const rule of used) rule.hits++;
  if (last?.reply) return route.fulfill(last.reply);
  if (last) return route.abort('blockedbyclient');
  const overrides = overridesOf(route, changes);
  const { protocol } = new URL(route.request().url());
  if (overrides.url === undefined || new URL(overrides.url).protocol === protocol) return route.fallback(overrides);
  return fetchAcrossSchemes(route, { ...overrides, url: overrides.url }, options);
}

interface Overrides {
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  postData?: string;
}

function overridesOf(route: Route, { url, method, headers, post_data }: RequestChanges): Overrides {
  return {
    ...(url !== undefined && { url }),
    ...(method !== undefined && { method }),
    ...(headers && { headers: { ...route.request().headers(), ...headers } }),
    ...(post_data !== undefined && { postData: post_data }),
  };
}

/** The browser cannot continue an https request as http, or the reverse: this process sends it. */
async function fetchAcrossSchemes(
  route: Route,
  { url: to, method, headers, postData }: Overrides & { url: string },
  options: Options,
): Promise<void> {
  const { egressFetch } = await import('../../egress/egress-fetch.ts');
  const request = route.request();
  const url = new URL(to);
  const page = pageOf(request);
  const cookie = page ? await cookieHeader(page.context(), url) : '';
  const { host: _, ...sent } = headers ?? request.headers();
  const body = postData === undefined ? request.postDataBuffer() : Buffer.from(postData);
  const answer = await egressFetch(
    page?.context(),
    options,
    {
      url,
      method: method ?? request.method(),
      headers: {
        ...sent,
        ...(cookie === '' ? {} : { cookie }),
        ...(body ? { 'content-length': String(body.length) } : {}),
      },
      body: body ?? undefined,
    },
    { mostBytes: FETCH_BYTES, signal: AbortSignal.timeout(FETCH_MS) },
  ).catch(async error => {
    await route.abort('connectionfailed');
    throw error;
  });
  const { status, body: content } = answer;
  // The body is unpacked already.
  const forwarded = answer.headers.filter(
    ([name]) => !/^(?:content-encoding|content-length|transfer-encoding)$/i.test(name),
  );
  await route.fulfill({ status, headers: Object.fromEntries(forwarded), body: content });
}

/** The close code of a WebSocket whose server cannot be reached. */
const ABNORMAL_CLOSURE = 1006;

export async function applyToSocket(socket: WebSocketRoute, { last }: RoutePlan): Promise<void> {
  if (!last) return void socket.connectToServer();
  last.hits++;
  if (!last.reply) return socket.close({ code: ABNORMAL_CLOSURE });
  // The socket opens, and the body of the response is its first message.
  if (last.reply.body !== '') socket.send(last.reply.body);
}
