// History and bookmarks of a session whose browser has no profile: they are gone with the session.
import { Failure } from '../../errors.ts';
import type { Tab } from '../tab/tab.ts';
import { ownTitle } from '../title.ts';
import type { BookmarkNode } from './bookmark-tree.ts';

/** Where bookmarks are: in a browser, or in a session. */
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

/** Whether a text has all words of the query, in any order. */
export function wordMatcher(query: string): (text: string) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return text => words.every(word => text.toLowerCase().includes(word));
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

  /** Records the pages that the tab visits, for as long as it lives. */
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

  setTitle(given: string, title: string): void {
    if (ownTitle(given, title) === '') return;
    const url = given.slice(0, LONGEST);
    for (const visit of this.#list) if (visit.url === url) visit.title = title.slice(0, LONGEST);
  }

  /** Each page once, the latest first; all words must be in its url or title. */
  search(text: string, from: number, to: number): VisitedPage[] {
    const matches = wordMatcher(text);
    const rows = new Map<string, VisitedPage>();
    for (const { url, title, at } of this.#list.toReversed()) {
      if (at < from || at > to || !matches(`${url} ${title}`)) continue;
      const row = rows.get(url) ?? { url, title, last: at, visits: 0 };
      rows.set(url, { ...row, visits: row.visits + 1 });
    }
    return [...rows.values()];
  }

  #titleOf(url: string): string {
    return this.#list.findLast(visit => visit.url === url)?.title ?? '';
  }
}
