// The capture tool in trace mode: a file that DevTools opens, and a few facts about the page.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaptureDone } from '../../src/engine/network/capture.ts';
import { Summary, type TraceEvent } from '../../src/engine/network/trace-summary.ts';
import { type Kit, startKit } from '../kit.ts';
import { js } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.call('capture', { action: 'stop', mode: 'trace' });
  await kit.open('/signup.html');
});

const start = (args: Record<string, unknown> = {}) => kit.ok('capture', { action: 'start', mode: 'trace', ...args });
const stop = async (args: Record<string, unknown> = {}) => {
  const result = await kit.call('capture', { action: 'stop', ...args });
  const { traced } = (result.data ?? {}) as CaptureDone;
  if (!traced) throw new Error(result.text);
  return { ...traced, text: result.text };
};
const status = () => kit.ok('capture', { action: 'status' });
const eventsOf = (path: string): TraceEvent[] => JSON.parse(readFileSync(path, 'utf8')).traceEvents;

describe('capture mode trace (S1-93)', () => {
  it('records the load of a page and what the main thread did', async () => {
    expect(await start({ url: `${kit.site.url}/article.html` })).toMatch(
      /^The trace runs; stop gives what it has\. Now at /,
    );
    expect(await status()).toMatch(/^Trace: \d+\.\d s so far\.$/);
    await js(kit, '(() => { const end = performance.now() + 150; while (performance.now() < end); })()');
    await js(
      kit,
      `new Promise(done => { document.body.insertAdjacentHTML('afterbegin', '<div style="height:300px">Shifts</div>'); requestAnimationFrame(() => requestAnimationFrame(done)); })`,
    );
    const { facts, file, text } = await stop({ save_path: 'deep/load.json' });
    expect(file.path).toBe(join(kit.folder, 'output', 'deep', 'load.json'));
    expect(text).toMatch(/^Trace of \d+\.\d s: LCP \d+ ms, FCP \d+ ms, CLS 0\.\d+, \d+ long tasks? \(longest \d+ ms/);
    expect(text).toMatch(/Saved to .*load\.json \([\d.]+ (?:kB|MB)\); DevTools opens it in its Performance panel\.$/);
    expect(facts.longTasks.count).toBeGreaterThanOrEqual(1);
    expect(facts.longTasks.longest).toBeGreaterThanOrEqual(150);
    expect(facts.busy.scripting).toBeGreaterThanOrEqual(140);
    expect(facts.cls).toBeGreaterThan(0);
    const events = eventsOf(file.path);
    expect(events.length).toBeGreaterThan(100);
    expect(new Set(events.map(({ name }) => name))).toContain('TracingStartedInBrowser');
    expect(
      events.some(({ name, args }) => name === 'ResourceSendRequest' && JSON.stringify(args).includes('article.html')),
    ).toBe(true);
  });

  it('S1-98 ends by itself after max_capture_time, and is there when it is asked for', async () => {
    await start({ max_capture_time: 300 });
    await expect.poll(status).toMatch(/It ended by itself after 300 ms\.$/);
    const { text, file, ms } = await stop();
    expect(text).toContain('It ended by itself after 300 ms.');
    expect(ms).toBeLessThan(4_000);
    expect(eventsOf(file.path).length).toBeGreaterThan(0);
    expect(file.path).toContain(join('output', 'traces', 'trace-'));
    expect((await kit.fails('capture', { action: 'stop' })).text).toContain('No capture was started');
  });

  it('runs beside a capture of the traffic', async () => {
    await start();
    await kit.ok('capture', { action: 'start' });
    await js(kit, 'fetch("/api/echo").then(() => 1)');
    expect(await status()).toMatch(/^Capture: 1 request, .*\nTrace: /);
    const { data } = await kit.call('capture', { action: 'stop', mode: 'trace' });
    expect(data).toHaveProperty('traced');
    expect(await kit.ok('capture', { action: 'stop' })).toMatch(/^1 request in /);
  });

  it('one at a time in a browser', async () => {
    await start();
    expect((await kit.fails('capture', { action: 'start', mode: 'trace' })).text).toMatch(/runs in tab \d+ already/);
    const { data } = await kit.call('tab_new', { url: `${kit.site.url}/signup.html` });
    const { tabId } = data as { tabId: number };
    expect((await kit.fails('capture', { action: 'start', mode: 'trace', tabId })).text).toMatch(/one at a time/);
    await kit.ok('tab_close', { tabId });
    await stop();
    await start();
    await stop();
  });

  it('a trace that was lost with its page is told, and the next one works', async () => {
    await start();
    const tab = kit.server.list()[0]?.context.active;
    tab?.main.send('Page.crash').catch(() => undefined);
    await expect.poll(() => tab?.gone?.code).toBe('page_crashed');
    expect((await kit.fails('capture', { action: 'stop' })).text).toMatch(/The trace was lost with its page/);
    await start();
    expect((await stop()).events).toBeGreaterThan(0);
  });

  it('a closed tab takes its trace along', async () => {
    const { data } = await kit.call('tab_new', { url: `${kit.site.url}/signup.html` });
    const { tabId } = data as { tabId: number };
    const traces = join(kit.folder, 'output', 'traces');
    const files = () => (existsSync(traces) ? readdirSync(traces) : []);
    const before = files();
    await start({ tabId, max_capture_time: 100 });
    await expect.poll(files).toHaveLength(before.length + 1);
    await kit.ok('tab_close', { tabId });
    await expect.poll(files).toEqual(before);
    await start();
    await stop();
  });
});

describe('the facts of a trace', () => {
  const base = { pid: 7, tid: 1, ph: 'X' };
  const facts = (events: Partial<TraceEvent>[]) => {
    const summary = new Summary('F');
    const about = { data: { frames: [{ frame: 'F', processId: 7 }] } };
    summary.add([
      { ...base, ph: 'M', name: 'thread_name', ts: 0, args: { name: 'CrRendererMain' } },
      { ...base, ph: 'I', name: 'TracingStartedInBrowser', ts: 0, args: about },
      ...events.map(event => ({ ...base, name: '', ts: 0, ...event })),
    ]);
    return summary.facts();
  };

  it('counts what is nested once', () => {
    expect(
      facts([
        { name: 'RunTask', ts: 0, dur: 200_000 },
        { name: 'FunctionCall', ts: 10_000, dur: 100_000 },
        { name: 'Layout', ts: 20_000, dur: 30_000 },
        { name: 'Paint', ts: 120_000, dur: 5_000 },
      ]),
    ).toMatchObject({
      longTasks: { count: 1, longest: 200, blocking: 150 },
      busy: { scripting: 70, layout: 30, painting: 5 },
    });
  });

  it('other processes and threads are not counted', () => {
    expect(
      facts([
        { name: 'RunTask', ts: 0, dur: 200_000, tid: 2 },
        { name: 'RunTask', ts: 0, dur: 90_000, pid: 8 },
      ]),
    ).toMatchObject({
      longTasks: { count: 0 },
    });
  });

  it('shifts count in windows, the worst of which is told', () => {
    const shift = (ms: number, score: number) => ({
      name: 'LayoutShift',
      ph: 'I',
      ts: ms * 1_000,
      args: { data: { is_main_frame: true, weighted_score_delta: score } },
    });
    expect(facts([shift(0, 0.1), shift(500, 0.1), shift(3_000, 0.15)]).cls).toBe(0.2);
  });

  it('paints count from the last navigation', () => {
    const moment = (name: string, ms: number) => ({ name, ph: 'I', ts: ms * 1_000, args: { frame: 'F' } });
    expect(
      facts([
        moment('largestContentfulPaint::Candidate', 50),
        moment('navigationStart', 100),
        moment('firstContentfulPaint', 130),
      ]),
    ).toMatchObject({ fcp: 30 });
  });
});
