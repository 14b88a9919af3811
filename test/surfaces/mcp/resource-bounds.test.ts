// Bounds of resources: pages of the list, subscriptions, how often changes are told, and what is left when a client goes.
import { EventEmitter } from 'node:events';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { ServerEvent } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Result } from '../../../src/call/call.ts';
import type { ChangeSubject } from '../../../src/engine/tab/change-events.ts';
import { finderOf } from '../../../src/policy/secrets/secret-forms.ts';
import { TextMask } from '../../../src/policy/secrets/text-mask.ts';
import type { Session } from '../../../src/session/session.ts';
import type { ResourceSource } from '../../../src/surfaces/mcp/resources.ts';
import { changesFor, protocolServer } from '../../../src/surfaces/mcp/server.ts';
import type { McpServerConfig } from '../../../src/surfaces/mcp/server-config.ts';
import { ask, handshake, messagesIn, modern } from '../http/ask.ts';
import { BEARER, type Here, listenHere, offerOf } from '../http/here.ts';

const ME = { id: 'me' };
const RESULT: Result = { ok: true, tool: 'snapshot', text: 'a page', pictures: [], ms: 1 };

interface StandIn extends ResourceSource {
  session: Session;
  tell(subject: ChangeSubject, tabId?: number): void;
}

/** A session with so many tabs, that changes when the test says so. */
function standIn(tabs: number, owner = ME.id): StandIn {
  const rows = Array.from({ length: tabs }, (_, at) => [at + 1, { id: at + 1, url: `http://site/${at + 1}` }] as const);
  const session = { name: 'work', owner, shared: false, context: { tabs: new Map(rows) } } as unknown as Session;
  const changes: ResourceSource['changes'] = new EventEmitter();
  return {
    offered: new Set(['snapshot', 'screenshot', 'console', 'network_log', 'downloads']),
    changes,
    commonNames: ['work'],
    sessions: async () => [session],
    maskFor: () => undefined,
    session,
    tell: (subject, tabId) => void changes.emit('change', session, subject, tabId),
  };
}

const offerWith = (open: ResourceSource, more: Partial<McpServerConfig> = {}): McpServerConfig => ({
  version: '1',
  tools: [],
  structured: false,
  run: async () => RESULT,
  resources: open,
  ...more,
});

async function connect(offer: McpServerConfig): Promise<{ client: Client; heard: string[] }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  const heard: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('list'));
  await Promise.all([protocolServer(offer, ME).connect(far), client.connect(near)]);
  return { client, heard };
}

const uri = (tab: number, kind = 'snapshot') => `tabwright://session/work/tab/${tab}/${kind}`;

describe('the list', () => {
  it('15.3 masks secrets in the addresses of pages', async () => {
    const mask = new TextMask([{ name: 'shop', find: finderOf('correct horse') }]);
    const source: ResourceSource = { ...standIn(1), maskFor: () => mask };
    const [tab] = [...((await source.sessions())[0]?.context.tabs.values() ?? [])];
    Object.assign(tab ?? {}, { url: 'http://site/?pw=correct%20horse' });
    const { resources } = await (await connect(offerWith(source))).client.listResources();
    expect(resources[0]?.title).toBe('Snapshot: http://site/?pw=[secret shop]');
  });

  it('comes in pages', async () => {
    const { client } = await connect(offerWith(standIn(300)));
    const page = (params: { cursor?: string } = {}) => client.request({ method: 'resources/list', params });
    const lengths: number[] = [];
    for (let next = await page(); ; next = await page({ cursor: next.nextCursor })) {
      lengths.push(next.resources.length);
      if (next.nextCursor === undefined) break;
    }
    expect(lengths).toEqual([500, 500, 201]);
    await expect(page({ cursor: '-1' })).rejects.toThrow('cursor');
    await client.close();
  });

  it('names the page without its secrets', async () => {
    const open = standIn(0);
    const url = `http://site/?access_token=s3cr3t-t0ken-of-anna&${'x'.repeat(1_000)}`;
    Object(open.session.context).tabs.set(1, { id: 1, url });
    const { client } = await connect(offerWith(open));
    const [{ title, name, mimeType } = {}] = (await client.listResources()).resources;
    expect({ name, mimeType }).toEqual({ name: 'snapshot, tab 1 of session work', mimeType: 'text/plain' });
    expect(title).toMatch(/^Snapshot: http:\/\/site\/\?access_token=\[redacted\]/);
    expect(title?.length).toBeLessThan(250);
    await client.close();
  });

  it.each([
    'tabwright://session/work',
    'tabwright://session/work/tab/0/snapshot',
    `${uri(1)}/more`,
    uri(1, 'downloads'),
    'file:///etc/passwd',
  ])('%s is nothing of ours', async other => {
    const { client } = await connect(offerWith(standIn(1)));
    await expect(client.readResource({ uri: other })).rejects.toMatchObject({ code: -32_602, data: { uri: other } });
    await client.close();
  });
});

describe('a read that fails', () => {
  const failing = (code: string): McpServerConfig =>
    offerWith(standIn(1), {
      run: async () => ({
        ...RESULT,
        ok: false,
        text: 'No.\nDo so.',
        failure: { code: code as 'refused', message: 'No.' },
      }),
    });

  it.each([
    ['no_tab', -32_602],
    ['refused', -32_600],
    ['timeout', -32_603],
  ])('with %s is an error with code %i', async (code, wire) => {
    const { client } = await connect(failing(code));
    await expect(client.readResource({ uri: uri(1) })).rejects.toMatchObject({ code: wire });
    await client.close();
  });
});

describe('changes', () => {
  it('are told once for all that happens within a quarter of a second', async () => {
    const open = standIn(2);
    const { client, heard } = await connect(offerWith(open));
    await client.subscribeResource({ uri: uri(1) });
    await client.subscribeResource({ uri: uri(1, 'console') });
    const since = performance.now();
    for (let times = 0; times < 1_000; times++) open.tell('page', 1);
    open.tell('page', 2);
    await vi.waitFor(() => expect(heard).toEqual([uri(1)]));
    expect(performance.now() - since).toBeGreaterThanOrEqual(240);
    open.tell('console', 1);
    await vi.waitFor(() => expect(heard).toEqual([uri(1), uri(1, 'console')]));
    await client.close();
  });

  it('of a tab that closes are told, and are the last', async () => {
    const open = standIn(1);
    const { client, heard } = await connect(offerWith(open));
    await client.subscribeResource({ uri: uri(1) });
    open.tell('closed', 1);
    open.tell('page', 1);
    await vi.waitFor(() => expect(heard).toEqual(['list', uri(1)]));
    heard.length = 0;
    open.tell('page', 1);
    open.tell('opened', 2);
    await vi.waitFor(() => expect(heard).toEqual(['list']));
    await client.close();
  });

  it('of another caller are not told, on a connection and on a stream', async () => {
    const open = standIn(1, 'another');
    const own = standIn(1);
    const { client, heard } = await connect(offerWith(open));
    const events: ServerEvent[] = [];
    const end = changesFor(offerWith(open), ME).subscribe(event => events.push(event));
    open.tell('closed', 1);
    open.tell('page', 1);
    open.changes.emit('change', own.session, 'opened', 1);
    await vi.waitFor(() => {
      expect(heard).toEqual(['list']);
      expect(events).toEqual([{ kind: 'resources_list_changed' }]);
    });
    end();
    await client.close();
  });

  it('are watched only while somebody listens', async () => {
    const open = standIn(1);
    const offer = offerWith(open);
    const count = () => open.changes.listenerCount('change');
    protocolServer(offer, ME);
    expect(count()).toBe(0);
    const { client } = await connect(offer);
    await client.notification({ method: 'notifications/initialized' });
    await client.ping();
    expect(count()).toBe(1);
    const end = changesFor(offer, ME).subscribe(() => undefined);
    expect(count()).toBe(2);
    end();
    await client.close();
    await vi.waitFor(() => expect(count()).toBe(0));
  });

  it('can be subscribed to 200 times on one connection', async () => {
    const { client } = await connect(offerWith(standIn(201)));
    for (let tab = 1; tab <= 200; tab++) await client.subscribeResource({ uri: uri(tab) });
    await client.subscribeResource({ uri: uri(200) });
    await expect(client.subscribeResource({ uri: uri(201) })).rejects.toThrow('200 subscriptions');
    await client.unsubscribeResource({ uri: uri(7) });
    await client.subscribeResource({ uri: uri(201) });
    await expect(client.subscribeResource({ uri: uri(202) })).rejects.toMatchObject({ code: -32_602 });
    await client.close();
  });
});

describe('over HTTP', () => {
  const here: Here[] = [];
  afterEach(() => Promise.all(here.splice(0).map(server => server.end())));

  async function start() {
    const open = standIn(1);
    const offer = { ...offerOf(async () => RESULT), resources: open };
    const server = await listenHere(undefined, { subscriptions: 8 }, { mcp: offer });
    here.push(server);
    return { url: server.url, count: () => open.changes.listenerCount('change') };
  }

  it('streams are bounded for each caller, and let go when the client goes', async () => {
    const { url, count } = await start();
    const asked = modern('subscriptions/listen', { notifications: { resourcesListChanged: true } });
    const headers = { ...asked.headers, ...BEARER };
    const stop = new AbortController();
    const listen = () => fetch(url, { method: 'POST', headers, body: String(asked.body), signal: stop.signal });
    await Promise.all([listen(), listen()]);
    await vi.waitFor(() => expect(count()).toBe(2));
    const [refused] = messagesIn(await ask(url, { ...asked, headers }));
    expect(refused?.error).toMatchObject({ message: 'Subscription limit reached' });
    stop.abort();
    await vi.waitFor(() => expect(count()).toBe(0));
  });

  it('a session is let go when it ends', async () => {
    const { url, count } = await start();
    const headers = await handshake(url, BEARER);
    await vi.waitFor(() => expect(count()).toBe(1));
    await ask(url, { method: 'DELETE', headers });
    await vi.waitFor(() => expect(count()).toBe(0));
  });
});

it('S3-02: a dialect whose server knows no resources has none', async () => {
  const { client } = await connect(offerWith(standIn(1), { dialect: 'vision', strict: true }));
  expect(client.getServerCapabilities()).not.toHaveProperty('resources');
  await expect(client.request({ method: 'resources/list', params: {} })).rejects.toMatchObject({ code: -32_601 });
  const own = await connect(offerWith(standIn(1)));
  expect(own.client.getServerCapabilities()).toMatchObject({ resources: { subscribe: true, listChanged: true } });
  await Promise.all([client.close(), own.client.close()]);
});
