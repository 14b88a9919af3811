// Attaching to a browser with many tabs takes up none of them: each is listed, and gets a debugger only when it is used.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { type Person, page, person } from './person.ts';

const MANY = 100;

let ada: Person;
let kit: Kit;
beforeAll(async () => {
  ada = await person();
  // One process for all of them: what counts is how many tabs there are.
  await Promise.all(Array.from({ length: MANY - 1 }, (_, at) => ada.open(`about:blank#${at + 1}`)));
  kit = await startKit('--cdp-endpoint', ada.browser.endpoint);
}, 120_000);
afterAll(async () => {
  await kit.close();
  await ada.end();
});

it('S2-58, S2-14: lists 100 tabs without touching one; the tab that is used is the only one taken up, and no window is resized', async () => {
  const windows = await ada.windows();
  const text = await kit.ok('tab_list');
  expect(text.split('\n')).toHaveLength(MANY);
  for (let at = 1; at < MANY; at++) expect(text).toContain(`about:blank#${at}\n`.trimEnd());
  expect((await ada.pages()).filter(({ attached }) => attached)).toEqual([]);
  const tabId = Number(/(\d+): about:blank#50/.exec(text)?.[1]);
  await kit.ok('tab_switch', { tabId });
  expect(await kit.ok('evaluate', { expression: 'location.hash' })).toContain('#50');
  const taken = (await ada.pages()).filter(({ attached }) => attached);
  expect(taken.map(({ url }) => url)).toEqual(['about:blank#50']);
  expect(await ada.windows()).toEqual(windows);
}, 60_000);

it('a tab that the agent opens among them is its own, and all others stay when the server ends', async () => {
  await kit.ok('tab_new', { url: page('Mine', '<button>Go') });
  expect(await kit.ok('snapshot')).toContain('button "Go"');
  await kit.restart();
  expect((await kit.ok('tab_list')).split('\n')).toHaveLength(MANY + 1);
  expect(await kit.ok('title')).toBe('Mine');
  await expect.poll(async () => (await ada.pages()).length).toBe(MANY + 1);
}, 60_000);
