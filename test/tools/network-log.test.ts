// network_log: the latest requests of a tab are always there, short, bounded, and without secrets.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RequestRing } from '../../src/engine/network/log/request-log.ts';
import { type Kit, startKit } from '../kit.ts';
import { type NetworkSite, startNetworkSite } from './network-site.ts';

let kit: Kit;
let site: NetworkSite;

beforeAll(async () => {
  [kit, site] = await Promise.all([startKit(), startNetworkSite()]);
});
afterAll(async () => {
  await kit?.close();
  await site?.close();
});

const send = (path: string) =>
  kit.ok('evaluate', { expression: `fetch(${JSON.stringify(path)}).then(r => r.text()).catch(String)` });
const log = (args: Record<string, unknown> = {}) => kit.ok('network_log', args);
/** What has come back may be told a moment later. */
const shows = (line: RegExp) => vi.waitFor(async () => expect(await log()).toMatch(line), { timeout: 10_000 });

describe('network_log', () => {
  beforeEach(async () => {
    await kit.open(`${site.url}/`);
  });

  it('has the page and what belongs to it, with status, type, size and time', async () => {
    await shows(/^GET \/ 200 document \d+ bytes \d+ ms$/m);
    await shows(/^GET \/pixel\.png 200 image (\d+ bytes|from cache) \d+ ms$/m);
    expect((await log()).split('\n')).toContain(`At ${site.url}`);
  });

  it('has each step of a redirect, errors, and what was cut off', async () => {
    await send('/to/user');
    await send('/nothing');
    await send('/cut');
    await shows(/^GET \/to\/user 302 fetch .*\nGET \/api\/user 200 fetch .*$/m);
    await shows(/^GET \/nothing 404 fetch .*$/m);
    await shows(/^GET \/cut net::ERR_\w+ fetch .*$/m);
  });

  it('has an answer whose body never ends', async () => {
    await kit.ok('evaluate', { expression: `void fetch('/never')` });
    await shows(/^GET \/never 200 fetch .*$/m);
  });

  it('has WebSockets', async () => {
    const open = `new Promise(done => { new WebSocket(location.origin.replace('http', 'ws') + '/socket').onopen = () => done(1) })`;
    await kit.ok('evaluate', { expression: open });
    await shows(/^GET ws:\S+\/socket 101 websocket .*$/m);
  });

  it('masks secrets, and leaves out what is made on the spot', async () => {
    await send('/api/user?access_token=s3cr3t-t0ken-of-anna');
    await kit.ok('evaluate', { expression: `fetch('data:text/plain,made').then(r => r.text())` });
    await shows(/access_token=\[redacted\]/);
    expect(await log()).not.toMatch(/s3cr3t|data:/);
  });

  it('14.2 is filtered by the address and by number', async () => {
    await send('/api/one');
    await send('/api/two');
    await shows(/\/api\/two 200/);
    const filtered = await log({ url_pattern: '**/api/*' });
    expect(filtered).toContain('/api/one');
    expect(filtered).not.toContain('pixel');
    const last = await log({ max_requests: 1, url_pattern: '**/api/*' });
    expect(last).toMatch(/^… \d+ earlier not shown/);
    expect(last).toMatch(/GET \S*\/api\/two 200/);
    expect(last).not.toContain('/api/one');
    expect(await log({ url_pattern: '**/no/such' })).toMatch(/^None of \d+ requests matches\.$/);
    expect(await log({ url_pattern: '*api/o*' })).toContain('/api/one');
  });

  it('is there while a dialog is open', async () => {
    await kit.ok('evaluate', { expression: 'setTimeout(() => alert("stop")), 1' });
    await vi.waitFor(async () => expect((await kit.fails('snapshot')).code).toBe('dialog_open'));
    expect(await log()).toMatch(/^GET \/ 200 document/m);
    await kit.ok('dialog', { action: 'accept' });
  });
});

describe('details of one request', () => {
  it('S2-70 has headers, bodies and redirects, with secrets masked', async () => {
    await kit.open(`${site.url}/`);
    const sent = `fetch('/api/user', { method: 'POST', body: 'a=1', headers: { authorization: 'Bearer s3cr3t' } }).then(r => r.text())`;
    await kit.ok('evaluate', { expression: sent });
    await send('/to/user?hop');
    await shows(/^GET \/to\/user\?hop 302/m);
    const details = (path: string) => kit.ok('network_log', { details: `${site.url}${path}` });
    await vi.waitFor(async () => expect(await details('/api/user')).toMatch(/^POST http:\S+\/api\/user 200 fetch/));
    const one = await details('/api/user');
    expect(one).toMatch(/authorization: Bearer \[redacted\]/i);
    expect(one).not.toContain('s3cr3t');
    expect(one).toMatch(/\na=1\nGot:\n/);
    expect(await details('/to/user?hop')).toMatch(/^GET \S+ 302 .*\nRedirected: GET \S+\/to\/user\?hop 302/);
    const { text } = await kit.fails('network_log', { details: `${site.url}/none` });
    expect(text).toMatch(/^Request not found/);
  });

  it('S2-71 begins with the request that brought the page', async () => {
    await kit.open(`${site.url}/?first`);
    await kit.open(`${site.url}/?second`);
    const args = { since_navigation: true, offset: 0, types: ['document'] };
    await vi.waitFor(async () => expect(await log(args)).toMatch(/^At \S+\nGET \/\?second 200 document .*$/));
  });
});

describe('the ring', () => {
  const begin = (ring: RequestRing, id: string, url: string, more = {}) =>
    ring.begin(id, { method: 'GET', url, type: 'Fetch', started: 0, ...more });

  it('keeps the latest 1000, and forgets those that were dropped before they ended', () => {
    const ring = new RequestRing();
    for (let id = 0; id < 1_200; id++) begin(ring, String(id), `http://site/${id}`);
    ring.end('0', 1, {});
    ring.end('1199', 1, { bytes: 7 });
    const { rows, total, dropped } = ring.read({ most: 1_000, chars: 1_000_000 });
    expect({ total, dropped, first: rows[0]?.url }).toEqual({ total: 1_000, dropped: 200, first: 'http://site/200' });
    expect(rows.at(-1)).toMatchObject({ bytes: 7, ms: 1_000 });
    expect(rows.at(-1)).not.toHaveProperty('pending');
    expect(rows[0]).toMatchObject({ pending: true });
  });

  it('keeps no more of an address than it shows, and shows the latest that fit', () => {
    const ring = new RequestRing();
    for (const name of ['a', 'b']) begin(ring, name, `http://${name}/${'x'.repeat(100_000)}`);
    const shown = (chars: number, more = {}) => ring.read({ most: 100, chars, ...more }).rows;
    expect(shown(1_000).map(({ url }) => url.length)).toEqual([300, 300]);
    expect(shown(400).map(({ url }) => url.slice(0, 8))).toEqual(['http://b']);
    expect(shown(400, { offset: 0 }).map(({ url }) => url.slice(0, 8))).toEqual(['http://a']);
    expect(shown(4_100, { offset: 1, whole: true })[0]?.url.length).toBe(2_000);
  });

  it('gives up the headers of the oldest when there are too many', () => {
    const ring = new RequestRing();
    const headers = [{ name: 'a', value: 'x'.repeat(100_000) }];
    for (let id = 0; id < 30; id++) begin(ring, String(id), `http://site/${id}`, { headers });
    expect(ring.find('http://site/0').rows[0]?.detail).toBeUndefined();
    expect(ring.find('http://site/29').rows[0]?.detail?.requestHeaders).toHaveLength(1);
  });

  it('lists parts, from the first again when there is no such part', () => {
    const ring = new RequestRing();
    for (const id of ['a', 'b', 'c']) begin(ring, id, `http://site/${id}`);
    const part = (offset: number) => ring.read({ most: 2, chars: 1_000, offset });
    expect(part(2)).toMatchObject({ offset: 2, total: 3, rows: [{ url: 'http://site/c' }] });
    expect(part(4)).toMatchObject({ offset: 0, rows: [{ url: 'http://site/a' }, { url: 'http://site/b' }] });
  });
});
