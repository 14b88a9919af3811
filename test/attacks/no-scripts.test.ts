// A caller without scripts who brings one into a page by a route.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('--no-scripts');
});
afterAll(() => kit.close());

it.each([
  ['sent on to', { handler: 'continue', modify: { url: 'https://evil.example/own.js' } }],
  [
    'redirected to',
    { handler: 'fulfill', response: { status: 302, headers: { Location: 'https://evil.example/own.js' } } },
  ],
])('15.11 a request that is %s a script of the caller is refused', async (_how, rule) => {
  const { code, text } = await kit.fails('route', { action: 'add', url_pattern: '**/*.js', ...rule });
  expect([code, text]).toEqual(['refused', expect.stringContaining('rule "no scripts"')]);
  await kit.ok('route', { action: 'add', url_pattern: '**/ads/**', handler: 'abort' });
});
