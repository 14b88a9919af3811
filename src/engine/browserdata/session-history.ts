// What a session keeps of its own when its browser state has no profile: visits and bookmarks, gone with the session.
import { Failure } from '../../errors.ts';
import type { BookmarkNode } from './folders.ts';
import { Visits } from './visits.ts';

/** Where bookmarks live: a browser, or a session. */
export interface BookmarkStore {
  tree(): Promise<BookmarkNode>;
  create(parentId: string, title: string, url?: string): Promise<BookmarkNode>;
  remove(id: string): Promise<void>;
}

const MOST = 2_000;

class OwnBookmarks implements BookmarkStore {
  readonly #root: BookmarkNode = {
    id: '0',
    title: '',
    children: [
      { id: '1', title: 'Bookmarks bar', folderType: 'bookmarks-bar', children: [] },
      { id: '2', title: 'Other bookmarks', folderType: 'other', children: [] },
    ],
  };
  readonly #nodes = new Map([this.#root, ...(this.#root.children ?? [])].map(node => [node.id, node]));
  #last = 2;

  async tree(): Promise<BookmarkNode> {
    return this.#root;
  }

  async create(parentId: string, title: string, url?: string): Promise<BookmarkNode> {
    if (this.#nodes.size >= MOST)
      throw new Failure('refused', `This session keeps at most ${MOST} bookmarks.`, 'Delete some first.');
    const own = url === undefined ? { children: [] } : { url: new URL(url).href };
    const node: BookmarkNode = { id: String(++this.#last), title, ...own };
    this.#nodes.set(node.id, node);
    this.#nodes.get(parentId)?.children?.push(node);
    return node;
  }

  async remove(id: string): Promise<void> {
    this.#nodes.delete(id);
    for (const node of this.#nodes.values())
      if (node.children) node.children = node.children.filter(child => child.id !== id);
  }
}

export class SessionData {
  readonly visits = new Visits();
  readonly bookmarks: BookmarkStore = new OwnBookmarks();
}
