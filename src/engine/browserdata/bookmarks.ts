// Bookmarks: searched, added and deleted, in the browser or, without a profile, in the session.
import { Failure } from '../../errors.ts';
import { calledTool, phrase, toolName } from '../../text.ts';
import { titleOf } from '../actions/effects.ts';
import type { Limits } from '../limits.ts';
import type { Context } from '../tab/context.ts';
import {
  type Bookmark,
  type BookmarkFolder,
  type BookmarkNode,
  barOf,
  bookmarksOf,
  deepestFolder,
  findFolder,
  foldersOf,
  missingFolder,
  nodeById,
} from './bookmark-tree.ts';
import { type AskChrome, type DataSource, sourceOf, withExtension } from './extension.ts';
import { type BookmarkStore, wordMatcher } from './session-data.ts';

export const ACTIONS = ['search', 'add', 'delete', 'list_folders'] as const;

export interface BookmarksInput {
  action: (typeof ACTIONS)[number];
  query?: string | undefined;
  folder?: string | undefined;
  max_results: number;
  url?: string | undefined;
  title?: string | undefined;
  parent_folder?: string | undefined;
  create_folder: boolean;
  bookmark_id?: string | undefined;
}

/** What one action gives. */
interface ActionResult {
  /** Found; or the one that was added or deleted. */
  bookmarks?: Bookmark[];
  folders?: BookmarkFolder[];
  /** Found in all. */
  count?: number;
  /** Folders that were made for the new bookmark. */
  made?: string[];
}

export interface BookmarksResult extends ActionResult {
  source: DataSource;
}

export async function bookmarks(context: Context, input: BookmarksInput, limits: Limits): Promise<BookmarksResult> {
  await context.open(limits);
  const given = input.action === 'add' ? await withPage(context, input, limits) : input;
  const source = sourceOf(context);
  const run = (store: BookmarkStore) => RUN[input.action](store, given);
  const done =
    source === 'session'
      ? await run(context.own.bookmarks)
      : await withExtension(context, limits, ask => run(storeOf(ask)));
  return { source, ...done };
}

const RUN: Record<BookmarksInput['action'], (store: BookmarkStore, input: BookmarksInput) => Promise<ActionResult>> = {
  search,
  add,
  delete: remove,
  list_folders: listFolders,
};

const storeOf = (ask: AskChrome): BookmarkStore => ({
  tree: async () => (await ask<BookmarkNode[]>('chrome.bookmarks.getTree()'))[0] ?? { id: '0', title: '' },
  create: (parentId, title, url) =>
    ask<BookmarkNode>(`chrome.bookmarks.create(${JSON.stringify({ parentId, title, url })})`),
  remove: id => ask<void>(`chrome.bookmarks.remove(${JSON.stringify(id)})`),
});

/** Without a url the page of the active tab is meant. */
async function withPage(context: Context, input: BookmarksInput, limits: Limits): Promise<BookmarksInput> {
  const { active } = context;
  const url = input.url ?? active?.url ?? '';
  if (url === '' || url.startsWith('about:'))
    throw new Failure(
      'bad_input',
      phrase`${calledTool('bookmarks')} add needs a url: no page is open.`,
      'Give url, or open the page first.',
    );
  const title = input.title ?? (active?.url === url ? await titleOf(active, limits) : '');
  return { ...input, url, title: title || url };
}

async function search(store: BookmarkStore, input: BookmarksInput): Promise<ActionResult> {
  const matches = wordMatcher(input.query ?? '');
  const found = within(await store.tree(), input.folder).filter(({ title, url }) => matches(`${title} ${url}`));
  return { bookmarks: found.slice(0, input.max_results), count: found.length };
}

/** The bookmarks below a folder, with their whole paths. */
function within(root: BookmarkNode, folder: string | undefined): Bookmark[] {
  if (folder === undefined) return bookmarksOf(root);
  const found = findFolder(root, folder);
  if (!found) throw missingFolder(root, folder);
  return bookmarksOf(found, foldersOf(root).find(({ id }) => id === found.id)?.path);
}

async function listFolders(store: BookmarkStore, input: BookmarksInput): Promise<ActionResult> {
  const folders = foldersOf(await store.tree());
  return { folders: folders.slice(0, input.max_results), count: folders.length };
}

async function add(store: BookmarkStore, input: BookmarksInput): Promise<ActionResult> {
  const { url = '', title = '', parent_folder, create_folder } = input;
  const { id, made } = await folderFor(store, await store.tree(), parent_folder, create_folder);
  const node = await store.create(id, title, url);
  const row = bookmarksOf(await store.tree()).find(one => one.id === node.id);
  if (!row) throw new Failure('not_taken', `${url} was not added to the bookmarks.`, 'Try again.');
  return { bookmarks: [row], ...(made.length > 0 ? { made } : {}) };
}

async function folderFor(
  store: BookmarkStore,
  root: BookmarkNode,
  given: string | undefined,
  create: boolean,
): Promise<{ id: string; made: string[] }> {
  if (given === undefined) return { id: barOf(root).id, made: [] };
  const found = findFolder(root, given);
  if (found) return { id: found.id, made: [] };
  if (!create) throw missingFolder(root, given);
  const { at, rest } = deepestFolder(root, given);
  let { id } = at;
  for (const title of rest) ({ id } = await store.create(id, title));
  return { id, made: rest };
}

async function remove(store: BookmarkStore, input: BookmarksInput): Promise<ActionResult> {
  const root = await store.tree();
  const row = input.bookmark_id === undefined ? byUrl(root, input) : byId(root, input.bookmark_id);
  await store.remove(row.id);
  return { bookmarks: [row] };
}

function byId(root: BookmarkNode, id: string): Bookmark {
  const row = bookmarksOf(root).find(one => one.id === id);
  if (row) return row;
  const node = nodeById(root, id);
  const folder = foldersOf(root).find(one => one.id === id);
  if (!node || !folder)
    throw new Failure(
      'not_found',
      `There is no bookmark with the id ${JSON.stringify(id)}.`,
      phrase`See ${toolName('bookmarks')} search.`,
    );
  const isOwn = root.children?.includes(node);
  if (isOwn || node.children?.length)
    throw new Failure(
      'refused',
      `The folder ${JSON.stringify(folder.path)} ${isOwn ? 'belongs to the browser' : 'is not empty'} and was not deleted.`,
      'Delete the bookmarks and folders in it, one by one.',
    );
  return { id, title: node.title, url: '', folder: folder.path };
}

/** The bookmark of the url, and of the title when one is given. */
function byUrl(root: BookmarkNode, { url, title }: BookmarksInput): Bookmark {
  if (url === undefined)
    throw new Failure(
      'bad_input',
      phrase`${calledTool('bookmarks')} delete needs bookmark_id or url.`,
      phrase`See ${toolName('bookmarks')} search for the ids.`,
    );
  const found = bookmarksOf(root).filter(row => sameUrl(row.url, url) && (title === undefined || row.title === title));
  const [row, ...others] = found;
  if (!row)
    throw new Failure('not_found', `There is no bookmark of ${url}.`, phrase`See ${toolName('bookmarks')} search.`);
  if (others.length > 0)
    throw new Failure(
      'ambiguous',
      `${found.length} bookmarks have that url: ${found
        .slice(0, 10)
        .map(({ id, title: name, folder }) => `${id} (${JSON.stringify(name)} in ${folder})`)
        .join(', ')}.`,
      'Give bookmark_id.',
    );
  return row;
}

/** A browser writes a url out in full. */
const sameUrl = (one: string, other: string | undefined): boolean =>
  one === other || (other !== undefined && URL.canParse(other) && new URL(other).href === one);
