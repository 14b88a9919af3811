// Greedy pages: one opens tabs and saves files by itself, as many as it can.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { type Kit, startKit } from '../kit.ts';

let kit: Kit;
afterEach(() => kit.close());

const page = (script: string): string =>
  `${kit.site.url}/html?of=${encodeURIComponent(`<title>Greedy</title><script>${script}</script>`)}`;

/** Saves files one after the other, so that Chrome takes each for one of its own. */
const saving = (count: number, bytes: number): string => `
  const blob = new Blob([new Uint8Array(${bytes})]);
  let saved = 0;
  const save = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = 'file-' + saved + '.bin';
    link.click();
    if (++saved < ${count}) setTimeout(save, 100);
    else document.title = 'Done';
  };
  save();`;

const tabCount = async (): Promise<number> => ((await kit.call('tab_list')).data as { tabs: unknown[] }).tabs.length;

it('15.15 of the tabs that a page opens by itself, only the first few stay, and that is told', async () => {
  kit = await startKit();
  const told = [await kit.ok('navigate', { url: page('for (let i = 0; i < 30; i++) open("/article.html?" + i)') })];
  const closed = () => told.flatMap(text => /^(\d+) tabs? that a page opened/m.exec(text)?.[1] ?? []);
  await vi.waitFor(async () => {
    told.push(await kit.ok('url', { tabId: 1 }));
    expect(closed().reduce((sum, count) => sum + Number(count), 0)).toBe(20);
  }, 10_000);
  expect(told.join('\n')).toMatch(/were closed: at most 10 between two actions, and 50 in all\.$/m);
  expect(await tabCount()).toBe(11);
  // The caller goes on as before, also to open tabs.
  await kit.ok('tab_new', { url: `${kit.site.url}/article.html` });
  expect(await tabCount()).toBe(12);
});

it('15.15 of the files that a page saves by itself, only the first few are kept, and that is told', async () => {
  kit = await startKit();
  const told = [await kit.ok('navigate', { url: page(saving(20, 10)) })];
  await vi.waitFor(async () => {
    told.push(await kit.ok('title'));
    expect(told.at(-1)).toContain('Done');
  }, 10_000);
  await vi.waitFor(() => expect(readdirSync(join(kit.folder, 'output', 'downloads'))).toHaveLength(10));
  told.push(await kit.ok('title'));
  expect(told.join('\n')).toMatch(
    /downloads? that a page began (?:was|were) cancelled: at most 10 between two actions\.$/m,
  );
  expect(await kit.ok('downloads')).not.toContain('is loading');
  expect(readdirSync(join(kit.folder, 'output', 'downloads'))).toHaveLength(10);
  // What the caller asks for next is saved again.
  await kit.ok('navigate', { url: `${kit.site.url}/download/report.csv` });
  await vi.waitFor(() => expect(readdirSync(join(kit.folder, 'output', 'downloads'))).toContain('report.csv'));
});

it('15.15 the files of a session take no more room than the options give them', async () => {
  kit = await startKit('--max-download-mb', '2');
  await kit.ok('navigate', { url: page(saving(5, 900_000)) });
  await vi.waitFor(async () => expect(await kit.ok('title')).toContain('Done'), 10_000);
  await vi.waitFor(async () => expect(await kit.ok('downloads')).toMatch(/(?:^5\. .*failed: .*--max-download-mb)/m));
  const list = (await kit.call('downloads')).data as { downloads: { state: string }[] };
  expect(list.downloads.map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'failed', 'failed']);
  expect(readdirSync(join(kit.folder, 'output', 'downloads'))).toHaveLength(2);
});
