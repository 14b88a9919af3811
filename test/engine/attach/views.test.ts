// --share-browser: every caller sees the own tabs of the attached browser, each with an active tab, refs and logs of its own.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Result } from '../../../src/call/call.ts';
import { type Kit, startKit } from '../../kit.ts';
import { type Person, page, person } from './person.ts';

let ada: Person;
let kit: Kit;
let shop: string;
beforeAll(async () => {
  ada = await person();
  shop = await ada.open(page('Shop', '<button onclick="alert(\'Sold\')">Buy</button>'), 'Shop');
  await ada.open(page('News', '<p>Rain</p>'), 'News');
  kit = await startKit('--cdp-endpoint', ada.browser.endpoint, '--share-browser');
}, 60_000);
afterAll(async () => {
  await kit.close();
  await ada.end();
});

const as =
  (caller: string) =>
  async (name: string, args: Record<string, unknown> = {}): Promise<Result> =>
    kit.call(name, args, { caller });
const one = as('one');
const two = as('two');
const textOf = async (result: Promise<Result>): Promise<string> => (await result).text;

async function idOf(who: typeof one, title: string): Promise<number> {
  return Number(new RegExp(`(\\d+): .*"${title}"`).exec(await textOf(who('tab_list')))?.[1]);
}

it('S2-21: both see the same tabs, and each has its own active tab and refs', async () => {
  expect(await textOf(one('tab_list'))).toMatch(/"Shop"\n\* \d+: .*"News"$/);
  await one('tab_switch', { tabId: await idOf(one, 'Shop') });
  await two('tab_switch', { tabId: await idOf(two, 'News') });
  expect(await textOf(one('title'))).toBe('Shop');
  expect(await textOf(two('title'))).toBe('News');
  expect(await textOf(one('snapshot'))).toContain('button "Buy" [ref=@e1]');
  await two('evaluate', { expression: 'console.log("only here")' });
  expect(await textOf(two('console'))).toContain('only here');
  expect(await textOf(one('console'))).not.toContain('only here');
  // What one opens, the other may use as well.
  await one('tab_new', { url: page('Mine') });
  expect(await textOf(two('title', { tabId: await idOf(two, 'Mine') }))).toBe('Mine');
  await two('tab_close', { tabId: await idOf(two, 'Mine') });
  await expect.poll(() => textOf(one('tab_list'))).not.toContain('"Mine"');
}, 60_000);

it('a person opens and closes a tab: both see it', async () => {
  const target = await ada.open(page('Mail'), 'Mail');
  for (const who of [one, two]) expect(await textOf(who('tab_list'))).toContain('"Mail"');
  expect(await textOf(one('title', { tabId: await idOf(one, 'Mail') }))).toBe('Mail');
  await ada.close(target);
  for (const who of [one, two]) await expect.poll(() => textOf(who('tab_list'))).not.toContain('"Mail"');
}, 60_000);

it('S2-54: a dialog stops both, and the answer of one sets both free', async () => {
  for (const who of [one, two]) await who('tab_switch', { tabId: await idOf(who, 'Shop') });
  expect(await textOf(one('click', { selector: 'role:button' }))).toContain('Sold');
  const stopped = await two('snapshot');
  expect(stopped.failure?.code).toBe('dialog_open');
  expect(stopped.text).toContain('"Sold"');
  // One that comes only now is told as well.
  const late = await as('late')('snapshot', { tabId: await idOf(as('late'), 'Shop') });
  expect(late.failure?.code).toBe('dialog_open');
  expect(await textOf(two('dialog', { action: 'accept' }))).toContain('Accepted: alert "Sold"');
  for (const who of [one, two]) expect(await textOf(who('snapshot'))).toContain('button "Buy"');
  expect((await one('dialog', { action: 'accept' })).failure?.code).toBe('no_dialog');
}, 60_000);

it('14.20: what slows a page down is told to all who show it, and ends with whoever set it', async () => {
  for (const who of [one, two]) await who('tab_switch', { tabId: await idOf(who, 'News') });
  const three = as('three');
  await three('tab_switch', { tabId: await idOf(three, 'News') });
  const isOnline = () => textOf(two('evaluate', { expression: 'navigator.onLine' }));
  const told = (who: typeof one) => textOf(who('emulate'));
  expect(await told(two)).toBe('Nothing is emulated.');
  await one('emulate', { network_throttle: 'slow_3g', cpu_throttle: 2, color_scheme: 'dark' });
  expect(await told(two)).toBe('Emulated: network slow_3g, CPU 2x slower.');
  // Whoever shows the page may end it.
  await two('emulate', { network_throttle: 'none', cpu_throttle: 1 });
  expect(await told(one)).toBe('Emulated: color scheme dark.');
  await three('emulate', { offline: true });
  expect([await told(one), await told(two)]).toEqual(['Emulated: color scheme dark, offline.', 'Emulated: offline.']);
  await expect.poll(isOnline).toBe('false');
  await kit.server.leave({ id: 'three' });
  expect(await told(two)).toBe('Nothing is emulated.');
  await expect.poll(isOnline).toBe('true');
  // Whoever only shows the page takes nothing away by going.
  await one('emulate', { offline: true });
  await three('title', { tabId: await idOf(three, 'News') });
  await kit.server.leave({ id: 'three' });
  expect(await told(two)).toBe('Emulated: offline.');
  await expect.poll(isOnline).toBe('false');
  await one('emulate', { reset: true });
}, 60_000);

it('S2-23: writes of all callers take turns, in the order in which they came', async () => {
  await one('tab_switch', { tabId: await idOf(one, 'Shop') });
  await two('tab_switch', { tabId: await idOf(two, 'News') });
  const order: string[] = [];
  const note = (name: string, call: Promise<Result>) => call.then(({ ok }) => order.push(ok ? name : `${name} failed`));
  const expression = 'new Promise(resolve => { globalThis.go = resolve; document.title = "Held"; })';
  const slow = note('slow', one('evaluate', { expression }));
  await expect.poll(async () => (await ada.pages()).some(({ title }) => title === 'Held')).toBe(true);
  const quick = note('quick', two('evaluate', { expression: '1' }));
  const last = note('last', one('evaluate', { expression: '2' }));
  // What never waits in a queue does not do so here either.
  expect(await textOf(two('tab_list'))).toContain('"Held"');
  expect(order).toEqual([]);
  const session = await ada.line.attach(shop);
  await session.send('Runtime.evaluate', { expression: 'document.title = "Shop"; go();' });
  await session.detach();
  await Promise.all([slow, quick, last]);
  expect(order).toEqual(['slow', 'quick', 'last']);
}, 60_000);

it('a view that nobody uses ends, and lets go of its tabs; the browser keeps them', async () => {
  await kit.restart();
  const brief = await startKit('--cdp-endpoint', ada.browser.endpoint, '--share-browser', '--session-idle', '500');
  const title = await brief.ok('title');
  const held = async () => (await ada.pages()).filter(({ attached }) => attached).map(page => page.title);
  const { length } = await ada.pages();
  await expect.poll(() => brief.server.list()).toEqual([]);
  expect(await ada.pages()).toHaveLength(length);
  // Its listeners are gone with it; the next view of the same server is a new one, without a word about the old.
  expect(await brief.ok('title')).toBe(title);
  await brief.close();
  await expect.poll(held).toEqual([]);
}, 60_000);

it('named sessions are isolated as ever; without --cdp-endpoint there is nothing to share', async () => {
  expect(await textOf(one('tab_list', { session: 'apart' }))).toBe('No tab is open.');
  await expect(startKit('--share-browser')).rejects.toThrow('--share-browser needs --cdp-endpoint');
}, 60_000);
