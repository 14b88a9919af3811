// What of an attached browser is no tab of its user: DevTools, extensions, pages of the browser itself, tabs of other programs.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isHidden } from '../../../src/engine/browser/attach/hidden-targets.ts';
import { type Kit, startKit } from '../../kit.ts';
import { type Person, page, person } from './person.ts';

let ada: Person;
let kit: Kit;
beforeAll(async () => {
  ada = await person('--auto-open-devtools-for-tabs');
  kit = await startKit('--cdp-endpoint', ada.browser.endpoint);
}, 60_000);
afterAll(async () => {
  await kit.close();
  await ada.end();
});

it.each([
  ['chrome://settings/', true],
  ['chrome-extension://abc/page.html', true],
  ['chrome-untrusted://x/', true],
  ['devtools://devtools/bundled/inspector.html', true],
  ['chrome://newtab/', false],
  ['chrome://new-tab-page/', false],
  ['chrome://newtabs/', true],
  ['about:blank', false],
  ['https://chrome.example/', false],
])('S2-15: %s is hidden: %s', (url, expected) => {
  expect(isHidden(url)).toBe(expected);
});

it('S2-15: works on a page with DevTools open, and lists neither DevTools nor pages of the browser', async () => {
  await ada.open(page('Shop', '<button>Buy</button>'), 'Shop');
  // DevTools holds each page as soon as it is up.
  const isHeld = async () => (await ada.pages()).some(({ title, attached }) => title === 'Shop' && attached);
  await expect.poll(isHeld, { timeout: 60_000 }).toBe(true);
  expect((await ada.pages()).some(({ url }) => url.startsWith('devtools://'))).toBe(true);
  await ada.open('chrome://version/');
  const text = await kit.ok('tab_list');
  expect(text).not.toMatch(/devtools:|chrome:/);
  expect(text.split('\n')).toHaveLength(2);
  const tabId = Number(/(\d+): .*"Shop"/.exec(text)?.[1]);
  await kit.ok('tab_switch', { tabId });
  expect(await kit.ok('click', { selector: 'role:button' })).toContain('Clicked');
}, 90_000);

it('a page of the browser becomes a tab as soon as the person goes elsewhere with it', async () => {
  const target = await ada.open('chrome://version/');
  const session = await ada.line.attach(target);
  const before = (await kit.ok('tab_list')).split('\n').length;
  await session.send('Page.navigate', { url: page('Elsewhere') });
  await session.detach();
  await expect.poll(() => kit.ok('tab_list'), { timeout: 10_000 }).toContain('"Elsewhere"');
  expect((await kit.ok('tab_list')).split('\n')).toHaveLength(before + 1);
}, 60_000);

it('tabs in the browser state of another program are not shown', async () => {
  const { browserContextId } = await ada.line.root.send('Target.createBrowserContext', { disposeOnDetach: true });
  const before = await kit.ok('tab_list');
  await ada.line.root.send('Target.createTarget', { url: page('Secret'), browserContextId });
  await expect.poll(async () => (await ada.pages()).some(({ title }) => title === 'Secret')).toBe(true);
  expect(await kit.ok('tab_list')).toBe(before);
}, 60_000);
