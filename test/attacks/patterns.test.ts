// Callers whose url patterns never end: the server answers everybody else meanwhile.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

/** With so many, the expression below takes several seconds. */
const MANY = 'a'.repeat(30);

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
  await kit.open(`/signup.html?${MANY}!`);
});
afterAll(() => kit.close());

/** How long the server answered nobody while that was going on, in ms. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const clock = setInterval(tick, 5);
  await work();
  clearInterval(clock);
  tick();
  return longest;
}

const ENDLESS = '/(a+)+$/';

it.each([
  ['wait', { for: 'url', url: ENDLESS, timeout: 2_000 }],
  ['network_log', { url_pattern: ENDLESS }],
  ['tab_close', { url: ENDLESS }],
])('15.5 %s with a regular expression without end stops nobody else', async (tool, args) => {
  let answer: unknown;
  const pause = await longestPause(async () => {
    answer = (await kit.call(tool, args)).failure;
  });
  expect(pause).toBeLessThan(1_000);
  expect(answer).toMatchObject({ code: 'bad_input', message: expect.stringContaining('takes too long') });
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
  const pause = await longestPause(() => kit.open(`/signup.html?${MANY}!`));
  expect(pause).toBeLessThan(1_000);
  expect(await kit.ok(tool, state)).toContain('takes too long');
});
