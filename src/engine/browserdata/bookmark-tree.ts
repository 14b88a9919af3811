// The tree of bookmarks: its rows with their paths, and folders found by path or id. Pure.
import { Failure } from '../../errors.ts';

/** A BookmarkTreeNode of chrome.bookmarks. */
export interface BookmarkNode {
  id: string;
  title: string;
  url?: string | undefined;
  children?: BookmarkNode[];
  folderType?: string;
}

export interface BookmarkFolder {
  id: string;
  /** Titles from the top, with slashes. */
  path: string;
  /** Bookmarks right in it. */
  bookmarks: number;
}

export interface Bookmark {
  id: string;
  title: string;
  url: string;
  folder: string;
}

/** The folders that every browser has, by their English names: their titles are in the language of the browser. */
const ROOTS: readonly { name: string; type: string; id: string }[] = [
  { name: 'bookmarks bar', type: 'bookmarks-bar', id: '1' },
  { name: 'other bookmarks', type: 'other', id: '2' },
  { name: 'mobile bookmarks', type: 'mobile', id: '3' },
];

const childrenOf = (node: BookmarkNode): BookmarkNode[] => node.children ?? [];
const isFolder = (node: BookmarkNode): boolean => node.url === undefined;
const join = (path: string, title: string): string => (path === '' ? title : `${path}/${title}`);

/** Every folder below the root, from the top. */
export function foldersOf(root: BookmarkNode, path = ''): BookmarkFolder[] {
  return childrenOf(root)
    .filter(isFolder)
    .flatMap(node => {
      const own = join(path, node.title);
      const bookmarks = childrenOf(node).filter(child => !isFolder(child)).length;
      return [{ id: node.id, path: own, bookmarks }, ...foldersOf(node, own)];
    });
}

/** Every bookmark below the node, in the order of the tree. */
export function bookmarksOf(node: BookmarkNode, folder = ''): Bookmark[] {
  return childrenOf(node).flatMap(child =>
    child.url === undefined
      ? bookmarksOf(child, join(folder, child.title))
      : [{ id: child.id, title: child.title, url: child.url, folder }],
  );
}

export function nodeById(root: BookmarkNode, id: string): BookmarkNode | undefined {
  if (root.id === id) return root;
  for (const child of childrenOf(root)) {
    const found = nodeById(child, id);
    if (found) return found;
  }
  return undefined;
}

/** The folder for bookmarks that name none. */
export function barOf(root: BookmarkNode): BookmarkNode {
  const bar = rootFolder(root, 'bookmarks bar') ?? childrenOf(root)[0];
  if (!bar) throw new Failure('internal', 'The browser has no bookmarks bar.');
  return bar;
}

/** By id; by a path from the top; or by the end of a path, when only one folder fits. */
export function findFolder(root: BookmarkNode, given: string): BookmarkNode | undefined {
  const byId = nodeById(root, given);
  if (byId && byId !== root && isFolder(byId)) return byId;
  const parts = partsOf(given);
  const whole = follow(root, parts);
  if (whole) return whole;
  const end = parts.join('/').toLowerCase();
  const fitting = foldersOf(root).filter(({ path }) => `/${path}`.toLowerCase().endsWith(`/${end}`));
  if (fitting.length > 1)
    throw new Failure(
      'ambiguous',
      `Several folders are called ${JSON.stringify(given.slice(0, 100))}: ${fitting
        .slice(0, 10)
        .map(({ id, path }) => `${path} (id ${id})`)
        .join(', ')}.`,
      'Give the whole path or the id.',
    );
  return fitting[0] && nodeById(root, fitting[0].id);
}

/** How far a path exists, from the bookmarks bar when it names none of the browser's own folders; and the rest of it. */
export function deepestFolder(root: BookmarkNode, given: string): { at: BookmarkNode; rest: string[] } {
  const [first = '', ...others] = partsOf(given);
  const top = rootFolder(root, first);
  let at = top ?? barOf(root);
  const parts = top ? others : [first, ...others];
  for (const [index, part] of parts.entries()) {
    const next = childFolder(at, part);
    if (!next) return { at, rest: parts.slice(index) };
    at = next;
  }
  return { at, rest: [] };
}

export function missingFolder(root: BookmarkNode, given: string): Failure {
  const known = foldersOf(root).map(({ path }) => path);
  return new Failure(
    'not_found',
    `There is no bookmark folder ${JSON.stringify(given.slice(0, 100))}. Folders: ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`,
    'Give a path such as "Bookmarks bar/Work" or an id (list_folders); create_folder makes it when adding.',
  );
}

function partsOf(given: string): string[] {
  const parts = given.split('/').map(part => part.trim());
  const named = parts.filter(part => part !== '');
  if (named.length === 0) throw new Failure('bad_input', 'A folder needs a name.', 'Such as "Bookmarks bar/Work".');
  return named;
}

function follow(root: BookmarkNode, [first = '', ...others]: string[]): BookmarkNode | undefined {
  return others.reduce<BookmarkNode | undefined>((at, part) => at && childFolder(at, part), rootFolder(root, first));
}

function rootFolder(root: BookmarkNode, name: string): BookmarkNode | undefined {
  const known = ROOTS.find(row => row.name === name.toLowerCase());
  return (
    childFolder(root, name) ??
    childrenOf(root).find(({ folderType }) => known && folderType === known.type) ??
    childrenOf(root).find(({ id }) => known && id === known.id)
  );
}

/** The child folder of that title, else of the same title in other capitals. */
function childFolder(node: BookmarkNode, title: string): BookmarkNode | undefined {
  const folders = childrenOf(node).filter(isFolder);
  return (
    folders.find(child => child.title === title) ??
    folders.find(child => child.title.toLowerCase() === title.toLowerCase())
  );
}
