// network_log: the latest requests of a tab are always there, short, bounded, and without secrets.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RequestRing } from '../../src/engine/network/ring.ts';
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

  it('is filtered by the address and by number', async () => {
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
    expect(await log({ url_pattern: '**/no/such' })).toBe('No requests.');
  });

  it('is there while a dialog is open', async () => {
    await kit.ok('evaluate', { expression: 'setTimeout(() => alert("stop")), 1' });
    await vi.waitFor(async () => expect((await kit.fails('snapshot')).code).toBe('dialog_open'));
    expect(await log()).toMatch(/^GET \/ 200 document/m);
    await kit.ok('dialog', { action: 'accept' });
  });
});

describe('the ring', () => {
  const all = () => true;

  it('keeps the latest 300, and forgets those that were dropped before they ended', () => {
    const ring = new RequestRing();
    for (let id = 0; id < 500; id++) ring.begin(String(id), 'GET', `http://site/${id}`, 'Fetch', 0);
    ring.end('0', 1, {});
    ring.end('499', 1, { bytes: 7 });
    const { rows, total, dropped } = ring.read(all, 300, 1_000_000);
    expect({ total, dropped, first: rows[0]?.url }).toEqual({ total: 300, dropped: 200, first: 'http://site/200' });
    expect(rows.at(-1)).toMatchObject({ bytes: 7, ms: 1_000 });
    expect(rows.at(-1)).not.toHaveProperty('pending');
    expect(rows[0]).toMatchObject({ pending: true });
  });

  it('keeps no more of an address than it shows, and shows the latest that fit', () => {
    const ring = new RequestRing();
    for (const name of ['a', 'b']) ring.begin(name, 'GET', `http://${name}/${'x'.repeat(100_000)}`, 'Fetch', 0);
    const { rows } = ring.read(all, 100, 1_000);
    expect(rows.map(({ url }) => url.length)).toEqual([300, 300]);
    expect(ring.read(all, 100, 400).rows.map(({ url }) => url.slice(0, 8))).toEqual(['http://b']);
  });
});
