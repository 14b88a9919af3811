// Callers with few rights who try to do more with arguments of tools that they may use.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TOOLS } from '../../src/tools/index.ts';
import { factsOf } from '../../src/tools/touches.ts';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
  await kit.open('/signup.html');
});
afterAll(() => kit.close());

const asReader = (name: string, args: Record<string, unknown>) => kit.call(name, args, { may: { effects: ['read'] } });

it('15.3 a reader runs no script by waiting for a function, and may wait for text', async () => {
  const script = { for: 'function', function: 'document.title = "Mine"; return true' };
  const { failure, text } = await asReader('wait', script);
  expect([failure?.code, text]).toEqual([
    'refused',
    expect.stringContaining('wait (effect "danger" with these arguments) is refused: rule "permissions of local"'),
  ]);
  expect(await kit.ok('title')).not.toBe('Mine');
  expect((await asReader('wait', { for: 'text', text: 'Sign up' })).ok).toBe(true);
});

it('15.3 no tool that takes a script is said to be read-only', async () => {
  const { LISTED } = await import('../../src/surfaces/listing/listed.ts');
  const takers = TOOLS.filter(({ input }) => factsOf(input).takesScript).map(({ name }) => name);
  expect(takers).toContain('wait');
  const readOnly = LISTED.filter(({ tool }) => tool.annotations?.readOnlyHint).map(({ tool }) => tool.name);
  expect(readOnly.filter(name => takers.includes(name))).toEqual([]);
});

it('15.13 a reader writes no files', async () => {
  const { failure } = await asReader('snapshot', { save_path: 'mine.txt' });
  expect(failure?.code).toBe('refused');
  expect((await asReader('record', { action: 'start' })).ok).toBe(true);
  expect((await asReader('record', { action: 'stop' })).failure?.code).toBe('refused');
  expect((await asReader('screenshot', { save_above: 1 })).failure?.code).toBe('refused');
  expect(existsSync(join(kit.folder, 'output'))).toBe(false);
  expect((await asReader('snapshot', {})).ok).toBe(true);
});
