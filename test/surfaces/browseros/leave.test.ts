// A client that goes frees its view of the shared browser; the tabs stay, and so do the views of others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Clients, SESSIONLESS } from '../../../src/surfaces/browseros/clients.ts';
import type { McpSession } from '../../../src/surfaces/http/mcp/mcp-sessions.ts';
import { type Kit, startKit } from '../../kit.ts';
import { type OtherBrowser, otherBrowser } from '../../other-browser.ts';

let browser: OtherBrowser;
let kit: Kit;

beforeAll(async () => {
  browser = await otherBrowser();
  kit = await startKit('--cdp-endpoint', browser.endpoint, '--share-browser');
});
afterAll(async () => {
  await kit.close();
  await browser.end();
});

const owners = (): string[] => kit.server.list().map(({ owner }) => owner);

it('the view of whoever leaves is freed, its tabs are not', async () => {
  for (const caller of ['ada', 'bob']) {
    const { ok, text } = await kit.call('tab_new', { url: `${kit.site.url}/signup.html?${caller}` }, { caller });
    expect(ok, text).toBe(true);
  }
  expect(owners()).toEqual(['ada', 'bob']);
  const waits = kit.call('wait', { for: 'text', text: 'never', timeout: 60_000 }, { caller: 'ada' });
  await expect.poll(() => kit.server.list()[0]?.isBusy).toBe(true);
  await kit.server.leave({ id: 'ada' });
  expect(await waits).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  expect(owners()).toEqual(['bob']);
  expect((await kit.call('url', {}, { caller: 'bob' })).text).toContain('?bob');
  const { text } = await kit.call('tab_list', {}, { caller: 'bob' });
  expect(text).toContain('?ada');
});

it('who is here is known by its session, and told when that ends (S2-20)', () => {
  const left: string[] = [];
  const clients = new Clients({ disconnected: () => undefined, leave: async ({ id }) => void left.push(id) });
  const as = clients.callerOf('1');
  const session = { id: '1', kind: 'sse', as } as McpSession;
  clients.opened(session);
  expect([clients.size, clients.isConnected(as), clients.isConnected(SESSIONLESS)]).toEqual([1, true, true]);
  clients.closed(session);
  expect([clients.size, clients.isConnected(as), left]).toEqual([0, false, ['local@1']]);
});
