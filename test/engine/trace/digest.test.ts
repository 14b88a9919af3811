// What is told of a trace, from a recorded one: no browser is needed for that.

import '../../../src/engine/trace/polyfills.ts';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Types } from '@paulirish/trace_engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unlimited } from '../../../src/engine/limits.ts';
import { digest, ownEvents } from '../../../src/engine/trace/digest.ts';
import type { Insight, TraceReport } from '../../../src/engine/trace/report.ts';
import { readTrace, type TraceFormat } from '../../../src/engine/trace/trace-file.ts';
import { insightText, tracedText } from '../../../src/tools/browser/trace-text.ts';

type Event = Types.Events.Event;

const RECORDED = gunzipSync(readFileSync(join(import.meta.dirname, 'recorded', 'slow.json.gz'))).toString();
const { traceEvents }: { traceEvents: Event[] } = JSON.parse(RECORDED);

let reading: TraceReport;
beforeAll(async () => {
  reading = await digest(traceEvents);
});

const insight = (name: string): Insight => {
  const found = reading.insights.find(one => one.name === name);
  if (!found) throw new Error(`no insight ${name}`);
  return found;
};

describe('the reading of a trace (S2-68)', () => {
  it('has the largest paint with its element, resource and parts', () => {
    expect(reading).toMatchObject({ url: 'http://slow.example/', loaded: true, others: [] });
    expect(reading.lcp).toMatchObject({ element: 'img#hero', resource: '/hero.bmp' });
    const { ms = 0, parts = [] } = reading.lcp ?? {};
    expect(parts.map(({ name }) => name)).toEqual(['time to the first byte', 'load delay', 'loading', 'render delay']);
    expect(Math.abs(parts.reduce((sum, part) => sum + part.ms, 0) - ms)).toBeLessThan(5);
    expect(reading.fcp).toBeLessThan(ms);
  });

  it('has the shifts with what moved', () => {
    expect(reading.cls.score).toBeCloseTo(0.0824, 4);
    expect(reading.cls.clusters).toEqual([
      expect.objectContaining({ score: reading.cls.score, shifts: 1, moved: ['img#hero', 'p#moved'] }),
    ]);
  });

  it('has the slowest interaction with its parts', () => {
    expect(reading.inp).toMatchObject({ type: 'pointerdown', element: 'button#work' });
    expect(reading.inp?.parts[1]?.ms).toBeGreaterThanOrEqual(120);
  });

  it('has the long tasks, and which function they were spent in', () => {
    const { count, longest, blocking, worst } = reading.longTasks;
    expect(count).toBeGreaterThanOrEqual(2);
    expect(longest).toBeGreaterThanOrEqual(180);
    expect(blocking).toBeGreaterThanOrEqual(longest - 50);
    expect(worst[0]).toMatchObject({ ms: longest, where: expect.stringMatching(/busyWork \(\/:7:20\)/) });
    expect(reading.busy.scripting).toBeGreaterThan(280);
  });

  it('has all insights, those that apply first and those that promise most before others', () => {
    const states = reading.insights.map(({ state }) => state);
    expect(states).toHaveLength(19);
    expect(states.join(' ')).toMatch(/^(applies )+(fine )+(unknown ?)+$/);
    expect(reading.insights[0]?.name).toBe('RenderBlocking');
  });

  it.each([
    ['LCPBreakdown', 'applies', /^most is loading: \d+ of \d+ ms$/, /^\/hero\.bmp: 960 kB, Image, High/m],
    ['LCPDiscovery', 'applies', /no fetchpriority=high/, /^Found in the HTML itself: yes$/m],
    [
      'RenderBlocking',
      'applies',
      /^1 request held up the first paint, the longest \d+ ms$/,
      /^\/slow\.css: \d+ bytes/m,
    ],
    [
      'NetworkDependencyTree',
      'applies',
      /wait for each other take \d+ ms/,
      /^ {2}\/slow\.css: done at \d+ ms \(longest\)$/m,
    ],
    ['CLSCulprits', 'applies', /^0\.0824 by 1 shift; the cause is not known$/, /img#hero, p#moved moved$/m],
    [
      'INPBreakdown',
      'applies',
      /^pointerdown on button#work took \d+ ms, most of it listeners$/,
      /^listeners: \d+ ms$/m,
    ],
    [
      'ImageDelivery',
      'applies',
      /^1 picture could be smaller by \d+ kB$/,
      /^\/hero\.bmp \(960 kB\): use WebP or AVIF/m,
    ],
    ['Cache', 'applies', /^2 files may be kept for a short time only$/, /^\/hero\.bmp \(960 kB\): no lifetime$/m],
    ['DocumentLatency', 'fine', /^the server answered in \d+ ms$/, /^Redirects: 0, 0 ms$/m],
    ['CharacterSet', 'fine', /says its encoding/, /first 1024 bytes: yes$/m],
    ['DOMSize', 'fine', /^\d+ elements$/, /^Most children: \d+, body$/m],
    ['Viewport', 'fine', /^taps need not wait$/, /^No viewport in the HTML$/m],
    ['ThirdParties', 'fine', /^nothing came from elsewhere$/, /^$/],
    ['ForcedReflow', 'fine', /^no script forced a layout$/, /^$/],
    ['FontDisplay', 'fine', /^no text waited for a font$/, /^$/],
    ['ModernHTTP', 'fine', /HTTP\/1\.1/, /^$/],
    ['LegacyJavaScript', 'fine', /^no code for old browsers/, /^$/],
    ['DuplicatedJavaScript', 'unknown', /source maps/, /^$/],
    ['SlowCSSSelector', 'unknown', /not counted/, /^$/],
  ] as const)('%s %s', (name, state, verdict, details) => {
    const { docs, ...told } = insight(name);
    expect(told).toMatchObject({ state, verdict: expect.stringMatching(verdict) });
    expect(told.details.join('\n')).toMatch(details);
    expect(docs).toMatch(/^https:\/\/developer\.chrome\.com\//);
  });

  it('says of what needs the load of a page that there was none, instead of that all is well', async () => {
    const late = traceEvents.filter(({ name }) => name !== 'navigationStart');
    const { loaded, lcp, insights, inp } = await digest(late);
    expect([loaded, lcp, inp?.element]).toEqual([false, undefined, 'button#work']);
    const about = insights.find(({ name }) => name === 'DocumentLatency');
    expect(about).toMatchObject({ state: 'unknown', verdict: 'no load of a page is in the trace' });
  });

  it('is small, whatever the trace holds', async () => {
    const long = `http://slow.example/${'x'.repeat(100_000)}`;
    const large = traceEvents.map(event =>
      JSON.parse(JSON.stringify(event).replaceAll('http://slow.example/hero.bmp', long)),
    );
    const told = JSON.stringify(await digest(large));
    expect(told).toContain(`/${'x'.repeat(100)}`);
    expect(told.length).toBeLessThan(20_000);
  });
});

describe('the words for it', () => {
  it('tell the numbers, what applies in a line each, and the names of the rest', () => {
    const text = String(tracedText({ ms: 5_600, events: 9, reading }));
    expect(text).toMatch(
      /^Trace of 5\.6 s: http:\/\/slow\.example\/\.\nLCP \d+ ms: img#hero, \/hero\.bmp \(time to the first byte \d+ ms, /,
    );
    expect(text).toMatch(/^CLS 0\.0824: 1 shift at \d+\.\d s of img#hero, p#moved$/m);
    expect(text).toMatch(/^INP \d+ ms: pointerdown on button#work \(input delay /m);
    expect(text).toMatch(/^\d long tasks, blocking \d+ ms in all: \d+ ms at \d\.\d s in .*busyWork/m);
    expect(text).toMatch(/^- RenderBlocking: 1 request held up .*; could save FCP \d+ ms$/m);
    expect(text).toMatch(/^Fine: .*DocumentLatency/m);
    expect(text).toMatch(/^Not known from this trace: DuplicatedJavaScript, SlowCSSSelector$/m);
    expect(text.length).toBeLessThan(3_000);
  });

  it('tell one insight with its details and where it is explained', () => {
    expect(insightText(insight('ImageDelivery'))).toMatch(
      /^ImageDelivery: 1 picture could be smaller by 907 kB; could save .*907 kB\.\n\/hero\.bmp .*\nMore about it: https:/,
    );
    expect(insightText(insight('ForcedReflow'))).toMatch(
      /^ForcedReflow: no script forced a layout\. Nothing to do\.\n/,
    );
  });

  it('tell that a trace could not be read, and why', () => {
    expect(tracedText({ ms: 1_000, events: 0, unread: 'it is too large', cut: true })).toBe(
      'Trace of 1.0 s, which could not be read: it is too large. Its end is missing: it was too large.',
    );
  });
});

describe('the process that reads', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabwright-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const lines = (events: readonly object[]) => events.map(event => `${JSON.stringify(event)}\n`).join('');
  const read = (text: string, form: TraceFormat = 'none', signal?: AbortSignal) => {
    const path = join(folder, 'trace.raw');
    writeFileSync(path, text);
    return readTrace({ path, started: Date.UTC(2026, 0, 1) }, form, unlimited(signal));
  };

  it('tells the same, and leaves what may be kept in the form that DevTools opens', async () => {
    expect(await read(lines(traceEvents), 'gzip')).toEqual({ events: traceEvents.length, reading });
    expect(readdirSync(folder).sort()).toEqual(['trace.raw', 'trace.raw.kept']);
    const kept = JSON.parse(gunzipSync(readFileSync(join(folder, 'trace.raw.kept'))).toString());
    expect(kept.traceEvents).toEqual(traceEvents);
    expect(kept.metadata).toEqual({ source: 'Tabwright', startTime: '2026-01-01T00:00:00.000Z' });
  });

  it('says why when there is nothing to tell', async () =>
    expect(await read('', 'plain')).toEqual({
      events: 0,
      unread: expect.stringMatching(/^it holds nothing of a page/),
    }));

  it('says why when it is no trace', async () =>
    expect(await read('{')).toEqual({ events: 0, unread: expect.stringMatching(/^its reader ended: /) }));

  it('ends with the call', async () => {
    const stop = new AbortController();
    const ended = read(lines(traceEvents), 'none', stop.signal);
    stop.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
  });
});

describe('what is of the page', () => {
  const other = 4_711;
  const of = (pid: number, name: string, args: object = {}) => ({ pid, tid: 1, ts: 0, ph: 'I', cat: '', name, args });
  const kept = (...events: object[]) =>
    (ownEvents(events as unknown as Event[]) as { name: string }[]).map(({ name }) => name);

  it('is what its processes tell, also those that its frames got later', () => {
    const begun = of(1, 'TracingStartedInBrowser', { data: { frames: [{ frame: 'F', processId: 2 }] } });
    const ready = of(1, 'ProcessReadyInBrowser', { data: { frame: 'G', processPseudoId: '0x1', processId: 3 } });
    const committed = of(1, 'FrameCommittedInBrowser', { data: { frame: 'G', processPseudoId: '0x1' } });
    expect(kept(of(3, 'C'), begun, of(2, 'B'), ready, committed)).toEqual([
      ...['C', 'TracingStartedInBrowser', 'B', 'ProcessReadyInBrowser', 'FrameCommittedInBrowser'],
    ]);
  });

  it('is nothing of other processes but their names; labels have titles of pages', () => {
    const begun = of(1, 'TracingStartedInBrowser', { data: { frames: [{ processId: 2 }] } });
    const events = ['process_name', 'thread_name', 'process_labels', 'ResourceSendRequest'].map(name =>
      of(other, name),
    );
    expect(kept(begun, ...events, of(1, 'RunTask'))).toEqual([
      'TracingStartedInBrowser',
      'process_name',
      'thread_name',
    ]);
  });
});
