// Traces of pages that were there before: which page they are about, what an idle one tells, and whose they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SlowSite, startSlowSite } from '../engine/trace/slow-site.ts';
import { type Kit, startKit } from '../kit.ts';
import { type OtherBrowser, otherBrowser } from '../other-browser.ts';

let other: OtherBrowser;
let kit: Kit;
let site: SlowSite;
beforeAll(async () => {
  other = await otherBrowser();
  [kit, site] = await Promise.all([startKit('--cdp-endpoint', other.endpoint, '--share-browser'), startSlowSite()]);
}, 60_000);
afterAll(async () => {
  await kit.close();
  await site.close();
  await other.end();
});

const START = { action: 'start', mode: 'trace' };
const STOP = { action: 'stop', mode: 'trace' };
/** Reading a trace from source takes a process that compiles first. */
const PATIENT = { timeout: 90_000 };

describe('14.17 traces without a load', PATIENT, () => {
  it('are about the page that is shown, not about one before it', async () => {
    for (const path of ['/plain?first', '/plain?second', '/plain?third']) await kit.open(site.url + path);
    await kit.ok('capture', START);
    await kit.ok('evaluate', { expression: 'for (const end = performance.now() + 120; performance.now() < end; );' });
    const text = await kit.ok('capture', { ...STOP });
    expect(text).toMatch(/^Trace of \S+ s: http:\S+\/plain\?third \(no load/);
    expect(text).not.toMatch(/first|second/);
  });

  it('tell of two idle seconds that nothing happened', async () => {
    await kit.open('/article.html');
    await kit.ok('capture', START);
    await kit.ok('wait', { for: 'timeout', duration: 2_000 });
    const text = await kit.ok('capture', STOP);
    expect(text).toMatch(/^Trace of 2\S* s: http:\S+\/article\.html \(no load/);
    expect(text).toMatch(/^No long tasks$/m);
  });
});

describe('14.17 the trace of a client that has gone', PATIENT, () => {
  it('is told whose it is, ends with its client, and frees the browser', async () => {
    await kit.call('navigate', { url: `${site.url}/plain?lost` }, { caller: 'lost' });
    expect(await kit.call('capture', START, { caller: 'lost' })).toMatchObject({ ok: true });
    const refusal = await kit.call('capture', START, { caller: 'next' });
    expect(refusal.failure?.message).toMatch(
      /^A session of client lost records a trace in this browser; Chrome records one at a time/,
    );
    await kit.server.leave({ id: 'lost' });
    const next = await kit.call('capture', START, { caller: 'next' });
    expect([next.ok, next.text]).toEqual([true, expect.any(String)]);
    expect((await kit.call('capture', STOP, { caller: 'next' })).text).toMatch(/^Trace of /);
  });
});
