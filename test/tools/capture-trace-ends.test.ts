// Traces that meet others, dialogs, crashes and closed tabs: one at a time in a browser, and what is lost is told.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unlimited } from '../../src/engine/limits.ts';
import { tracesOf } from '../../src/engine/trace/record.ts';
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
  if (/so far/.test(await status())) await kit.call('capture', STOP); // of a test that failed
  await kit.open(`${site.url}/plain`);
});

const TRACE = { action: 'start', mode: 'trace' };
const STOP = { action: 'stop', mode: 'trace' };
const start = (args: Record<string, unknown> = {}) => kit.ok('capture', { ...TRACE, ...args });
const refused = async (args: Record<string, unknown> = {}, caller = 'local') =>
  (await kit.call('capture', { ...TRACE, ...args }, { caller })).failure;
const active = () => kit.server.list()[0]?.context.active;
const status = () => kit.ok('capture', { action: 'status' });
/** Whoever asks by a call waits for the one that records. */
const isRunning = () => {
  const tab = active();
  return tab && tracesOf(tab).trace?.isRunning;
};
const saved = () =>
  readdirSync(join(kit.folder, 'output'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
/** Chrome has handed over the one that ended by itself. */
const handedOver = async () => {
  const tab = active();
  await (tab && tracesOf(tab).trace?.file(unlimited()));
};
const newTab = async () => ((await kit.call('tab_new', { url: `${site.url}/plain` })).data as { tabId: number }).tabId;

/** The next one works; it is left to be dropped for the one after it. */
const works = async () => {
  await start({ max_capture_time: 100 });
  await expect.poll(status).toMatch(/It ended by itself/);
};

/** Reading a trace from source takes a process that compiles first. */
const PATIENT = { timeout: 60_000 };

describe('one trace at a time in a browser', PATIENT, () => {
  it('a second one in the session is told where the first is; a reload for it leaves the page as it is', async () => {
    await start();
    const first = active()?.id;
    const tabId = await newTab();
    await js(kit, 'window.stayed = true');
    const failure = await refused({ tabId, reload: true });
    expect(failure).toMatchObject({ code: 'refused', message: `A trace runs already, in tab ${first}.` });
    expect(await js(kit, 'window.stayed')).toBe('true');
    expect(await kit.ok('capture', { ...STOP, tabId })).toMatch(/^Trace of /);
    await kit.ok('tab_close', { tabId });
    await works();
  });

  it('a second one in another session is refused, and told until when', async () => {
    await start({ max_capture_time: 100_000 });
    await kit.call('navigate', { url: `${site.url}/plain` }, { caller: 'other' });
    const failure = await refused({ reload: true }, 'other');
    expect(failure?.message).toBe(
      'A session of client local records a trace in this browser; Chrome records one at a time.',
    );
    expect(failure?.hint).toMatch(/in \d+ s at the latest/);
    const other = await kit.call('capture', STOP, { caller: 'other' });
    expect(other.failure?.message).toBe('No trace runs in this session.');
    await kit.ok('capture', STOP);
    expect(await refused({}, 'other')).toBeUndefined();
    expect((await kit.call('capture', STOP, { caller: 'other' })).text).toMatch(/^Trace of /);
  });

  it('one that another program records is told too, and the page comes back', async () => {
    const session = await active()?.page.openSession();
    await session?.send('Tracing.start', { transferMode: 'ReportEvents' });
    const failure = await refused({ reload: true });
    expect(failure?.message).toMatch(/^Another program records a trace/);
    expect(await kit.ok('url')).toContain('/plain');
    await session?.detach();
    await expect.poll(() => refused({ max_capture_time: 100 })).toBeUndefined();
  });
});

it(
  '14.17 an idle page whose trace is stopped at once is no stuck page, however busy that of another session is',
  PATIENT,
  async () => {
    const busy = { caller: 'busy' };
    await kit.call('navigate', { url: `${site.url}/plain?busy` }, busy);
    await kit.call('evaluate', { expression: 'void setInterval(() => document.title += "x", 5)' }, busy);
    for (let time = 0; time < 3; time++) {
      await start();
      expect(await kit.ok('capture', STOP)).toMatch(/^Trace of \S+ s: http:\S+\/plain \(no load/);
    }
    await kit.call('session_close', {}, busy);
  },
);

describe('what happens to a page meanwhile', PATIENT, () => {
  it('a dialog: a trace does not start with one, and stops although one is open', async () => {
    await start();
    await js(kit, 'setTimeout(() => alert("Well"), 10)');
    await expect.poll(() => active()?.dialog?.message).toBe('Well');
    expect(await kit.ok('capture', STOP)).toMatch(/^Trace of /);
    expect(await refused()).toMatchObject({ code: 'dialog_open' });
    await kit.ok('dialog', { action: 'accept' });
    await works();
  });

  it('a crash: the trace is lost, which is told once', async () => {
    await start();
    const tab = active();
    tab?.main.send('Page.crash').catch(() => undefined);
    await expect.poll(() => tab?.gone?.code).toBe('page_crashed');
    const { code, text } = await kit.fails('capture', STOP);
    expect([code, text]).toEqual(['page_crashed', expect.stringMatching(/lost with its page: the page crashed\./)]);
    expect((await kit.fails('capture', STOP)).text).toMatch(/^No trace runs/);
    await works();
  });

  it('its tab is closed, also when it waits to be fetched', async () => {
    for (const max_capture_time of [100, 60_000]) {
      const tabId = await newTab();
      await start({ tabId, max_capture_time });
      if (max_capture_time === 100) {
        await expect.poll(status).toMatch(/It ended by itself/);
        await handedOver();
      }
      await kit.ok('tab_close', { tabId });
      expect((await kit.fails('capture', STOP)).text).toMatch(/^The trace of tab \d+ was lost with its page: the /);
      await expect.poll(saved).toEqual([]);
    }
    await works();
  });

  it('its tab is closed while the call waits for the end of the trace', async () => {
    const tabId = await newTab();
    const waiting = kit.call('capture', { ...TRACE, tabId, auto_stop: true });
    await expect.poll(isRunning).toBe(true);
    await kit.server.list()[0]?.context.tabs.get(tabId)?.page.close();
    expect((await waiting).failure?.message).toMatch(/lost with its page: the /);
    await works();
  });

  it('the call that waits is cancelled: nothing runs on', async () => {
    const stop = new AbortController();
    const waiting = kit.call('capture', { ...TRACE, auto_stop: true }, { signal: stop.signal });
    await expect.poll(isRunning).toBe(true);
    stop.abort();
    expect((await waiting).failure?.code).toBe('cancelled');
    await expect.poll(() => refused({ max_capture_time: 100 })).toBeUndefined();
    await expect.poll(status).toMatch(/It ended by itself/);
    await expect.poll(saved).toHaveLength(1);
  });

  it('more happens than fits: it ends by itself, and what there is can be had', async () => {
    await start();
    const session = active()?.main.session;
    session?.receive('Tracing.bufferUsage', { percentFull: 0.96 });
    await expect.poll(status).toMatch(/It ended because its buffer was full\.$/);
    await handedOver();
  });

  it('the browser ends: that is told, and the next one works', async () => {
    await start();
    const browser = active()?.page.context().browser();
    const session = await browser?.openBrowserSession();
    session?.send('Browser.crash').catch(() => undefined); // there is no answer
    await expect.poll(() => browser?.isConnected()).toBe(false);
    const { code, text } = await kit.fails('capture', STOP);
    expect([code, text]).toEqual(['browser_gone', expect.stringMatching(/lost with its page: the browser ended\./)]);
    await works();
  });
});
