// Pages that make the browser send messages without end: the link to the browser, and the memory of the server, stay as they were.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
  await kit.open('/signup.html');
  await kit.ok('navigate', { session: 'other', url: `${kit.site.url}/tables.html` });
});
afterAll(() => kit.close());

// As JSON it is longer than a string may be.
it("15.4 a console message of 95 MB ends nobody else's session, and its beginning is shown", async () => {
  await kit.ok('evaluate', { expression: "console.log('\\u0001'.repeat(95e6)); console.log('after it')" });
  expect(await kit.ok('title', { session: 'other' })).toBe('Tables');
  await expect.poll(() => kit.ok('console')).toContain('after it');
  expect((await kit.ok('console')).length).toBeGreaterThan(4_000);
}, 120_000);

it('15.4 a prompt with a long default is seen and answered', async () => {
  const ask = "document.title = String(prompt('Name', 'x'.repeat(1e6)))";
  await kit.ok('evaluate', { expression: `setTimeout(() => { ${ask} })` });
  await expect.poll(() => kit.call('dialog', { action: 'accept', prompt_text: 'Ada' })).toMatchObject({ ok: true });
  await expect.poll(() => kit.ok('title')).toBe('Ada');
});

it('15.4 an answer of 150 MB is refused, and the next one is not', async () => {
  const { text } = await kit.fails('evaluate', { expression: "'x'.repeat(150e6)" });
  expect(text).toContain('more than the 128 MB');
  expect(await kit.ok('evaluate', { expression: '1 + 1' })).toContain('2');
});
