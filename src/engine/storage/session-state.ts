// Keeper: what a session would lose with its browser (cookies, storage, tabs): read now and then, and brought back.
import type { BrowserContext, Cookie } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { knownTitle } from '../actions/effects.ts';
import { type DatabaseBounds, readingDatabases, type SavedDatabase, writingDatabases } from '../inpage/databases.ts';
import { type Limits, remaining, under, within } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import {
  type ContextRef,
  contextRefOf,
  type HiddenPage,
  READ_LOCAL,
  setItemsScript,
  siteOrigin,
  visitOrigins,
} from './hidden-page.ts';
import type { StorageItems } from './web-storage.ts';

export interface SavedTab {
  id: number;
  url: string;
  title: string;
  active: boolean;
  /** Its session storage. */
  session: StorageItems;
}

export interface SavedOrigin {
  origin: string;
  local: StorageItems;
  databases: SavedDatabase[];
}

export interface SavedState {
  /** When it was read, ms since 1970. */
  at: number;
  cookies: Cookie[];
  origins: SavedOrigin[];
  tabs: SavedTab[];
}

/** What came back, in numbers. */
export interface RestoreResult {
  at: number;
  cookies: number;
  expired: number;
  sites: number;
  /** Names of cookies that Chrome did not take, and origins whose storage could not be set. */
  missing: string[];
}

/** A page that does not answer must not hold up the rest; its storage stays as it was read before. */
const TAB_MS = 1_000;
/** For the storage of all origins that no tab shows. */
const ASIDE_MS = 2_000;
const BACK_MS = 10_000;
const MOST_TABS = 50;
const LONGEST_TITLE = 200;

export interface SavedStateLimits {
  origins: number;
  /** Characters of the storage of all origins together, and of the session storage of one tab. */
  chars: number;
  tabChars: number;
  databases: DatabaseBounds;
}

const LIMITS: SavedStateLimits = {
  origins: 50,
  chars: 6_000_000,
  tabChars: 500_000,
  databases: { databases: 20, records: 2_000, chars: 2_000_000 },
};

const READ_BOTH = `({ origin: location.origin, local: ${READ_LOCAL}, session: ${READ_LOCAL.replaceAll('localStorage', 'sessionStorage')} })`;

interface Seen {
  tab: SavedTab;
  origin: string;
  local: StorageItems;
  /** Undefined when they could not be read. */
  databases: SavedDatabase[] | undefined;
}

export class SessionState {
  /** As last read, or as given: then it still waits to be brought back. */
  state: SavedState | undefined;
  /** Set until it has been brought back into a browser. */
  isPending: boolean;
  /** The least recently read first. */
  readonly #origins = new Map<string, SavedOrigin>();
  /** Shown in a tab since they were last read. */
  #shown = new Set<string>();
  /** By tab: an address that could not be opened again; the next time it may. */
  readonly #missed = new Map<number, string>();
  #realm: Promise<ContextRef> | undefined;
  readonly #limits: SavedStateLimits;

  constructor(state?: SavedState, limits: SavedStateLimits = LIMITS) {
    this.state = state;
    this.#limits = limits;
    this.isPending = state !== undefined;
    for (const row of state?.origins ?? []) this.#origins.set(row.origin, row);
  }

  /** Takes down which sites the tab shows, for as long as it lives. */
  follow(tab: Tab): void {
    tab.events.on('committed', url => this.#shown.add(siteOrigin(url)));
  }

  /** The tab is to show that address, and does not yet. */
  setUnopenedUrl(tab: Tab, url: string): void {
    this.#missed.set(tab.id, url);
  }

  /** Where the tab is, or was to be. */
  urlOf({ id, url }: Pick<Tab, 'id' | 'url'>): string {
    return siteOrigin(url) !== '' ? url : (this.#missed.get(id) ?? 'about:blank');
  }

  /** The session storage of the tab, as last read; it belongs to one origin. */
  sessionOf(id: number, url: string): StorageItems {
    const kept = this.state?.tabs.find(tab => tab.id === id);
    return kept && siteOrigin(kept.url) === siteOrigin(url) ? kept.session : [];
  }

  /** Of the tabs of one browser state. Never waits for a page that does not answer. */
  async read(context: BrowserContext, tabs: Tab[], active: Tab | undefined, limits: Limits): Promise<SavedState> {
    const kept = tabs.slice(-MOST_TABS);
    const [cookies, rows] = await Promise.all([
      under(limits.signal, context.cookies()),
      Promise.all(kept.map(tab => this.#look(tab, tab === active, limits))),
    ]);
    for (const row of rows) this.#take(row);
    for (const tab of kept) this.#meetFrames(tab);
    await this.#readLeft(tabs, limits);
    for (const { url } of kept) this.#shown.add(siteOrigin(url));
    this.state = { at: Date.now(), cookies, origins: this.#kept(), tabs: rows.map(({ tab }) => tab) };
    return this.state;
  }

  /** Into a new browser state, in which the tab lives; nothing is shown there yet. */
  async restore(tab: Tab, limits: Limits): Promise<RestoreResult> {
    const { at, cookies, origins } = this.state ?? { at: 0, cookies: [], origins: [] };
    this.#realm = undefined;
    const now = Date.now() / 1_000;
    const living = cookies.filter(({ expires }) => expires === -1 || expires > now);
    const refused = await setCookies(tab.page.context(), living, limits);
    // The latest first: should the time not do for all.
    const rows = origins.filter(({ local, databases }) => local.length + databases.length > 0).toReversed();
    const failed = rows.length > 0 ? await this.#writeAll(tab, rows, limits) : [];
    return {
      at,
      cookies: living.length - refused.length,
      expired: cookies.length - living.length,
      sites: rows.length - failed.length,
      missing: [...refused, ...failed],
    };
  }

  /** Gives the origins that could not be reached in time. */
  #writeAll(tab: Tab, rows: SavedOrigin[], limits: Limits): Promise<string[]> {
    const origins = rows.map(({ origin }) => origin);
    return bounded(limits, BACK_MS, async bound => {
      const results = await visitOrigins(await contextRefOf(tab, bound), rows, bound, write);
      return origins.filter((_, at) => results[at]?.status === 'rejected');
    }).catch(() => {
      limits.signal.throwIfAborted();
      if (tab.gone) throw tab.gone;
      return origins;
    });
  }

  async #look(tab: Tab, active: boolean, limits: Limits): Promise<Seen> {
    const { id, url } = tab;
    const isSite = siteOrigin(url) !== '';
    if (isSite) this.#missed.delete(id);
    const kept: SavedTab = { id, url: this.urlOf(tab), title: '', active, session: this.sessionOf(id, url) };
    if (!isSite || tab.gone) return { tab: kept, origin: '', local: [], databases: undefined };
    return bounded(limits, TAB_MS, async bound => {
      kept.title = (await knownTitle(tab, bound)).slice(0, LONGEST_TITLE);
      if (tab.dialog || tab.pending) throw new Failure('page_unresponsive', 'The page is not to be disturbed.');
      const both = await evaluate<{ origin: string; local: StorageItems; session: StorageItems }>(
        tab,
        READ_BOTH,
        bound,
      );
      const found = {
        ...both,
        tab: { ...kept, session: charsOf(both.session) > this.#limits.tabChars ? [] : both.session },
      };
      const databases = await evaluate<SavedDatabase[]>(tab, readingDatabases(this.#limits.databases), bound).catch(
        () => undefined,
      );
      return { ...found, databases };
    }).catch(error => {
      limits.signal.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      // Beside the tab it can still be read.
      return { tab: kept, origin: '', local: [], databases: undefined };
    });
  }

  #take({ origin, local, databases }: Seen): void {
    if (origin === '') return;
    this.#shown.delete(origin);
    this.#put({ origin, local, databases: databases ?? this.#origins.get(origin)?.databases ?? [] });
  }

  #put(row: SavedOrigin): void {
    this.#origins.delete(row.origin);
    if (row.local.length + row.databases.length > 0) this.#origins.set(row.origin, row);
  }

  /** A frame may change what its origin keeps, too. */
  #meetFrames(tab: Tab): void {
    const origins = tab.page.frames().map(frame => siteOrigin(frame.url()));
    for (const origin of origins)
      if (origin !== siteOrigin(tab.url) && this.#origins.has(origin)) this.#shown.add(origin);
  }

  /** Origins that were left since they were last read, or whose page does not answer. */
  async #readLeft(tabs: Tab[], limits: Limits): Promise<void> {
    this.#shown.delete('');
    const left = [...this.#shown].map(origin => ({ origin }));
    const [tab] = tabs;
    if (left.length === 0 || (!tab && !this.#realm)) return;
    await bounded(limits, ASIDE_MS, async bound => {
      if (tab) this.#realm ??= contextRefOf(tab, bound);
      const realm = await this.#realm;
      if (realm) await visitOrigins(realm, left, bound, (page, { origin }) => this.#readAside(page, origin, bound));
    }).catch(() => {
      limits.signal.throwIfAborted();
      this.#realm = undefined;
    });
  }

  /** One that cannot be read is not tried for ever; one for which there was no time is read the next time. */
  async #readAside(page: HiddenPage, origin: string, bound: Limits): Promise<void> {
    try {
      const local = await page.evaluate<StorageItems>(READ_LOCAL);
      this.#put({
        origin,
        local,
        databases: await page.evaluate<SavedDatabase[]>(readingDatabases(this.#limits.databases)),
      });
    } finally {
      if (!bound.signal.aborted) this.#shown.delete(origin);
    }
  }

  /** The latest that fit. */
  #kept(): SavedOrigin[] {
    let chars = 0;
    [...this.#origins.values()].toReversed().forEach(({ origin, local, databases }, at) => {
      chars += charsOf(local) + charsOf(databases);
      if (at >= this.#limits.origins || chars > this.#limits.chars) this.#origins.delete(origin);
    });
    return [...this.#origins.values()];
  }
}

const charsOf = (value: unknown[]): number => (value.length === 0 ? 0 : JSON.stringify(value).length);

async function write(page: HiddenPage, { local, databases }: SavedOrigin): Promise<void> {
  if (local.length > 0) await page.evaluate(setItemsScript('localStorage', local));
  if (databases.length > 0) await page.evaluate(writingDatabases(databases));
}

/** In our own script world, where the page has changed nothing. */
async function evaluate<T>(tab: Tab, expression: string, limits: Limits): Promise<T> {
  const contextId = await under(limits.signal, tab.main.own(tab.main.root));
  const { result, exceptionDetails } = await tab.send(limits, tab.main, 'Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}

async function bounded<T>(limits: Limits, ms: number, run: (bound: Limits) => Promise<T>): Promise<T> {
  // Whoever waits for all of it must still get what there is.
  const most = Math.min(ms, remaining(limits) * 0.8);
  const bound = within(limits, most, () => new Failure('timeout', 'no answer'));
  try {
    return await run(bound);
  } finally {
    bound.done();
  }
}

/** All at once, or one by one when Chrome does not take all. Gives the names of those it refuses. */
async function setCookies(context: BrowserContext, cookies: Cookie[], limits: Limits): Promise<string[]> {
  if (cookies.length === 0) return [];
  const [all] = await Promise.allSettled([under(limits.signal, context.addCookies(cookies))]);
  limits.signal.throwIfAborted();
  if (all?.status === 'fulfilled') return [];
  const each = await Promise.allSettled(cookies.map(cookie => under(limits.signal, context.addCookies([cookie]))));
  limits.signal.throwIfAborted();
  return cookies.filter((_, at) => each[at]?.status === 'rejected').map(({ name }) => name);
}
