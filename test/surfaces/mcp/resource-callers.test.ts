// Resources of several callers of one server: each sees, reads and hears of its own, and of what is shared.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { load } from '../../../src/config/load.ts';
import { makeLog } from '../../../src/config/log.ts';
import { FileTokenStore } from '../../../src/surfaces/http/auth/token-store.ts';
import { hashOf } from '../../../src/surfaces/http/auth/tokens.ts';
import { type Listening, listen } from '../../../src/surfaces/http/listen.ts';
import { toolsetFor, usable } from '../../../src/surfaces/listing/toolset.ts';
import { Runtime } from '../../../src/surfaces/runtime.ts';
import { type Site, startSite } from '../../site/serve.ts';
import { GUARD } from '../http/here.ts';
import { temporaryFolder } from '../process.ts';
import { READERS, type Reader } from './readers.ts';

const folder = temporaryFolder();
let site: Site;
let calls: Runtime;
let listening: Listening;

const CALLERS = {
  anna: {},
  ben: {},
  /** May look at tabs and pages only. */
  guest: { may: { tools: ['navigate', 'snapshot', 'tab_list'] } },
};
const tokenOf = (name: string) => `the-token-of-${name}`;

beforeAll(async () => {
  site = await startSite();
  const folders = ['--state-dir', join(folder.path, 'state'), '--output-dir', join(folder.path, 'out')];
  const { options } = await load([...folders, '--no-block-private']);
  const log = makeLog('error', () => undefined);
  calls = new Runtime(options, usable(options.tools), log);
  const grants = Object.entries(CALLERS).map(([id, more]) => ({ hash: hashOf(tokenOf(id)), caller: { id, ...more } }));
  listening = await listen(
    { host: '127.0.0.1', port: 0 },
    {
      mcp: { version: '1', ...(await toolsetFor(options)), run: call => calls.run(call), resources: calls },
      checkHostOrigin: GUARD,
      tokens: await FileTokenStore.open([{ path: folder.path, read: () => grants }], log),
      log,
    },
  );
});

afterAll(async () => {
  await listening?.end();
  await calls?.close();
  await site?.close();
  folder.remove();
});

const SNAPSHOT = 'tabwright://session/default/tab/1/snapshot';
const hears = (reader: Reader, ...what: string[]) =>
  vi.waitFor(() => expect(reader.heard).toEqual(expect.arrayContaining(what)), { timeout: 15_000 });

describe.each(Object.entries(READERS))('%s', (client, connect) => {
  const readers: Reader[] = [];
  const enter = async (name: keyof typeof CALLERS) => {
    const reader = await connect({ url: listening.url, token: tokenOf(name) });
    readers.push(reader);
    return reader;
  };
  let anna: Reader;
  let ben: Reader;
  /** A session of its own for each client. */
  const session = client.replaceAll(/\W+/g, '-').slice(-20);
  const named = `tabwright://session/${session}/tab/1/snapshot`;
  const namedForOthers = `tabwright://session/${session}@anna/tab/1/snapshot`;

  beforeAll(async () => {
    [anna, ben] = await Promise.all([enter('anna'), enter('ben')]);
  });
  afterAll(async () => {
    await anna?.ok('session_close', { all: true });
    await Promise.all(readers.map(reader => reader.close()));
  });

  it('S3-17: each sees and reads its own', async () => {
    await anna.ok('navigate', { url: `${site.url}/accordion.html` });
    await anna.ok('navigate', { url: `${site.url}/accordion.html`, session });
    await ben.ok('navigate', { url: `${site.url}/downloads.html` });
    expect(await anna.uris()).toEqual(expect.arrayContaining([SNAPSHOT, named]));
    expect(await ben.uris()).not.toContain(named);
    expect((await anna.read(SNAPSHOT)).text).toContain('Questions and answers');
    expect((await ben.read(SNAPSHOT)).text).toContain('Report as CSV');
  });

  it("S3-16: another's is refused as a call is, and cannot be watched", async () => {
    for (const uri of client.includes('newest') ? [] : [named, namedForOthers])
      await expect(ben.watch(uri)).rejects.toMatchObject({ code: -32_602 });
    await expect(ben.read(named)).rejects.toMatchObject({ code: -32_602 });
    await expect(ben.read(namedForOthers)).rejects.toThrow(`Access denied to session: ${session}@anna`);
    await expect(ben.read(namedForOthers.replace('tab/1', 'tab/77'))).rejects.toThrow('Access denied');
    await expect(ben.read(`tabwright://session/default@anna/tab/1/snapshot`)).rejects.toMatchObject({ code: -32_602 });
    await expect(ben.read(`tabwright://session/no-such/tab/1/snapshot`)).rejects.toMatchObject({ code: -32_602 });
    expect(await calls.sessions().then(all => all.map(({ name }) => name))).not.toContain('no-such');
  });

  it('each hears of its own', async () => {
    // A stream may name what it likes: of what is another's, nothing comes.
    const foreign = client.includes('newest') ? [named, namedForOthers] : [];
    await Promise.all([anna.watch(SNAPSHOT, named), ben.watch(SNAPSHOT, ...foreign)]);
    // Changes are told in batches: with this one, all that ben has done before is told.
    await ben.ok('scroll', { direction: 'up' });
    await hears(ben, SNAPSHOT);
    anna.heard.length = ben.heard.length = 0;
    await anna.ok('click', { selector: 'text:Shipping costs' });
    await anna.ok('tab_new', { session });
    await anna.ok('navigate', { url: `${site.url}/downloads.html`, session, tabId: 1 });
    await hears(anna, SNAPSHOT, named, 'list');
    // What ben had been told would have come before this.
    await ben.ok('scroll', { direction: 'down' });
    await hears(ben, SNAPSHOT);
    expect(ben.heard).toEqual([SNAPSHOT]);
    await anna.ok('tab_close', { tabId: 2, session });
  });

  it('S3-17: what is shared is seen, read and heard of by all', async () => {
    const shared = `shared-${session}`.slice(0, 30);
    const uri = `tabwright://session/${shared}@anna/tab/1/snapshot`;
    await anna.ok('session_create', { name: shared, shared: true });
    await anna.ok('navigate', { url: `${site.url}/accordion.html`, session: shared });
    await vi.waitFor(async () => expect(await ben.uris()).toContain(uri));
    expect((await ben.read(uri)).text).toContain('Questions and answers');
    await ben.watch(uri);
    ben.heard.length = 0;
    await anna.ok('click', { selector: 'text:Shipping costs', session: shared });
    await hears(ben, uri);
    ben.heard.length = 0;
    await anna.ok('session_close', { session: shared });
    await hears(ben, uri, 'list');
    expect(await ben.uris()).not.toContain(uri);
    await expect(ben.read(uri)).rejects.toThrow('Access denied');
  });

  it('a caller is shown only what it may read', async () => {
    const guest = await enter('guest');
    await guest.ok('navigate', { url: `${site.url}/accordion.html` });
    expect(await guest.uris()).toEqual([SNAPSHOT]);
    await expect(guest.read(SNAPSHOT.replace('snapshot', 'console'))).rejects.toThrow(/console/);
  });
});
