// Downloads: kept in the output folder, listed, told when they end, and waited for.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Download } from '../../src/engine/page/download.ts';
import { type Kit, startKit } from '../kit.ts';
import { otherBrowser } from '../other-browser.ts';
import { show } from './page.ts';

let kit: Kit;
let server: Server;
let url: string;
/** Answers that are still open, by path. */
const open = new Map<string, ServerResponse>();

const attachment = (name: string) => ({
  'content-type': 'application/octet-stream',
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
});

beforeAll(async () => {
  kit = await startKit();
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://here');
    const [, how, name = ''] = pathname.split('/').map(decodeURIComponent);
    if (how === 'file') return void response.writeHead(200, attachment(name)).end(`the ${name} of it`);
    if (how !== 'slow') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Page');
    response.writeHead(200, { ...attachment(name), 'content-length': 2_000_000 }).write(Buffer.alloc(1_000_000));
    open.set(name, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await kit.close();
});

const folder = () => join(kit.folder, 'output', 'downloads');
const link = (path: string, more = '') => `<a href="${url}/${path}" ${more}>${path}</a>`;
const start = (path: string) => kit.ok('click', { selector: `text:${path}` });
const wait = (name: string, more: Record<string, unknown> = {}) =>
  kit.call('wait', { for: 'download', filename_contains: name, timeout: 10_000, ...more });
/** The next answer, after others had their turn. */
const soon = () => kit.ok('wait', { for: 'timeout', duration: 20 });
const finish = (name: string) => open.get(name)?.end(Buffer.alloc(1_000_000));

describe('downloads', () => {
  it('none yet', async () => {
    const own = await startKit();
    expect(await own.ok('downloads')).toBe('No downloads.');
    await own.close();
  });

  it('S1-88 one is kept under its name, and a wait tells its path and size', async () => {
    await show(kit, link('file/report.csv'));
    expect(await start('file/report.csv')).toContain('download started: report.csv');
    const result = await wait('report');
    const path = join(folder(), 'report.csv');
    expect(result.text).toMatch(/^report\.csv is downloaded \(20 bytes\): \S+report\.csv \(after \d+ ms\)$/);
    expect(result.data).toMatchObject({ file: { name: 'report.csv', path, state: 'done', received: 20 } });
    expect(readFileSync(path, 'utf8')).toBe('the report.csv of it');
  });

  it('S1-88 one that came before the wait is told, once; the same name again gets a number', async () => {
    await show(kit, link('file/again.txt'));
    await start('file/again.txt');
    expect((await wait('AGAIN')).text).toContain(join(folder(), 'again.txt'));
    const second = await wait('again', { timeout: 500 });
    expect(second.failure?.code).toBe('timeout');
    expect(second.text).toMatch(/Downloads so far: .*again\.txt is downloaded/);
    await start('file/again.txt');
    expect((await wait('again')).text).toContain(join(folder(), 'again-2.txt'));
  });

  it('the end of one that nobody waits for is told with the next answer, once', async () => {
    await show(kit, link('file/quiet.txt'));
    // A small file may be complete before the click is answered.
    const told = [await start('file/quiet.txt')];
    while (!told.join().includes('is downloaded')) told.push(await soon());
    expect(told.at(-1)).toMatch(/^quiet\.txt is downloaded \(19 bytes\): \S+\/quiet\.txt\.\n/);
    expect(await kit.ok('title')).toBe('Made');
    expect((await wait('quiet')).ok).toBe(true);
  });

  it('S1-88 wait_for_complete: false answers when it has begun; how far it is, is listed; then its end', async () => {
    await show(kit, link('slow/big.bin'));
    await start('slow/big.bin');
    const begun = await wait('big', { wait_for_complete: false });
    expect(begun.text).toMatch(/^download of big\.bin has begun/);
    expect(begun.data).toMatchObject({ file: { state: 'running' } });
    const listed = () => kit.ok('downloads');
    while (!(await listed()).includes('big.bin is loading: 1.0 MB of 2.0 MB')) await soon();
    expect(existsSync(join(folder(), 'big.bin'))).toBe(false);
    const ending = wait('big');
    finish('big.bin');
    expect((await ending).text).toMatch(/^big\.bin is downloaded \(2\.0 MB\)/);
    expect(await listed()).toMatch(/\d+\. big\.bin is downloaded \(2\.0 MB\): \S+\/big\.bin/);
  });

  it('S1-88 a wait that is over says how far the download is', async () => {
    await show(kit, link('slow/late.bin'));
    await start('slow/late.bin');
    const late = await wait('late', { timeout: 1_000 });
    expect(late.failure?.code).toBe('timeout');
    expect(late.text).toContain('late.bin is loading');
    finish('late.bin');
    expect((await wait('late')).ok).toBe(true);
  });

  it('S1-88 one that is cancelled fails the wait and is listed as failed', async () => {
    await show(kit, link('slow/broken.bin'));
    const page = kit.server.list()[0]?.context.active?.page;
    const begun = new Promise<Download | undefined>(resolve => page?.once('download', resolve));
    await start('slow/broken.bin');
    const waiting = wait('broken');
    await (await begun)?.cancel();
    const result = await waiting;
    expect(result.failure?.code).toBe('file_error');
    expect(result.text).toMatch(/^The download of broken\.bin failed: canceled/);
    expect(await kit.ok('downloads')).toContain('broken.bin failed: canceled');
    expect(existsSync(join(folder(), 'broken.bin'))).toBe(false);
  });

  it.each([
    ['../../escape.txt', /escape\.txt$/],
    ['.hidden', /hidden$/],
    [`${'ü'.repeat(200)}.txt`, /\.txt$/],
  ])('a name such as %s stays a plain name in the folder', async (name, kept) => {
    await show(kit, `<a href="${url}/file/${encodeURIComponent(name)}">get</a>`);
    await start('get');
    const result = await wait('');
    const { path } = (result.data as { file: { path: string } }).file;
    expect(path.startsWith(`${folder()}/`)).toBe(true);
    expect(path.slice(folder().length + 1)).not.toContain('/');
    expect(path).toMatch(kept);
    expect(existsSync(path)).toBe(true);
  });

  it('several at once, also of the same name, are all kept', async () => {
    await show(kit, '');
    const script = (at: number) =>
      `Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['${at}'])), download: 'twin.txt' }).click()`;
    await kit.ok('evaluate', { expression: [1, 2, 3].map(script).join(';') });
    const paths: string[] = [];
    for (let left = 3; left > 0; left--)
      paths.push(((await wait('twin')).data as { file: { path: string } }).file.path);
    expect(new Set(paths).size).toBe(3);
    expect(paths.map(path => readFileSync(path, 'utf8')).sort()).toEqual(['1', '2', '3']);
  });

  it('a link that stands in the way is not followed', async () => {
    writeFileSync(join(kit.folder, 'mine.txt'), 'mine');
    symlinkSync(join(kit.folder, 'mine.txt'), join(folder(), 'linked.txt'));
    await show(kit, link('file/linked.txt'));
    await start('file/linked.txt');
    expect((await wait('linked')).text).toContain('linked-2.txt');
    expect(readFileSync(join(kit.folder, 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('one from a link to a new tab, and after its tab was closed', async () => {
    await show(kit, link('file/blank.txt', 'target="_blank"'));
    await start('file/blank.txt');
    expect((await wait('blank')).ok).toBe(true);
    await kit.ok('tab_new', { url: `${url}/page` });
    await kit.ok('evaluate', { expression: `location = '${url}/file/closed.txt'` });
    expect((await wait('closed')).ok).toBe(true);
    await kit.ok('tab_close');
    expect(await kit.ok('downloads')).toContain('closed.txt is downloaded');
  });

  it('another session does not see them', async () => {
    expect(await kit.ok('downloads', { session: 'other' })).toBe('No downloads.');
  });

  it('S1-88 is patient: a wait for a download may ask for more than the limit for calls', async () => {
    const own = await startKit('--timeout-call', '8000');
    await show(own, link('slow/patient.bin'));
    await own.ok('click', { selector: 'text:patient' });
    const waiting = own.call('wait', { for: 'download', timeout: 60_000 });
    const other = await own.call('wait', { for: 'text', text: 'never', timeout: 60_000 });
    expect(other.failure?.code).toBe('timeout');
    expect(other.ms).toBeLessThan(20_000);
    finish('patient.bin');
    expect((await waiting).text).toMatch(/^patient\.bin is downloaded/);
    await own.close();
  });

  it('an attached browser keeps its downloads itself: they are told and listed without a path', async () => {
    const browser = await otherBrowser();
    onTestFinished(() => browser.end());
    const own = await startKit('--cdp-endpoint', browser.endpoint);
    onTestFinished(() => own.close());
    await show(own, link('slow/theirs.bin'));
    expect(await own.ok('click', { selector: 'text:theirs' })).toContain('download started: theirs.bin');
    const waiting = own.call('wait', { for: 'download', filename_contains: 'theirs', timeout: 20_000 });
    await vi.waitFor(() => expect(open.has('theirs.bin')).toBe(true), 10_000);
    finish('theirs.bin');
    expect((await waiting).text).toMatch(
      /^theirs\.bin is downloaded \(2\.0 MB\), where the attached browser keeps its downloads/,
    );
    expect(await own.ok('downloads')).toContain('1. theirs.bin is downloaded');
  }, 60_000);
});
