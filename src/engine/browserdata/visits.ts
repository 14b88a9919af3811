// The pages that a session has visited, newest last, in a bounded list: its history when the browser keeps none.
import type { Tab } from '../tab/tab.ts';

export interface PageRow {
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

const MOST = 1_000;
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
        ({ targetInfo: { url, title } }) => this.entitle(url, title),
        () => undefined, // the page has gone, and its title with it
      );
    });
  }

  add(given: string, at = Date.now()): void {
    if (NO_PAGE.test(given)) return;
    const url = given.slice(0, LONGEST);
    this.#list.push({ url, title: this.#titleOf(url), at });
    if (this.#list.length > MOST) this.#list.shift();
  }

  /** Chrome gives the url, or the part behind its scheme, as the title of a page that has none. */
  entitle(given: string, title: string): void {
    if (given.endsWith(title)) return;
    const url = given.slice(0, LONGEST);
    for (const visit of this.#list) if (visit.url === url) visit.title = title.slice(0, LONGEST);
  }

  /** Each page once, the latest first; all words must be in its url or title. */
  search(text: string, from: number, to: number): PageRow[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = new Map<string, PageRow>();
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
