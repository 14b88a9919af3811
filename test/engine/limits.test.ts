// Limits within limits: which of two that end at the same moment says why.
import { expect, it } from 'vitest';
import { unlimited, within } from '../../src/engine/limits.ts';
import { Failure } from '../../src/errors.ts';

const late = (words: string) => () => new Failure('timeout', words);

it.each([
  [1_000, 'timeout', 'inner'],
  [10_000, 'timeout', 'outer'],
  [1_000, 'cancelled', 'outer'],
] as const)('of %i ms in 5000 ms that end as %s: the %s reason', (ms, code, reason) => {
  const stop = new AbortController();
  const outer = { ...unlimited(stop.signal), deadline: performance.now() + 5_000 };
  const inner = within(outer, ms, late('inner'));
  stop.abort(new Failure(code, 'outer'));
  expect(inner.signal.reason.message).toBe(reason);
  inner.done();
});
