// Fair shares: a few callers, or a page, take every place that there is, so that nothing is left for others.
import { afterEach, describe, expect, it } from 'vitest';
import { ask, modern, withToken } from '../surfaces/http/ask.ts';
import { fixedKeys, type Here, listenHere, waiting } from '../surfaces/http/here.ts';

describe('15.15 calls', () => {
  let here: Here | undefined;
  afterEach(() => here?.end());

  const tokenOf = (id: string) => `token-of-${id}-for-the-tests`;
  const greedy = ['ada', 'bob', 'cem', 'dan', 'eve'];
  const callAs = (at: Here, id: string) => ask(at.url, withToken(modern('tools/call', { name: 'echo' }), tokenOf(id)));

  it.each([
    ['requests', { messages: 16, messagesPerCaller: 8 }, 2],
    ['requests', { messages: 16, messagesPerCaller: 8 }, 5],
    ['calls', { calls: 16 }, 1],
    ['calls', { calls: 16 }, 5],
  ])('15.15 long %s (%o) of %i callers leave a place for one who has none', async (_, limits, count) => {
    const { run, calls, release } = waiting();
    const ids = [...greedy, 'victim'];
    here = await listenHere(run, limits, {
      tokens: await fixedKeys(Object.fromEntries(ids.map(id => [id, tokenOf(id)]))),
    });
    const at = here;
    const running: Promise<unknown>[] = [];
    for (const id of greedy.slice(0, count)) {
      // One after the other, until one is refused at once.
      for (let isRefused = false; !isRefused; ) {
        const begun = calls.length;
        const answer = callAs(at, id).then(() => {
          isRefused = true;
        });
        running.push(answer);
        await expect.poll(() => isRefused || calls.length > begun).toBe(true);
      }
    }
    expect(calls.length).toBeGreaterThanOrEqual(8);
    running.push(callAs(at, 'victim'));
    await expect.poll(() => calls.at(-1)?.caller.id).toBe('victim');
    release();
    await Promise.all(running);
    expect((await callAs(at, 'ada')).status).toBe(200);
  });
});
