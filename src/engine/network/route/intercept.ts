// Carries out what the rules say about one request of a page or a service worker.
import type { Route } from 'playwright-core';
import type { Options } from '../../../config/options.ts';
import { cookieHeader } from '../request/cookies.ts';
import type { Changes, Plan } from './rules.ts';
import { pageOf } from './sender.ts';

/** For a request that this process sends in the browser's place. */
const ELSEWHERE_MS = 30_000;
const ELSEWHERE_BYTES = 50_000_000;

export async function carryOut(route: Route, { last, changes, used }: Plan, options: Options): Promise<void> {
  for (const rule of used) rule.hits++;
  if (last?.reply) return route.fulfill(last.reply);
  if (last) return route.abort('blockedbyclient');
  const overrides = overridesOf(route, changes);
  const { protocol } = new URL(route.request().url());
  if (overrides.url === undefined || new URL(overrides.url).protocol === protocol) return route.fallback(overrides);
  return sendElsewhere(route, { ...overrides, url: overrides.url }, options);
}

interface Overrides {
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  postData?: string;
}

function overridesOf(route: Route, { url, method, headers, post_data }: Changes): Overrides {
  return {
    ...(url === undefined ? {} : { url }),
    ...(method === undefined ? {} : { method }),
    ...(headers === undefined ? {} : { headers: { ...route.request().headers(), ...headers } }),
    ...(post_data === undefined ? {} : { postData: post_data }),
  };
}

/** The browser cannot send a request on from https to http or back: this process does it. */
async function sendElsewhere(
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
    { mostBytes: ELSEWHERE_BYTES, signal: AbortSignal.timeout(ELSEWHERE_MS) },
  ).catch(async error => {
    await route.abort('connectionfailed');
    throw error;
  });
  const { status, body: content } = answer;
  // The body is unpacked already.
  const kept = answer.headers.filter(
    ([name]) => !/^(?:content-encoding|content-length|transfer-encoding)$/i.test(name),
  );
  await route.fulfill({ status, headers: Object.fromEntries(kept), body: content });
}
