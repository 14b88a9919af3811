// Browsers that listen for the protocol on another machine: --browsers ws://… and http://….
import { expect, it } from 'vitest';
import { Server } from '../../../src/session/server.ts';
import { startKit } from '../../kit.ts';
import { farBrowser, pagesOf, serverOn } from './far-away.ts';

it('sessions are spread over the browsers, share nothing, and leave the browsers own tabs alone', async () => {
  const [first, second] = [await farBrowser(), await farBrowser()];
  const kit = await serverOn([first.endpoint, second.endpoint]);
  for (const session of ['a', 'b', 'c', 'd']) await kit.ok('navigate', { url: `${kit.site.url}/?${session}`, session });
  expect((await pagesOf(first)).map(({ url }) => url.slice(-1)).sort()).toEqual(['a', 'c']);
  expect((await pagesOf(second)).map(({ url }) => url.slice(-1)).sort()).toEqual(['b', 'd']);
  await kit.ok('evaluate', { expression: 'document.cookie = "who=a"; 0', session: 'a' });
  expect(await kit.ok('evaluate', { expression: 'document.cookie', session: 'c' })).not.toContain('who');
  expect(await kit.ok('tab_list', { session: 'a' })).toMatch(/^\* 1: \S+\?a "Test site"$/m);
  expect(kit.server.chrome.running).toBe(2);
  await kit.close();
  expect([...(await pagesOf(first)), ...(await pagesOf(second))]).toEqual([]);
  // The browsers go on.
  expect((await fetch(`${first.endpoint}/json/version`)).ok).toBe(true);
}, 60_000);

it('pages of others in the same browser are not held up, and not shown', async () => {
  const far = await farBrowser();
  const [one, two] = [await serverOn([far.endpoint]), await serverOn([far.endpoint])];
  await one.open('/?one');
  await two.open('/?two');
  expect(await one.ok('tab_list')).toMatch(/^\* 1: \S+\?one "Test site"$/m);
  expect(await two.ok('tab_list')).toMatch(/^\* 1: \S+\?two "Test site"$/m);
  await one.close();
  expect(await two.ok('url')).toContain('?two');
}, 60_000);

it('by its WebSocket address', async () => {
  const far = await farBrowser();
  const { webSocketDebuggerUrl } = (await (await fetch(`${far.endpoint}/json/version`)).json()) as Record<
    string,
    string
  >;
  const kit = await serverOn([webSocketDebuggerUrl ?? '']);
  expect(await kit.open('/')).toContain(kit.site.url);
}, 60_000);

it('a browser that cannot be reached is left out; when none can, the answer says which and hides what is secret', async () => {
  const far = await farBrowser();
  const nobody = await farBrowser();
  await nobody.line.end();
  const dead = nobody.line.endpoint.replace('http://', 'ws://user:hunter2secret@');
  const kit = await serverOn([`${dead}/path-token-123?token=query-token-456`, far.endpoint]);
  await kit.open('/');
  const alone = await serverOn([`${dead}/path-token-123?token=query-token-456`, `${nobody.line.endpoint}/`]);
  const { code, text } = await alone.fails('navigate', { url: kit.site.url });
  expect(code).toBe('browser_missing');
  expect(text).toContain('None of the 2 browsers could be used.');
  expect(text).toContain(new URL(nobody.line.endpoint).host);
  expect(text).not.toMatch(/hunter2secret|path-token|query-token/);
}, 60_000);

it('url rules cannot be held there: the server does not start with them, and guests are refused', async () => {
  const far = await farBrowser();
  for (const rule of [['--block-urls', '*.example.com'], ['--allow-urls', '*.example.com'], ['--block-private']])
    await expect(startKit('--browsers', far.endpoint, ...rule)).rejects.toThrow(/--b\w+/);
  const kit = await serverOn([far.endpoint]);
  const opens = () => kit.call('navigate', { url: kit.site.url }, { caller: 'ann' });
  expect((await opens()).ok).toBe(true);
  // Without the --no-block-private that tests give.
  const { options, log } = kit.server;
  await kit.server.close();
  kit.server = new Server({ ...options, blockPrivate: undefined }, log);
  const { failure } = await opens();
  expect([failure?.code, failure?.rule]).toEqual(['refused', '--block-private']);
}, 60_000);
