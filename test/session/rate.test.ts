// How many calls a caller may send in a minute.
import { expect, it } from 'vitest';
import { RateLimits } from '../../src/session/rules/rate.ts';

const taken = async (rates: RateLimits, caller: { id: string; rateLimit?: number }, times: number) => {
  const results = [];
  for (let at = 0; at < times; at++)
    results.push(
      await Promise.resolve(rates.take(caller)).then(
        () => 'ok',
        (error: unknown) => error,
      ),
    );
  return results;
};

it('S3-21: lets so many through, then says when to try again', async () => {
  const results = await taken(new RateLimits(3), { id: 'ann' }, 5);
  expect(results.slice(0, 3)).toEqual(['ok', 'ok', 'ok']);
  for (const failure of results.slice(3))
    expect(failure).toMatchObject({
      code: 'rate_limited',
      rule: 'at most 3 calls per minute',
      message: expect.stringMatching(/try again in ([1-9]|[1-5]\d|60) s\.$/),
    });
});

it('counts each caller by itself, and its own limit before that of the server', async () => {
  const rates = new RateLimits(1);
  expect(await taken(rates, { id: 'ann' }, 2)).toEqual(['ok', expect.objectContaining({ code: 'rate_limited' })]);
  expect(await taken(rates, { id: 'bob', rateLimit: 2 }, 2)).toEqual(['ok', 'ok']);
  expect(await taken(rates, { id: 'cid' }, 1)).toEqual(['ok']);
});

it('counts nothing for a caller without a limit', async () => {
  const rates = new RateLimits(1);
  expect(rates.take({ id: 'local', rateLimit: 0 })).toBeUndefined();
  expect(new RateLimits(0).take({ id: 'ann' })).toBeUndefined();
  expect(await taken(rates, { id: 'local', rateLimit: 0 }, 10)).toEqual(Array(10).fill('ok'));
});
