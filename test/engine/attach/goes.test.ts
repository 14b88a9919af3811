// A person uses the attached browser while the agent does: tabs come and go, in the end the browser itself.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type Kit, startKit } from '../../kit.ts';
import { type Person, page, person } from './person.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function both(...switches: string[]): Promise<{ ada: Person; kit: Kit }> {
  const ada = await person(...switches);
  ends.push(() => ada.end());
  const kit = await startKit('--cdp-endpoint', ada.browser.endpoint);
  ends.push(() => kit.close());
  return { ada, kit };
}

/** One that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

it('sees the tabs that a person opens and closes, keeps their numbers, and says which are gone', async () => {
  const { ada, kit } = await both();
  const windows = await ada.windows();
  expect(await kit.ok('tab_list')).toBe('* 1: about:blank');
  const shop = await ada.open(page('Shop', '<button>Buy</button>'), 'Shop');
  expect(await kit.ok('tab_list')).toMatch(/^\* 1: about:blank\n- 2: .* "Shop"$/);
  expect(await kit.ok('title')).toBe('');
  expect(await kit.ok('snapshot', { tabId: 2 })).toContain('button "Buy"');
  await ada.open(page('News'), 'News');
  await ada.close(shop);
  await expect.poll(() => kit.ok('tab_list')).toMatch(/^\* 1: about:blank\n- 3: .* "News"$/);
  const { code, text } = await kit.fails('snapshot', { tabId: 2 });
  expect(code).toBe('no_tab');
  expect(text).toContain('Open tabs: 1, 3.');
  expect(await kit.ok('title', { tabId: 3 })).toBe('News');
  await kit.close();
  expect((await ada.pages()).map(({ title, attached }) => [title, attached])).toEqual(
    expect.arrayContaining([
      ['about:blank', false],
      ['News', false],
    ]),
  );
  expect(await ada.windows()).toEqual([...windows, ...windows]);
}, 60_000);

it('a tab that a person closes under a call ends that call at once', async () => {
  const { ada, kit } = await both();
  const shop = await ada.open(page('Shop'), 'Shop');
  const waiting = kit.call('wait', { for: 'text', text: 'never', timeout: 60_000, tabId: 2 });
  await expect.poll(async () => (await ada.pages()).find(({ id }) => id === shop)?.attached).toBe(true);
  await ada.close(shop);
  const { failure } = await waiting;
  expect(failure?.code).toBe('no_tab');
  expect(await kit.ok('tab_list')).toBe('* 1: about:blank');
}, 60_000);

it('the browser goes away: whoever asks is told, calls fail with the reason, and a new one there is found', async () => {
  const port = await freePort();
  const { ada, kit } = await both(`--remote-debugging-port=${port}`);
  await ada.open(page('Shop'), 'Shop');
  expect(await kit.ok('tab_list')).toContain('"Shop"');
  const gone = once(kit.server.chrome.events, 'gone');
  await ada.browser.end();
  expect(await gone).toEqual(['The attached browser has ended or has closed the connection.']);
  const { code, text } = await kit.fails('tab_list');
  expect(code).toBe('browser_missing');
  expect(text).toContain(`http://127.0.0.1:${port}`);
  const next = await person(`--remote-debugging-port=${port}`);
  ends.push(() => next.end());
  const list = await kit.ok('tab_list');
  expect(list).toMatch(/^The attached browser had ended and is there again.*\n\* 3: about:blank$/);
  // Nothing was opened there that was open in the old one.
  expect(await next.pages()).toHaveLength(1);
}, 60_000);

it('a browser that ends while it is attached to fails at once', async () => {
  const { ada, kit } = await both();
  const { pid = 0 } = ada.browser.process;
  process.kill(pid, 'SIGSTOP');
  const started = performance.now();
  const call = kit.call('tab_list');
  setTimeout(() => process.kill(pid, 'SIGKILL'), 200);
  const { failure } = await call;
  expect(failure?.code).toBe('browser_missing');
  expect(failure?.message).toContain('Could not attach to the browser at');
  // Far less than the time that attaching may take.
  expect(performance.now() - started).toBeLessThan(8_000);
}, 60_000);

it('what is no browser is said to be none, and the password in its address stays secret', async () => {
  const server = createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => server.close());
  const { port } = server.address() as AddressInfo;
  const kit = await startKit('--cdp-endpoint', `http://name:secret@127.0.0.1:${port}`);
  ends.push(() => kit.close());
  const { code, text } = await kit.fails('tab_list');
  expect(code).toBe('browser_missing');
  expect(text).toContain('tells no webSocketDebuggerUrl');
  expect(text).not.toContain('secret');
}, 60_000);
