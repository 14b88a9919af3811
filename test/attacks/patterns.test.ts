// Callers whose url patterns never end: the server answers everybody else meanwhile.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
  await kit.open(`/signup.html?${'a'.repeat(34)}!`);
});
afterAll(() => kit.close());

/** How long the server answered nobody while that was going on, in ms. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

const ENDLESS = '/(a+)+$/';

it.each([
  ['wait', { for: 'url', url: ENDLESS, timeout: 2_000 }],
  ['network_log', { url_pattern: ENDLESS }],
  ['tab_close', { url: ENDLESS }],
])('15.5 %s with a regular expression without end stops nobody else', async (tool, args) => {
  const pause = await longestPause(async () => {
    const { code, text } = await kit.fails(tool, args);
    expect([code, text]).toEqual(['bad_input', expect.stringContaining('takes too long')]);
  });
  expect(pause).toBeLessThan(1_000);
});

it('15.5 a glob of many stars stops nobody else', async () => {
  const pause = await longestPause(async () => {
    await kit.open(`/signup.html?${'a'.repeat(8_000)}`);
    await kit.call('network_log', { url_pattern: `${'*a'.repeat(2_400)}b` });
  });
  expect(pause).toBeLessThan(1_000);
});

it.each([
  ['route', { action: 'add', url_pattern: ENDLESS, handler: 'abort' }, { action: 'list' }],
  ['capture', { action: 'start', filter: { url_pattern: ENDLESS } }, { action: 'status' }],
])('15.5 %s says that its pattern takes too long, and stops nobody else', async (tool, on, state) => {
  await kit.ok(tool, on);
  const pause = await longestPause(() => kit.open(`/signup.html?${'a'.repeat(34)}!`));
  expect(pause).toBeLessThan(1_000);
  expect(await kit.ok(tool, state)).toContain('takes too long');
});
