// The capture tool in trace mode: what a trace tells of a page, its insights by name, its file, and how it ends.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CaptureResult } from '../../src/engine/network/capture/capture.ts';
import { type SlowSite, startSlowSite } from '../engine/trace/slow-site.ts';
import { type Kit, startKit } from '../kit.ts';
import { js } from './page.ts';

let kit: Kit;
let site: SlowSite;
beforeAll(async () => {
  [kit, site] = await Promise.all([startKit(), startSlowSite()]);
});
afterAll(async () => {
  await kit.close();
  await site.close();
});
beforeEach(async () => {
  if (/so far/.test(await status())) await kit.call('capture', { action: 'stop', mode: 'trace' }); // of a test that failed
});

const TRACE = { action: 'start', mode: 'trace' };
const start = (args: Record<string, unknown> = {}) => kit.ok('capture', { ...TRACE, ...args });
const traced = async (args: Record<string, unknown> = {}) => {
  const result = await kit.call('capture', { action: 'stop', mode: 'trace', ...args });
  const { traced } = (result.data ?? {}) as CaptureResult;
  if (!traced) throw new Error(result.text);
  return { ...traced, text: result.text };
};
const insight = (name: string) => kit.call('capture', { action: 'insight', insight: name });
const status = () => kit.ok('capture', { action: 'status' });
const plain = () => kit.open(`${site.url}/plain`);
const saved = () => readdirSync(join(kit.folder, 'output'));

/** Chrome knows how long an interaction took when its result has been shown. */
const SHOWN = `new Promise(done => new PerformanceObserver(list => {
  if (list.getEntries().some(({ name }) => name === 'click')) done(1);
}).observe({ type: 'event', durationThreshold: 16, buffered: true }))`;

/** Reading a trace from source takes a process that compiles first. */
const PATIENT = { timeout: 90_000 };

describe('a trace of a page that is slow (S1-93, S2-67, S2-68, S2-69)', PATIENT, () => {
  const NAMES = 'LCPBreakdown CLSCulprits RenderBlocking ImageDelivery DocumentLatency INPBreakdown Cache ForcedReflow';
  let text = '';

  it('before there is one, insights are refused', async () => {
    await kit.open(site.url);
    const { code, text } = await kit.fails('capture', { action: 'insight', insight: 'LCPBreakdown' });
    expect([code, text]).toEqual(['refused', expect.stringMatching(/^No trace was recorded in this session\./)]);
  });

  it('S2-67 goes to an empty page and back, ends by itself and tells in the same call', async () => {
    text = await start({ reload: true, auto_stop: true });
    expect(text).toMatch(/^Trace of \d+(\.\d)? s: http:\/\/127\.0\.0\.1:\d+\/\.$/m);
    expect(await kit.ok('url')).toContain(site.url);
    expect((await kit.fails('capture', { action: 'stop', mode: 'trace' })).text).toMatch(/^No trace runs/);
    expect(saved()).toEqual([]);
  });

  it('names the picture that came late, what shifted, and the function that held up the page', () => {
    expect(text).toMatch(/^LCP \d+ ms: img#hero, \/hero\.bmp \(time to the first byte \d+ ms, load delay \d+ ms, /m);
    expect(text).toMatch(/^CLS 0\.\d+: 1 shift at \d+(\.\d)? s of img#hero, p#moved$/m);
    expect(text).toMatch(
      /^\d+ long tasks?, blocking \d+ ms in all: .*\d+ ms at \d+(\.\d)? s in .*busyWork \(\/:7:20\)/m,
    );
    expect(text).toMatch(/^- RenderBlocking: 1 request held up the first paint/m);
    expect(text).toMatch(/^- ImageDelivery: 1 picture could be smaller by \d+ kB/m);
    expect(text).not.toMatch(/^INP/m);
    expect(text.length).toBeLessThan(4_000);
  });

  it('S2-69 each insight is told by its name, in any case of letters', async () => {
    for (const name of NAMES.split(' ')) {
      const { ok, text, data } = await insight(name);
      expect([name, ok]).toEqual([name, true]);
      expect(text).toMatch(new RegExp(`^${name}: `));
      expect((data as CaptureResult).insight?.name).toBe(name);
    }
    expect((await insight('lcpbreakdown')).text).toMatch(/^LCPBreakdown: most is .*\n(?:.*\n)*\/hero\.bmp: 960 kB/);
    expect((await insight('CLSCulprits')).text).toMatch(/^0\.\d+ at \d+ ms: img#hero, p#moved moved$/m);
    expect((await insight('INPBreakdown')).text).toMatch(/there was no interaction\. Not known from this trace\.$/m);
  });

  it('S2-69 a name that is none is answered with those that there are', async () => {
    const { ok, failure } = await insight('Nonsense');
    expect([ok, failure?.code]).toEqual([false, 'bad_input']);
    for (const name of NAMES.split(' ')) expect(failure?.message).toContain(name);
    expect((await kit.fails('capture', { action: 'insight' })).text).toMatch(/^Say which insight: .*LCPBreakdown/);
  });

  it('the insights are those of the session, also from another tab, and stay until the next trace', async () => {
    const { data } = await kit.call('tab_new', { url: `${site.url}/plain` });
    const { tabId } = data as { tabId: number };
    expect(await kit.ok('capture', { action: 'insight', insight: 'LCPBreakdown', tabId })).toContain('/hero.bmp');
    expect(await kit.ok('capture', { action: 'status', mode: 'trace', tabId })).toContain('/hero.bmp');
    await kit.ok('tab_close', { tabId });
    const other = await kit.call('capture', { action: 'insight', insight: 'Cache' }, { caller: 'somebody else' });
    expect(other.text).toMatch(/^No trace was recorded in this session\./);
  });
});

describe('what is done meanwhile', PATIENT, () => {
  it('S2-68 an interaction is told with its parts; the file opens in DevTools, packed when its name says so', async () => {
    await plain();
    await js(
      kit,
      `document.body.innerHTML = '<button id="go">Go</button>'; document.getElementById('go').onclick = event => {
        for (const end = performance.now() + 120; performance.now() < end; );
        event.target.textContent = 'Gone';
      }`,
    );
    await start();
    expect(await status()).toMatch(/^Trace of tab \d+: \d+(\.\d)? s so far\.$/);
    await kit.ok('click', { selector: '#go' });
    await js(kit, SHOWN);
    const { text, file, events } = await traced({ save_path: 'deep/go.json.gz' });
    expect(text).toMatch(/\/plain \(no load of it in the trace: reload records one\)\.$/m);
    expect(text).toMatch(
      /^INP \d+ ms: (?:pointer\w+|click) on button#go \(input delay \d+ ms, listeners \d+ ms, until shown /m,
    );
    expect(text).toMatch(/^Not known from this trace: .*LCPBreakdown/m);
    expect(file?.path).toBe(join(kit.folder, 'output', 'deep', 'go.json.gz'));
    const { traceEvents, metadata } = JSON.parse(gunzipSync(readFileSync(file?.path ?? '')).toString());
    expect(traceEvents).toHaveLength(events);
    expect(metadata).toHaveProperty('startTime');
    expect(traceEvents.map(({ name }: { name: string }) => name)).toContain('TracingStartedInBrowser');
    expect(saved()).toEqual(['deep']);
  });

  it('S3-17 it holds nothing of the pages of other sessions', async () => {
    const other = (page: string) => kit.call('navigate', { url: `${site.url}/plain?${page}` }, { caller: 'other' });
    await other('theirs');
    await plain();
    await start();
    await other('theirs-too');
    await kit.open(`${site.url}/plain?ours`);
    const { file, ...told } = await traced({ save_path: 'ours.json' });
    const text = readFileSync(file?.path ?? '', 'utf8');
    expect(text).toContain('plain?ours');
    expect(text + JSON.stringify(told)).not.toContain('theirs');
  });

  it('of several pages it is about the last, and the path may be said at the start', async () => {
    await start({ url: `${site.url}/plain?1`, save_path: 'two.json' });
    await kit.open(`${site.url}/plain?2`);
    const { text, file } = await traced();
    expect(text).toMatch(/^Trace of .* s: http:\/\/127\.0\.0\.1:\d+\/plain\?2\. Shown before: .*\/plain\?1/);
    expect(JSON.parse(readFileSync(file?.path ?? '', 'utf8'))).toHaveProperty('traceEvents');
  });

  it('S1-98 ends by itself after max_capture_time, and is there when it is asked for', async () => {
    await plain();
    await start({ max_capture_time: 300 });
    await expect.poll(status).toMatch(/^Trace of tab \d+: \d+\.\d s\. It ended by itself after 300 ms\.$/);
    const { text, ms, events } = await traced();
    expect(text).toContain('It ended by itself after 300 ms.');
    expect(ms).toBeLessThan(10_000);
    expect(events).toBeGreaterThan(0);
    expect((await kit.fails('capture', { action: 'stop' })).text).toContain('No capture was started');
  });

  it('runs beside a capture of the traffic', async () => {
    await plain();
    await start();
    await kit.ok('capture', { action: 'start' });
    await js(kit, 'fetch("/api/echo").then(() => 1)');
    expect(await status()).toMatch(/^Capture: 1 request, .*\nTrace of tab /);
    expect((await traced()).text).toMatch(/^Trace of /);
    expect(await kit.ok('capture', { action: 'stop' })).toMatch(/^1 request in /);
  });

  it('what belongs to the other mode is refused', async () => {
    const refused = async (args: Record<string, unknown>) => (await kit.fails('capture', args)).text;
    expect(await refused({ action: 'start', reload: true })).toMatch(/^reload is for mode trace\./);
    expect(await refused({ action: 'start', auto_stop: true })).toMatch(/^auto_stop is for mode trace\./);
    expect(await refused({ ...TRACE, inactivity_time: 9 })).toMatch(/^inactivity_time is for mode network\./);
  });
});
