// SessionState: what a session would lose with its browser (cookies, storage, tabs): read now and then, and restored.
import type { Protocol } from 'devtools-protocol';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { knownTitle } from '../actions/effects.ts';
import { type DatabaseBounds, readingDatabases, type SavedDatabase, writingDatabases } from '../inpage/databases.ts';
import { type Limits, remaining, tryFor, under } from '../limits.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import type { Tab } from '../tab/tab.ts';
import { type HiddenPage, READ_LOCAL, setItemsScript, siteOrigin, visitOrigins } from './hidden-page.ts';
import type { SavedCookie, SavedOrigin, SavedState, SavedTab } from './saved-state.ts';
import type { StorageItems } from './web-storage.ts';

/** What was restored, in numbers. */
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
const HIDDEN_MS = 2_000;
const RESTORE_MS = 10_000;
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

interface PageStorage {
  origin: string;
  local: StorageItems;
  session: StorageItems;
}

const READ_BOTH = `({ origin: location.origin, local: ${READ_LOCAL}, session: ${READ_LOCAL.replaceAll('localStorage', 'sessionStorage')} })`;

/** A tab, and the storage of its origin when its page could be read. */
interface TabReading {
  tab: SavedTab;
  /** Undefined when the page did not answer: then a hidden page reads the storage. */
  site?: { origin: string; local: StorageItems; databases: SavedDatabase[] | undefined };
}

export class SessionState {
  /** As last read, or as given: then it is still to be restored. */
  state: SavedState | undefined;
  /** Set until the state has been restored in a browser. */
  isPending: boolean;
  /** By origin, the least recently read first. */
  readonly #origins = new Map<string, SavedOrigin>();
  /** Origins that a tab has shown since they were last read. */
  #unread = new Set<string>();
  /** By tab: a url that could not be opened again; the next time it may. */
  readonly #unopened = new Map<number, string>();
  /** When all tabs are closed, nothing else tells it any more. */
  #context: BrowserContext | undefined;
  readonly #limits: SavedStateLimits;

  constructor(state?: SavedState, limits: SavedStateLimits = LIMITS) {
    this.state = state;
    this.#limits = limits;
    this.isPending = state !== undefined;
    for (const row of state?.origins ?? []) this.#origins.set(row.origin, row);
  }

  /** Records which sites the tab shows, for as long as it lives. */
  follow(tab: Tab): void {
    tab.events.on('committed', url => {
      this.#unread.add(siteOrigin(url));
      this.#context = tab.page.context();
    });
  }

  /** The tab is to show that url, and does not yet. */
  setUnopenedUrl(tab: Tab, url: string): void {
    this.#unopened.set(tab.id, url);
  }

  /** Where the tab is, or was to be. */
  urlOf({ id, url }: Pick<Tab, 'id' | 'url'>): string {
    return siteOrigin(url) !== '' ? url : (this.#unopened.get(id) ?? 'about:blank');
  }

  /** The session storage of the tab, as last read; it belongs to one origin. */
  sessionOf(id: number, url: string): StorageItems {
    const saved = this.state?.tabs.find(tab => tab.id === id);
    return saved && siteOrigin(saved.url) === siteOrigin(url) ? saved.session : [];
  }

  /** Reads the tabs of one browser state. Never waits for a page that does not answer. */
  async read(context: BrowserContext, tabs: Tab[], active: Tab | undefined, limits: Limits): Promise<SavedState> {
    const latest = tabs.slice(-MOST_TABS);
    const [cookies, readings] = await Promise.all([
      under(limits.signal, cookiesOf(context)),
      Promise.all(latest.map(tab => this.#readTab(tab, tab === active, limits))),
    ]);
    for (const { site } of readings) if (site) this.#addSite(site);
    for (const tab of latest) this.#noteFrames(tab);
    await this.#readUnread(tabs, limits);
    for (const { url } of latest) this.#unread.add(siteOrigin(url));
    this.state = { at: Date.now(), cookies, origins: this.#trimmed(), tabs: readings.map(({ tab }) => tab) };
    return this.state;
  }

  /** Restores into a new browser state, that of the tab; nothing is shown there yet. */
  async restore(tab: Tab, limits: Limits): Promise<RestoreResult> {
    const { at, cookies, origins } = this.state ?? { at: 0, cookies: [], origins: [] };
    const now = Date.now() / 1_000;
    const living = cookies.filter(({ expires }) => expires === -1 || expires > now);
    const refused = await setCookies(tab, living, limits);
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

  /** Returns the origins that could not be reached in time. */
  async #writeAll(tab: Tab, rows: SavedOrigin[], limits: Limits): Promise<string[]> {
    const results = await briefly(limits, RESTORE_MS, async bound =>
      visitOrigins(tab.page.context(), rows, bound, write),
    );
    if (!results && tab.gone) throw tab.gone;
    return rows.filter((_, at) => results?.[at]?.status !== 'fulfilled').map(({ origin }) => origin);
  }

  async #readTab(tab: Tab, active: boolean, limits: Limits): Promise<TabReading> {
    const { id, url } = tab;
    const isSite = siteOrigin(url) !== '';
    if (isSite) this.#unopened.delete(id);
    const saved: SavedTab = { id, url: this.urlOf(tab), title: '', active, session: this.sessionOf(id, url) };
    if (!isSite || tab.gone) return { tab: saved };
    const reading = await briefly(limits, TAB_MS, async bound => {
      saved.title = (await knownTitle(tab, bound)).slice(0, LONGEST_TITLE);
      if (tab.dialog || tab.pending) throw new Failure('page_unresponsive', 'The page is not to be disturbed.');
      const { session, ...site } = await evaluate<PageStorage>(tab, READ_BOTH, bound);
      const readDatabases = evaluate<SavedDatabase[]>(tab, readingDatabases(this.#limits.databases), bound);
      const databases = await readDatabases.catch(() => undefined);
      const isTooLong = charsOf(session) > this.#limits.tabChars;
      return { tab: { ...saved, session: isTooLong ? [] : session }, site: { ...site, databases } };
    });
    return reading ?? { tab: saved };
  }

  #addSite({ origin, local, databases }: NonNullable<TabReading['site']>): void {
    this.#unread.delete(origin);
    this.#put({ origin, local, databases: databases ?? this.#origins.get(origin)?.databases ?? [] });
  }

  #put(row: SavedOrigin): void {
    this.#origins.delete(row.origin);
    if (row.local.length + row.databases.length > 0) this.#origins.set(row.origin, row);
  }

  /** A frame may change the storage of its origin, too. */
  #noteFrames(tab: Tab): void {
    const origins = tab.frames.all().map(({ frame }) => siteOrigin(frame.url));
    for (const origin of origins)
      if (origin !== siteOrigin(tab.url) && this.#origins.has(origin)) this.#unread.add(origin);
  }

  /** Origins that were left since they were last read, or whose page does not answer. */
  async #readUnread(tabs: Tab[], limits: Limits): Promise<void> {
    this.#unread.delete('');
    const left = [...this.#unread].map(origin => ({ origin }));
    const [tab] = tabs;
    if (left.length === 0 || (!tab && !this.#context)) return;
    const visited = await briefly(limits, HIDDEN_MS, async bound => {
      const context = tab?.page.context() ?? this.#context;
      return context && visitOrigins(context, left, bound, (page, { origin }) => this.#readHidden(page, origin, bound));
    });
    if (!visited) this.#context = undefined;
  }

  /** An origin that cannot be read is not tried for ever; one for which there was no time is read the next time. */
  async #readHidden(page: HiddenPage, origin: string, bound: Limits): Promise<void> {
    try {
      const local = await page.evaluate<StorageItems>(READ_LOCAL);
      this.#put({
        origin,
        local,
        databases: await page.evaluate<SavedDatabase[]>(readingDatabases(this.#limits.databases)),
      });
    } finally {
      if (!bound.signal.aborted) this.#unread.delete(origin);
    }
  }

  /** The latest origins that fit the limits; the others are dropped. */
  #trimmed(): SavedOrigin[] {
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

/** At most 80 % of the time that is left, so that the caller still gets what could be read. Undefined when it fails. */
const briefly = <T>(limits: Limits, ms: number, run: (bound: Limits) => Promise<T>): Promise<T | undefined> =>
  tryFor(limits, Math.min(ms, remaining(limits) * 0.8), run);

/** All cookies of the browser state. */
async function cookiesOf(context: BrowserContext): Promise<SavedCookie[]> {
  const { root } = context.browser().connection;
  const { cookies } = await root.send('Storage.getCookies', defined({ browserContextId: context.id }));
  return cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite = 'Lax', partitionKey }) => ({
    ...{ name, value, domain, path, expires, httpOnly, secure, sameSite },
    ...(partitionKey && {
      partitionKey: partitionKey.topLevelSite,
      _crHasCrossSiteAncestor: partitionKey.hasCrossSiteAncestor,
    }),
  }));
}

function asParam({
  partitionKey: topLevelSite,
  _crHasCrossSiteAncestor,
  ...cookie
}: SavedCookie): Protocol.Network.CookieParam {
  const hasCrossSiteAncestor = _crHasCrossSiteAncestor ?? true;
  return { ...cookie, ...(topLevelSite !== undefined && { partitionKey: { topLevelSite, hasCrossSiteAncestor } }) };
}

/** All at once, or one by one when Chrome does not take all. Returns the names of those it refuses. */
async function setCookies(tab: Tab, cookies: SavedCookie[], limits: Limits): Promise<string[]> {
  if (cookies.length === 0) return [];
  const set = (some: SavedCookie[]) => tab.send(limits, tab.main, 'Network.setCookies', { cookies: some.map(asParam) });
  const [all] = await Promise.allSettled([set(cookies)]);
  limits.signal.throwIfAborted();
  if (all?.status === 'fulfilled') return [];
  const each = await Promise.allSettled(cookies.map(cookie => set([cookie])));
  limits.signal.throwIfAborted();
  return cookies.filter((_, at) => each[at]?.status === 'rejected').map(({ name }) => name);
}
