// /metrics: what is counted, from the start of the process on, in the form that Prometheus reads; and the lines of the log.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeLog } from '../../../src/config/log.ts';
import type { JournalRecord } from '../../../src/session/journal.ts';
import { ServerMetrics } from '../../../src/surfaces/http/metrics/server-metrics.ts';
import { type Site, startSite } from '../../site/serve.ts';
import { temporaryFolder } from '../process.ts';
import { ask, handshake, listenTo, modern, withToken } from './ask.ts';
import { BEARER, echo, type Here, listenHere, TOKEN } from './here.ts';
import { HTTP_AGENTS, Served } from './served.ts';

/** Each sample by its name and labels. */
function samples(text: string): Map<string, number> {
  const rows = text.split('\n').filter(line => line && !line.startsWith('#'));
  return new Map(rows.map(row => [row.slice(0, row.lastIndexOf(' ')), Number(row.slice(row.lastIndexOf(' ')))]));
}

const called = (more: Partial<JournalRecord>): JournalRecord => ({
  time: '2026-01-01T00:00:00.000Z',
  caller: 'http',
  tool: 'click',
  args: {},
  ms: 20,
  ok: true,
  chars: 1,
  ...more,
});

describe('counts', () => {
  const open: Here[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(here => here.end()));
  });

  async function start(metrics = new ServerMetrics()) {
    const here = await listenHere(echo, {}, { metrics, state: () => ({ sessions: 3, browsers: 1 }) });
    open.push(here);
    const url = here.url.replace('/mcp', '/metrics');
    return { here, metrics, url, read: async () => samples((await ask(url, { headers: BEARER })).text) };
  }

  it('are for who has a token, in the form of Prometheus', async () => {
    const { url, here } = await start();
    expect((await ask(url)).status).toBe(401);
    expect((await ask(url, { method: 'POST', headers: BEARER })).status).toBe(405);
    const { headers, text } = await ask(url, { headers: BEARER });
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const names = [...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram|summary)$/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(text.match(/^# HELP /gm)).toHaveLength(names.length);
    for (const line of text.split('\n').filter(line => line && !line.startsWith('#')))
      expect(line).toMatch(/^[a-z0-9_]+(\{([a-z_]+="[^"\n]*",?)*\})? (\d+(\.\d+)?(e[+-]?\d+)?|NaN|\+Inf)$/i);
    expect(here.refusals).toMatchObject([{ what: 'GET /metrics', rule: 'token' }, { rule: 'method' }]);
  });

  it('say what the process uses', async () => {
    const { read } = await start();
    const found = await read();
    for (const name of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'nodejs_eventloop_lag_seconds'])
      expect(found.has(name), name).toBe(true);
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(found.get('tabwright_sessions')).toBe(3);
    expect(found.get('tabwright_browsers')).toBe(1);
    expect(found.get('tabwright_info{version="1"}')).toBe(1);
  });

  it('follow the journal: calls by tool, errors by code, how long they took', async () => {
    const { metrics, read } = await start();
    for (const ms of [3, 20, 20, 70, 700, 200_000]) metrics.record(called({ ms }));
    metrics.record(called({ tool: 'navigate', ok: false, code: 'timeout', ms: 5_000 }));
    metrics.record(called({ ok: false, code: 'refused', rule: 'no-clicks' }));
    metrics.record({ time: '', caller: 'a', door: 'egress', what: 'http://x', rule: 'block-urls' });
    const found = await read();
    const bucket = (le: string) => found.get(`tabwright_call_duration_seconds_bucket{le="${le}",tool="click"}`);
    expect(found.get('tabwright_calls_total{tool="click"}')).toBe(7);
    expect(found.get('tabwright_calls_total{tool="navigate"}')).toBe(1);
    expect(found.get('tabwright_call_errors_total{code="timeout"}')).toBe(1);
    expect(found.get('tabwright_call_errors_total{code="refused"}')).toBe(1);
    expect(['0.005', '0.025', '0.1', '1', '120', '+Inf'].map(bucket)).toEqual([1, 4, 5, 6, 6, 7]);
    expect(found.get('tabwright_call_duration_seconds_count{tool="click"}')).toBe(7);
    expect(found.get('tabwright_call_duration_seconds_sum{tool="click"}')).toBeCloseTo(200.833);
    expect(found.get('tabwright_refusals_total{door="call",rule="no-clicks"}')).toBe(1);
    expect(found.get('tabwright_refusals_total{door="egress",rule="block-urls"}')).toBe(1);
  });

  it('have bounded names, whatever callers send', async () => {
    const { metrics, read } = await start();
    for (let index = 0; index < 1_000; index++)
      metrics.record(
        called({ tool: `made-up-${index}`, ok: false, code: 'refused', rule: `rule ${index} ${'x'.repeat(500)}` }),
      );
    const found = await read();
    expect(found.get('tabwright_calls_total{tool="unknown"}')).toBe(1_000);
    const rules = [...found.keys()].filter(name => name.startsWith('tabwright_refusals_total'));
    expect(rules.length).toBeLessThan(110);
    expect(Math.max(...rules.map(({ length }) => length))).toBeLessThan(130);
    expect(found.get('tabwright_refusals_total{door="call",rule="other"}')).toBeGreaterThan(800);
  });

  it('know requests by path and status, refusals by rule, and what is open', async () => {
    const { here, read } = await start();
    await ask(here.url, withToken(modern('tools/list'), TOKEN));
    await ask(here.url, modern('tools/list'));
    for (let index = 0; index < 20; index++) await ask(here.url.replace('/mcp', `/x${index}`));
    const session = await handshake(here.url, BEARER);
    const stream = await listenTo(here.url.replace('/mcp', '/sse'), BEARER);
    await expect
      .poll(async () => (await read()).get('tabwright_http_requests_total{path="/mcp",status="401"}'))
      .toBe(1);
    const found = await read();
    expect(found.get('tabwright_http_requests_total{path="/mcp",status="200"}')).toBe(2);
    expect(found.get('tabwright_http_requests_total{path="other",status="404"}')).toBe(20);
    expect(found.get('tabwright_refusals_total{door="http",rule="token"}')).toBe(1);
    expect(found.get('tabwright_refusals_total{door="http",rule="path"}')).toBe(20);
    expect(found.get('tabwright_protocol_sessions{transport="streamable"}')).toBe(1);
    expect(found.get('tabwright_protocol_sessions{transport="sse"}')).toBe(1);
    expect(found.get('tabwright_http_connections')).toBeGreaterThan(0);
    await ask(here.url, { method: 'DELETE', headers: session });
    stream.destroy();
    const left = async () => [...(await read())].filter(([name]) => name.startsWith('tabwright_protocol_sessions'));
    await expect.poll(async () => (await left()).map(([, value]) => value)).toEqual([0, 0]);
  });
});

describe('the log', () => {
  it('has one line for each request: method, path, status, time, caller', async () => {
    const here = await listenHere();
    await ask(here.url, withToken(modern('tools/list'), TOKEN));
    await ask(here.url.replace('/mcp', '/health?secret=1'));
    await expect.poll(() => here.lines.length).toBe(2);
    expect(here.lines[0]).toMatch(/^\[info\] http: POST \/mcp 200 in \d+ ms for http\n$/);
    expect(here.lines[1]).toMatch(/^\[info\] http: GET \/health 200 in \d+ ms for unknown\n$/);
    await here.end();
  });

  it('has the same as JSON, each fact by its name', async () => {
    const lines: string[] = [];
    const here = await listenHere(echo, {}, { log: makeLog('info', line => lines.push(line), 'json') });
    await ask(here.url, modern('tools/list'));
    await expect.poll(() => lines.length).toBe(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      time: expect.stringMatching(/^\d{4}-/),
      level: 'info',
      message: expect.stringContaining('http: POST /mcp 401 in '),
      method: 'POST',
      path: '/mcp',
      status: 401,
      ms: expect.any(Number),
      caller: 'unknown',
      rule: 'token',
    });
    await here.end();
  });
});

describe('a server that works', () => {
  const folder = temporaryFolder();
  let served: Served;
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
    served = await new Served(folder.path, '--log-level', 'info', '--log-format', 'json').ready();
  });
  afterAll(async () => {
    await served.kill('SIGKILL');
    await site.close();
    folder.remove();
  });

  it('has counted everything by the first look, and writes refusals into its journal', async () => {
    const scrape = async () =>
      samples((await ask(served.url.replace('/mcp', '/metrics'), { headers: { 'x-api-key': served.token } })).text);
    expect((await ask(served.url, withToken(modern('tools/list'), 'wrong-wrong-wrong-wrong'))).status).toBe(401);
    // No browser was needed to refuse it.
    const journal = () => readFileSync(join(folder.path, 'journal', 'journal.jsonl'), 'utf8');
    await expect.poll(journal).toContain('"door":"http","caller":"unknown","what":"POST /mcp","rule":"token"');
    const agent = await HTTP_AGENTS['first generation']!(served.url, served.token);
    await agent.ok('navigate', { url: `${site.url}/signup.html` });
    for (let count = 0; count < 3; count++) await agent.ok('title');
    await agent.call('click', { selector: '@e9999' });
    const found = await scrape();
    expect(found.get('tabwright_calls_total{tool="title"}')).toBe(3);
    expect(found.get('tabwright_calls_total{tool="navigate"}')).toBe(1);
    expect(found.get('tabwright_call_errors_total{code="stale_ref"}')).toBe(1);
    expect(found.get('tabwright_call_duration_seconds_count{tool="navigate"}')).toBe(1);
    expect(found.get('tabwright_sessions')).toBe(1);
    expect(found.get('tabwright_browsers')).toBe(1);
    expect(found.get('tabwright_refusals_total{door="http",rule="token"}')).toBe(1);
    await agent.close();
    const access = served.stderr
      .split('\n')
      .filter(line => line.includes('"path":"/mcp"'))
      .map(line => JSON.parse(line));
    expect(access).toContainEqual(expect.objectContaining({ method: 'POST', status: 200, caller: 'http' }));
    for (const pid of served.browser()) process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await scrape()).get('tabwright_browsers'), { timeout: 5_000 }).toBe(0);
  });
});
