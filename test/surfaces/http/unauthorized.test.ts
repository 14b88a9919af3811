// A property: whatever is sent, nothing without a valid token gets past the door (S3-36, S3-22).
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Call } from '../../../src/call/call.ts';
import { ServerMetrics } from '../../../src/surfaces/http/metrics/server-metrics.ts';
import { rest } from '../../../src/surfaces/rest/routes.ts';
import { type Asked, ask, handshake, JSON_BOTH, legacy, listenTo, modern } from './ask.ts';
import { BEARER, good, type Here, listenHere, offerOf, TOKEN } from './here.ts';

const calls: Call[] = [];
let here: Here;
/** Ids of sessions that live, which are no keys. */
let session: string;
let sse: string;

const run = async (call: Call) => {
  calls.push(call);
  return good('past');
};

beforeAll(async () => {
  here = await listenHere(
    run,
    {},
    {
      metrics: new ServerMetrics(),
      dialects: { chrome: async () => offerOf(run) },
      routeGroups: [rest({ version: '1', tools: [] })],
    },
  );
  session = (await handshake(here.url, BEARER))['mcp-session-id'] ?? '';
  const stream = await listenTo(here.url.replace('/mcp', '/sse'), BEARER);
  await vi.waitFor(() => expect(stream.text()).toContain('sessionId='));
  sse = /sessionId=(\S+)/.exec(stream.text())?.[1] ?? '';
});
afterAll(() => here.end());

/** Close to the token, but not the token. */
const almost = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    TOKEN.slice(1),
    TOKEN.slice(0, -1),
    TOKEN.toUpperCase(),
    `${TOKEN}\t${TOKEN}`,
    'undefined',
    '*',
  ),
  fc.nat(TOKEN.length - 1).map(at => `${TOKEN.slice(0, at)}~${TOKEN.slice(at + 1)}`),
  fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom(...'abcXYZ019-_~+/=., ') }),
  fc.base64String({ maxLength: 100 }),
);

const authorization = fc.oneof(
  fc.tuple(fc.constantFrom('Bearer', 'bearer', 'Basic', 'Token', 'Digest', ''), almost).map(parts => parts.join(' ')),
  // The right token in the wrong way.
  fc.constantFrom(
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer: ${TOKEN}`,
    `Bearer ${TOKEN} x`,
    `Bearer,${TOKEN}`,
    `Bearer "${TOKEN}"`,
  ),
);

const headers = fc.record(
  {
    authorization,
    'x-api-key': fc.oneof(almost, fc.constantFrom(`Bearer ${TOKEN}`, `${TOKEN}, ${TOKEN}`, `${TOKEN} x`)),
    cookie: fc.constantFrom(`token=${TOKEN}`, `authorization=Bearer ${TOKEN}`),
    'proxy-authorization': fc.constant(`Bearer ${TOKEN}`),
    'x-authorization': fc.constant(`Bearer ${TOKEN}`),
    'x-forwarded-for': fc.constantFrom('127.0.0.1', '::1'),
    'x-original-url': fc.constantFrom('/health', '/mcp'),
    'x-http-method-override': fc.constantFrom('GET', 'DELETE'),
    origin: fc.constantFrom('http://localhost', 'null', 'https://evil.test'),
    upgrade: fc.constantFrom('websocket', 'h2c'),
    expect: fc.constant('100-continue'),
    'mcp-session-id': fc.constantFrom('LIVE', 'none'),
    accept: fc.constantFrom('text/event-stream', 'application/json', JSON_BOTH.accept),
    'content-type': fc.constantFrom('application/json', 'text/plain'),
  },
  { requiredKeys: [] },
);

const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('/mcp', '/mcp/chrome', '/sse', '/messages', '/metrics') },
  fc.constantFrom('/api/v1/tools', '/api/v1/sessions', '/api/v1/sessions/default/tools/title', '/api/docs/../v1/tools'),
  fc.constantFrom(
    '/health/../mcp',
    '/health/..%2fmcp',
    '/health;/mcp',
    '/mcp/none',
    '//mcp',
    '/mcp#/health',
    '/healthz',
  ),
  fc.webPath().map(text => `/${text.replace(/[^\x21-\x7e]/g, '')}`),
);
const query = fc.constantFrom(
  '',
  '?sessionId=LIVE',
  `?token=${TOKEN}`,
  `?access_token=${TOKEN}`,
  '?/health',
  '?sessionId=',
);
const method = fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND');
const body = fc.constantFrom(
  String(modern('tools/call', { name: 'echo' }).body),
  String(legacy({ id: 1, method: 'initialize' }).body),
  '[]',
);

it('no request without a valid token gets past, in whatever form it comes (S3-36)', async () => {
  const request = fc.record({ method, path, query, headers, body });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, headers, body }) => {
      fc.pre(path !== '/health');
      const { 'mcp-session-id': id, ...rest } = headers;
      const asked: Asked = {
        method,
        headers: { ...rest, ...(id !== undefined && { 'mcp-session-id': id === 'LIVE' ? session : id }) } as Record<
          string,
          string
        >,
        ...(['POST', 'PUT', 'PATCH'].includes(method) && { body }),
      };
      const url = here.url.replace('/mcp', path + query.replace('LIVE', sse));
      const answer = await ask(url, asked).catch((error: NodeJS.ErrnoException) => {
        // An upgrade that is not taken, or a header that no client can send.
        if (['ECONNRESET', 'ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS'].includes(error.code ?? '')) return undefined;
        throw error;
      });
      if (!answer) return;
      expect([401, 403, 404, 405]).toContain(answer.status);
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
      expect(answer.text).not.toContain('tabwright_');
      expect(calls).toEqual([]);
    }),
    { numRuns: 600 },
  );
}, 60_000);

it('the same with a valid token does get past', async () => {
  expect(
    (await ask(here.url, { ...modern('tools/list'), headers: { ...modern('tools/list').headers, ...BEARER } })).status,
  ).toBe(200);
  expect((await ask(here.url.replace('/mcp', '/metrics'), { headers: { 'x-api-key': TOKEN } })).text).toContain(
    'tabwright_',
  );
});
