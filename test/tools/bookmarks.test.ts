// Bookmarks (S1-66): of a browser profile, headless, and of an isolated session, which keeps its own.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bookmark } from '../../src/engine/browserdata/bookmark-tree.ts';
import type { BookmarksResult } from '../../src/engine/browserdata/bookmarks.ts';
import { type Kit, startKit } from '../kit.ts';
import { temporaryFolder } from '../surfaces/process.ts';

async function use(kit: Kit, action: string, args: Record<string, unknown> = {}): Promise<BookmarksResult> {
  const result = await kit.call('bookmarks', { action, ...args });
  expect(result.ok, result.text).toBe(true);
  return result.data as BookmarksResult;
}
const add = async (kit: Kit, args: Record<string, unknown>): Promise<Bookmark> => {
  const [row] = (await use(kit, 'add', args)).bookmarks ?? [];
  if (!row) throw new Error('nothing was added');
  return row;
};
const titles = async (kit: Kit, args: Record<string, unknown> = {}): Promise<string[]> =>
  ((await use(kit, 'search', args)).bookmarks ?? []).map(({ title }) => title);

/** What both sources must do, in this order, beginning with none. */
function sameEverywhere(get: () => Kit): void {
  it('add: url and title; without a folder on the bookmarks bar; without a url the page that is open', async () => {
    expect(await add(get(), { url: 'https://one.test/a', title: 'One' })).toMatchObject({
      title: 'One',
      url: 'https://one.test/a',
      folder: 'Bookmarks bar',
    });
    await get().open('/signup.html');
    expect(await add(get(), {})).toMatchObject({ title: 'Sign up', url: `${get().site.url}/signup.html` });
    expect(await add(get(), { url: 'plain.test' })).toMatchObject({ title: expect.stringContaining('plain.test') });
  });

  it('parent_folder by path and id; create_folder', async () => {
    const missing = await get().fails('bookmarks', {
      action: 'add',
      url: 'https://w.test',
      parent_folder: 'Work/Deep',
    });
    expect(missing.code).toBe('not_found');
    expect(missing.text).toMatch(/no bookmark folder "Work\/Deep"\. Folders: Bookmarks bar, Other bookmarks/);
    const made = await get().ok('bookmarks', {
      action: 'add',
      url: 'https://w.test/',
      title: 'Deep one',
      parent_folder: 'Work/Deep',
      create_folder: true,
    });
    expect(made).toMatch(
      /^Added \d+: "Deep one" https:\/\/w\.test\/ in Bookmarks bar\/Work\/Deep \(made Work\/Deep\)\./,
    );
    expect((await add(get(), { url: 'https://o.test/', title: 'Two', parent_folder: 'other bookmarks' })).folder).toBe(
      'Other bookmarks',
    );
    const { folders = [] } = await use(get(), 'list_folders');
    const work = folders.find(({ path }) => path === 'Bookmarks bar/Work');
    expect((await add(get(), { url: 'https://x.test/', title: 'By id', parent_folder: work?.id })).folder).toBe(
      'Bookmarks bar/Work',
    );
    expect(
      (await add(get(), { url: 'https://y.test/', title: 'Again', parent_folder: 'Work', create_folder: true })).folder,
    ).toBe('Bookmarks bar/Work');
    expect((await use(get(), 'list_folders')).count).toBe(folders.length);
  });

  it('list_folders: id, path and how many', async () => {
    const text = await get().ok('bookmarks', { action: 'list_folders' });
    expect(text).toMatch(/^\d+ folders of .*:\n/);
    expect(text).toMatch(/^\d+: Bookmarks bar\/Work \(2 bookmarks\)$/m);
    expect(text).toMatch(/^\d+: Bookmarks bar\/Work\/Deep \(1 bookmark\)$/m);
    expect((await use(get(), 'list_folders', { max_results: 1 })).folders).toHaveLength(1);
  });

  it('search: query in title and url, folder by path and id, max_results', async () => {
    expect(await titles(get(), { query: 'deep' })).toEqual(['Deep one']);
    expect(await titles(get(), { query: 'ONE.test' })).toEqual(['One']);
    expect(await titles(get(), { query: 'sign up' })).toEqual(['Sign up']);
    expect((await titles(get(), { folder: 'Bookmarks bar/Work' })).sort()).toEqual(['Again', 'By id', 'Deep one']);
    const { folders = [] } = await use(get(), 'list_folders');
    const deep = folders.find(({ path }) => path.endsWith('/Deep'));
    expect(await titles(get(), { folder: deep?.id })).toEqual(['Deep one']);
    expect(await titles(get(), { folder: deep?.id, query: 'two' })).toEqual([]);
    const text = await get().ok('bookmarks', { action: 'search', max_results: 2 });
    expect(text).toMatch(/^7 bookmarks of .* \(the first 2 of them\):\n\d+: .*\n\d+: .*$/);
    expect((await get().fails('bookmarks', { action: 'search', folder: 'Nowhere' })).code).toBe('not_found');
  });

  it('delete: by bookmark_id, by url; not what is not there, not what is unclear, not a folder in use', async () => {
    const first = await add(get(), { url: 'https://twice.test/', title: 'First' });
    await add(get(), { url: 'https://twice.test/', title: 'Second' });
    const unclear = await get().fails('bookmarks', { action: 'delete', url: 'https://twice.test' });
    expect([unclear.code, unclear.text]).toEqual(['ambiguous', expect.stringContaining(`${first.id} ("First"`)]);
    expect(await get().ok('bookmarks', { action: 'delete', bookmark_id: first.id })).toMatch(/^Deleted \d+: "First"/);
    await use(get(), 'delete', { url: 'twice.test', title: 'Second' });
    expect(await titles(get(), { query: 'twice' })).toEqual([]);
    expect((await get().fails('bookmarks', { action: 'delete', bookmark_id: first.id })).code).toBe('not_found');
    expect((await get().fails('bookmarks', { action: 'delete', url: 'https://twice.test/' })).code).toBe('not_found');
    expect((await get().fails('bookmarks', { action: 'delete' })).text).toMatch(/needs bookmark_id or url/);
    const { folders = [] } = await use(get(), 'list_folders');
    const idOf = (path: string) => folders.find(row => row.path === path)?.id;
    expect(
      (await get().fails('bookmarks', { action: 'delete', bookmark_id: idOf('Bookmarks bar/Work') })).text,
    ).toMatch(/is not empty/);
    expect((await get().fails('bookmarks', { action: 'delete', bookmark_id: idOf('Other bookmarks') })).text).toMatch(
      /belongs to the browser/,
    );
    await use(get(), 'delete', { url: 'https://w.test/' });
    await use(get(), 'delete', { bookmark_id: idOf('Bookmarks bar/Work/Deep') });
    expect((await use(get(), 'list_folders')).folders?.map(({ path }) => path)).not.toContain(
      'Bookmarks bar/Work/Deep',
    );
  });

  it.each([
    [{ action: 'add', url: 'javascript:alert(1)' }, 'refused'],
    [{ action: 'add', url: 'chrome://settings' }, 'refused'],
    [{ action: 'add', url: 'https://a.test', parent_folder: ' / ' }, 'bad_input'],
    [{ action: 'move' }, 'bad_input'],
    [{ action: 'search', max_results: 0 }, 'bad_input'],
  ])('refuses %j', async (args, code) => expect((await get().fails('bookmarks', args)).code).toBe(code));
}

describe('S1-66 bookmarks of a browser profile, headless', () => {
  const folder = temporaryFolder();
  let kit: Kit;
  const start = () => startKit('--user-data-dir', join(folder.path, 'profile'));
  beforeAll(async () => {
    kit = await start();
  });
  afterAll(async () => {
    await kit.close();
    folder.remove();
  });

  sameEverywhere(() => kit);

  it('says where they are, and they are there after a restart', async () => {
    expect(await kit.ok('bookmarks', { action: 'add', url: 'https://kept.test/', title: 'Kept' })).toMatch(
      /Kept by the browser profile\.$/,
    );
    const before = await titles(kit);
    await kit.close();
    kit = await start();
    expect(await titles(kit)).toEqual(before);
    expect(await titles(kit, { query: 'kept' })).toEqual(['Kept']);
    expect(await titles(kit, { session: 'apart' })).toEqual([]);
  });

  it('a browser that takes no extension says so, and nothing is pretended', async () => {
    const broken = await startKit(
      '--user-data-dir',
      join(folder.path, 'second'),
      '--chrome-arg',
      '--disable-extensions=1',
    );
    try {
      const { code, text } = await broken.fails('bookmarks', { action: 'add', url: 'https://a.test' });
      expect([code, text]).toEqual(['refused', expect.stringMatching(/does not take the extension/)]);
    } finally {
      await broken.close();
    }
  });
});

describe('S1-66 bookmarks of an isolated session', () => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit();
  });
  afterAll(() => kit.close());

  it('a blank page is no bookmark', async () => {
    expect((await kit.fails('bookmarks', { action: 'add' })).text).toMatch(/needs a url/);
  });

  sameEverywhere(() => kit);

  it('says that they end with it; another session has its own', async () => {
    expect(await kit.ok('bookmarks', { action: 'add', url: 'https://a.test/' })).toMatch(
      /Kept by this session only \(it is isolated: they end with it; --user-data-dir keeps them\)\.$/,
    );
    expect(await kit.ok('bookmarks', { action: 'search', session: 'other' })).toMatch(
      /^0 bookmarks of this session only/,
    );
  });
});
