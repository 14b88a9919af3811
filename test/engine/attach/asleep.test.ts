// Tabs that Chrome has put to sleep to save memory stay asleep until they are used.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TargetSession } from '../../../src/cdp/session.ts';
import { type Kit, startKit } from '../../kit.ts';
import { type Person, person } from './person.ts';

const SLEEPER = fileURLToPath(new URL('sleeper', import.meta.url));

let ada: Person;
let kit: Kit;
let worker: TargetSession;
beforeAll(async () => {
  ada = await person(`--load-extension=${SLEEPER}`, '--disable-features=DisableLoadExtensionCommandLineSwitch');
  const workerId = await workerOf();
  worker = await ada.line.attach(workerId);
  kit = await startKit('--cdp-endpoint', ada.browser.endpoint);
}, 60_000);
afterAll(async () => {
  await kit.close();
  await ada.end();
});

/** The service worker of the extension, which may put tabs to sleep. */
async function workerOf(): Promise<string> {
  return vi.waitFor(
    async () => {
      const { targetInfos } = await ada.line.root.send('Target.getTargets');
      const found = targetInfos.find(({ type, url }) => type === 'service_worker' && url.endsWith('/worker.js'));
      if (!found) throw new Error('The extension does not run yet.');
      return found.targetId;
    },
    { timeout: 30_000 },
  );
}

async function inWorker(expression: string): Promise<unknown> {
  const { result } = await worker.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  return result.value;
}

const asleep = () =>
  inWorker('chrome.tabs.query({ discarded: true }).then(tabs => tabs.map(({ url }) => new URL(url).pathname))');

it('a tab that sleeps is listed, sleeps on while others are used, and is loaded when it is chosen', async () => {
  for (const path of ['/tables.html', '/signup.html', '/article.html']) await ada.open(`${kit.site.url}${path}`);
  await expect.poll(() => inWorker('chrome.tabs.query({ status: "complete" }).then(tabs => tabs.length)')).toBe(4);
  await inWorker(
    `chrome.tabs.query({ active: false }).then(tabs =>
      Promise.all(tabs.filter(tab => tab.url.includes('.html')).map(tab => chrome.tabs.discard(tab.id)))).then(() => 1)`,
  );
  expect(await asleep()).toEqual(['/tables.html', '/signup.html']);
  const text = await kit.ok('tab_list');
  expect(text).toMatch(/tables\.html "Tables"/);
  expect(text).toMatch(/^\* \d+: .*article\.html/m);
  expect(await kit.ok('url')).toContain('/article.html');
  expect(await asleep()).toEqual(['/tables.html', '/signup.html']);
  const tabId = Number(/(\d+): \S+tables\.html/.exec(text)?.[1]);
  expect(await kit.ok('tab_switch', { tabId })).toMatch(/was asleep.*loaded again.*Tab \d+ is active/s);
  expect(await kit.ok('snapshot')).toContain('Tables');
  expect(await asleep()).toEqual(['/signup.html']);
}, 60_000);
