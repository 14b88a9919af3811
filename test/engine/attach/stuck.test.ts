// Tabs of an attached browser that do not answer: they hold up nobody else, and nothing of them is lost.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { type Person, page, person } from './person.ts';

const LOOP = '<script>setTimeout(() => { document.title = "Loop"; setTimeout(() => { for (;;); }, 50); })</script>';
const asking = (call: string) =>
  `<script>setTimeout(() => { document.title = "Asks"; setTimeout(() => { document.title = 'said ' + ${call}; }, 50); })</script>`;

let ada: Person;
let kit: Kit;
let loop: string;
beforeAll(async () => {
  ada = await person();
  await ada.open(page('Fine', '<button>Go'), 'Fine');
  loop = await ada.open(page('', LOOP), 'Loop');
  await ada.open(page('', asking('confirm("Sure?")')), 'Asks');
  kit = await startKit('--cdp-endpoint', ada.browser.endpoint);
}, 60_000);
afterAll(async () => {
  await kit.close();
  await ada.end();
});

const idOf = async (title: string): Promise<number> => {
  const text = await kit.ok('tab_list');
  return Number(new RegExp(`(\\d+): .*"${title}"`).exec(text)?.[1]);
};

it('a page in an endless loop and an open dialog do not keep the browser from being attached to', async () => {
  const text = await kit.ok('tab_list');
  expect(text).toContain('"Loop"');
  expect(text).toMatch(/^\* \d+: .*"Asks"/m);
  expect(await kit.ok('snapshot', { tabId: await idOf('Fine') })).toContain('button "Go"');
}, 60_000);

it('S2-54: a dialog that was open before is dismissed; Chrome does not let it be read or accepted, and that is said', async () => {
  const tabId = await idOf('Asks');
  for (const action of ['get_message', 'accept']) {
    const { code, text } = await kit.fails('dialog', { action, tabId });
    expect(code).toBe('page_unresponsive');
    expect(text).toMatch(/before this browser was attached to.*\nUse action dismiss/s);
  }
  expect(await kit.ok('dialog', { action: 'dismiss', tabId })).toContain('Dismissed');
  await expect.poll(() => kit.ok('title', { tabId })).toBe('said false');
}, 60_000);

it('a call on a tab that does not answer fails soon, says why and what to do, and stops nothing there', async () => {
  const { code, text } = await kit.fails('snapshot', { tabId: await idOf('Loop') });
  expect(code).toBe('page_unresponsive');
  expect(text).toContain('"Loop"');
  expect(text).toMatch(/nothing was stopped or closed.*\n.*dialog tool.*tab_new/s);
  expect((await ada.pages()).find(({ id }) => id === loop)).toMatchObject({ title: 'Loop', attached: false });
  const none = await kit.fails('dialog', { action: 'dismiss', tabId: await idOf('Loop') });
  expect(none.text).toContain('No dialog could be dismissed');
  await kit.ok('tab_close', { tabId: await idOf('Loop') });
  await expect.poll(async () => (await ada.pages()).some(({ id }) => id === loop)).toBe(false);
  expect(await kit.ok('title', { tabId: await idOf('Fine') })).toBe('Fine');
}, 60_000);

it('also when its tab is alone in a window; nothing stays of the tab that was needed for it', async () => {
  const { targetId } = await ada.line.root.send('Target.createTarget', {
    url: page('', asking('prompt("Name?")')),
    newWindow: true,
  });
  await expect.poll(async () => (await ada.pages()).find(({ id }) => id === targetId)?.title).toBe('Asks');
  const before = (await ada.pages()).length;
  const tabId = await idOf('Asks');
  // The page has its title a moment before it asks.
  await expect.poll(async () => (await kit.call('dialog', { action: 'dismiss', tabId })).text).toContain('Dismissed');
  await expect.poll(() => kit.ok('title', { tabId })).toBe('said null');
  await expect.poll(async () => (await ada.pages()).length).toBe(before);
  expect((await kit.ok('tab_list')).split('\n')).toHaveLength(before);
}, 60_000);

it("a person's page that gets stuck under a call is not stopped; one that the agent opened is", async () => {
  const fine = await idOf('Fine');
  const hang = { expression: 'setTimeout(() => { const end = Date.now() + 9_000; while (Date.now() < end); })' };
  await kit.ok('evaluate', { ...hang, tabId: fine });
  const { code, text } = await kit.fails('title', { tabId: fine });
  expect(code).toBe('page_unresponsive');
  expect(text).toContain('nothing was stopped or closed');
  await kit.ok('tab_new', { url: page('Own') });
  await kit.ok('evaluate', { expression: 'setTimeout(() => { for (;;); })' });
  expect((await kit.fails('title')).text).toContain('stopped');
  expect(await kit.ok('title')).toBe('Own');
}, 90_000);

it('a tab of theirs that crashes stays where it is, and is loaded again for the next call', async () => {
  const target = await ada.open(page('Crash'), 'Crash');
  const tabId = await idOf('Crash');
  expect(await kit.ok('title', { tabId })).toBe('Crash');
  const session = await ada.line.attach(target);
  session.send('Page.crash').catch(() => undefined); // a page that crashes does not answer
  await expect
    .poll(() => kit.call('title', { tabId }).then(({ text }) => text), { timeout: 20_000 })
    .toMatch(/crashed.*opened again.*Crash$/s);
  await session.detach();
  expect((await ada.pages()).find(({ id }) => id === target)?.title).toBe('Crash');
}, 60_000);
