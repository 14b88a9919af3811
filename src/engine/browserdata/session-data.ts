// What a session keeps of its own when its browser state has no profile: visits and bookmarks, gone with the session.
import { Failure } from '../../errors.ts';
import type { Tab } from '../tab/tab.ts';
import type { BookmarkNode } from './bookmark-tree.ts';

/** Where bookmarks live: a browser, or a session. */
export interface BookmarkStore {
  tree(): Promise<BookmarkNode>;
  create(parentId: string, title: string, url?: string): Promise<BookmarkNode>;
  remove(id: string): Promise<void>;
}

const MOST_BOOKMARKS = 2_000;

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
    if (this.#nodes.size >= MOST_BOOKMARKS)
      throw new Failure('refused', `This session keeps at most ${MOST_BOOKMARKS} bookmarks.`, 'Delete some first.');
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

export interface VisitedPage {
  url: string;
  title: string;
  /** The last visit, ms since 1970. */
  last: number;
  visits: number;
}

interface Visit {
  url: string;
  title: string;
  at: number;
}

const MOST_VISITS = 1_000;
/** A data: url can hold a whole page. */
const LONGEST = 2_000;

/** Pages of the browser itself, and none at all. */
const NO_PAGE = /^(?:$|about:|chrome|devtools:)/;

export class Visits {
  readonly #list: Visit[] = [];

  /** Takes down where the tab goes, for as long as it lives. */
  follow(tab: Tab): void {
    tab.events.on('committed', url => this.add(url));
    tab.events.on('within', url => this.add(url));
    tab.events.on('stopped', () => {
      tab.main.send('Target.getTargetInfo').then(
        ({ targetInfo: { url, title } }) => this.setTitle(url, title),
        () => undefined, // the page has gone, and its title with it
      );
    });
  }

  add(given: string, at = Date.now()): void {
    if (NO_PAGE.test(given)) return;
    const url = given.slice(0, LONGEST);
    this.#list.push({ url, title: this.#titleOf(url), at });
    if (this.#list.length > MOST_VISITS) this.#list.shift();
  }

  /** Chrome gives the url, or the part behind its scheme, as the title of a page that has none. */
  setTitle(given: string, title: string): void {
    if (given.endsWith(title)) return;
    const url = given.slice(0, LONGEST);
    for (const visit of this.#list) if (visit.url === url) visit.title = title.slice(0, LONGEST);
  }

  /** Each page once, the latest first; all words must be in its url or title. */
  search(text: string, from: number, to: number): VisitedPage[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = new Map<string, VisitedPage>();
    for (const { url, title, at } of this.#list.toReversed()) {
      const seen = `${url} ${title}`.toLowerCase();
      if (at < from || at > to || !words.every(word => seen.includes(word))) continue;
      const row = rows.get(url) ?? { url, title, last: at, visits: 0 };
      rows.set(url, { ...row, visits: row.visits + 1 });
    }
    return [...rows.values()];
  }

  #titleOf(url: string): string {
    return this.#list.findLast(visit => visit.url === url)?.title ?? '';
  }
}
