// New pages for tabs that lost theirs: the page was stuck or crashed, the browser ended, or an earlier server saved them.

import { isTargetGone } from '../../cdp/errors.ts';
import { Failure } from '../../errors.ts';
import { ago, counted } from '../amounts.ts';
import { bounded, type Limits, tryFor, under } from '../limits.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import { goto } from '../page/navigation.ts';
import { siteOrigin } from '../storage/hidden-page.ts';
import { writeSession } from '../storage/login.ts';
import type { RestoreResult, SessionState } from '../storage/session-state.ts';
import type { StorageItems } from '../storage/web-storage.ts';
import type { TabRegistry } from './registry.ts';
import type { Tab } from './tab.ts';

/** A page gets this long to load again. */
const REOPEN_MS = 10_000;
/** For all pages of a session together. */
const ALL_MS = 20_000;
/** Many pages that load at once only slow each other down. */
const AT_ONCE = 4;
/** A page gets this long to answer over a new connection. */
const RESUME_MS = 3_000;

/** The tab with that number, and what it showed. */
interface LostTab {
  id: number;
  url: string;
  /** Its session storage. */
  session: StorageItems;
}

/** The same with its new, still empty page. */
type RefilledTab = LostTab & { tab: Tab };

export class TabRecovery {
  readonly #tabs: TabRegistry;
  readonly #notes: string[];
  #filling = 0;

  constructor(tabs: TabRegistry, notes: string[]) {
    this.#tabs = tabs;
    this.#notes = notes;
  }

  /** A page that arrives meanwhile is for a tab that exists: it gets no tab of its own. */
  get isFilling(): boolean {
    return this.#filling > 0;
  }

  /** Puts an empty page into a tab whose page is stuck or dead; the old page is closed. */
  async replace(tab: Tab, limits: Limits): Promise<void> {
    const old = tab.page;
    this.#tabs.forgetPage(old);
    await this.#fill(tab.id, old.context(), limits);
    this.#tabs.foreground.front = tab.page;
    old.close().catch(() => undefined); // a stuck renderer may never answer; Chrome ends it
    await tab.ready(limits);
  }

  /** A tab whose page crashed gets a new one at the same address. */
  async reload(tab: Tab, limits: Limits): Promise<void> {
    const { url } = tab;
    await this.replace(tab, limits);
    this.#notes.push(...(await reopen(tab, url, limits)));
  }

  /**
   * Gives all tabs new pages at their old addresses: after the browser ended, or from the state that an earlier server
   * saved. Returns which was active, if that was saved.
   */
  async restore(
    name: string,
    sessionState: SessionState | undefined,
    context: BrowserContext,
    limits: Limits,
  ): Promise<number | undefined> {
    const { lost, activeId } = lostTabs(this.#tabs.values(), sessionState);
    const rows = [];
    for (const row of lost) rows.push({ ...row, tab: await this.#fill(row.id, context, limits) });
    for (const { tab } of rows) await tab.ready(limits);
    this.#notes.push(...(await restoreTabs(name, rows, sessionState, limits)));
    return activeId;
  }

  /** After a cut connection: the tabs go on with the pages that are still there. */
  async resume(contexts: readonly BrowserContext[], limits: Limits): Promise<void> {
    const pages = new Map(contexts.flatMap(context => context.pages()).map(page => [page.targetId, page]));
    const closed: number[] = [];
    this.#tabs.forgetPages();
    for (const tab of [...this.#tabs.values()]) {
      const page = pages.get(tab.page.targetId);
      pages.delete(tab.page.targetId);
      if (page) this.#tabs.setPage(tab, page);
      else {
        closed.push(tab.id);
        void this.#tabs.drop(tab);
      }
    }
    for (const page of pages.values()) this.#tabs.register(page, false);
    this.#notes.push(LINE_BACK);
    if (closed.length > 0) this.#notes.push(`Closed meanwhile: tab ${closed.join(', ')}.`);
    await Promise.all([...this.#tabs.values()].map(tab => this.#resumeTab(tab, limits)));
  }

  /** A dialog that was open, or opens meanwhile, cannot be answered any more and blocks its page for ever. */
  async #resumeTab(tab: Tab, limits: Limits): Promise<void> {
    const isReady = await tryFor(limits, RESUME_MS, async bound => {
      await tab.ready(bound);
      await tab.send(bound, tab.main, 'Runtime.evaluate', { expression: '0' });
      return true;
    });
    if (isReady) return;
    await this.reload(tab, limits);
    this.#notes.push(`Tab ${tab.id} did not answer: a dialog blocked it. It was loaded again, its refs are void.`);
  }

  /** A new page for the tab with that number, which is made if it does not exist. */
  async #fill(id: number, context: BrowserContext, limits: Limits): Promise<Tab> {
    this.#filling++;
    try {
      const page = await under(limits.signal, context.newPage());
      const tab = this.#tabs.get(id);
      return tab ? this.#tabs.setPage(tab, page) : this.#tabs.register(page, false, id);
    } finally {
      if (--this.#filling === 0) for (const page of context.pages()) this.#tabs.tabFor(page);
    }
  }
}

/** The tabs that an earlier server saved, or else those of this session; one at least. */
function lostTabs(
  tabs: Iterable<Tab>,
  sessionState: SessionState | undefined,
): { lost: LostTab[]; activeId?: number | undefined } {
  const saved = sessionState?.isPending ? (sessionState.state?.tabs ?? []) : undefined;
  const all = saved ?? Array.from(tabs, tab => ({ id: tab.id, url: sessionState?.urlOf(tab) ?? tab.url }));
  const lost = all.map(({ id, url }) => ({ id, url, session: sessionState?.sessionOf(id, url) ?? [] }));
  return {
    lost: lost.length > 0 ? lost : [{ id: 1, url: 'about:blank', session: [] }],
    activeId: saved?.find(({ active }) => active)?.id,
  };
}

/** Cookies and storage first, then the pages. Returns notes for the caller. */
async function restoreTabs(
  name: string,
  rows: RefilledTab[],
  sessionState: SessionState | undefined,
  limits: Limits,
): Promise<string[]> {
  const wasSaved = sessionState?.isPending ?? false;
  // Should this attempt fail, the next one still knows what to open.
  for (const { tab, url } of rows) sessionState?.setUnopenedUrl(tab, url);
  const [first] = rows;
  const state = sessionState?.state && first ? stateText(await sessionState.restore(first.tab, limits)) : undefined;
  const notes = await openAll(rows, limits);
  if (sessionState) sessionState.isPending = false;
  if (wasSaved) return [...notes, `Session "${name}" came back: ${counted(rows.length, 'tab')}, ${state}.`];
  const logins = state === undefined ? 'logins may be lost' : `back are ${state}`;
  return [
    ...notes,
    `The browser had ended and was started again: its pages were opened again, refs are void, ${logins}.`,
  ];
}

async function openAll(rows: RefilledTab[], limits: Limits): Promise<string[]> {
  const rest = [...rows];
  const notes: string[] = [];
  const late = () => new Failure('timeout', 'There was no time left.');
  await bounded(limits, ALL_MS, late, async bound => {
    const work = async () => {
      for (let next = rest.shift(); next; next = rest.shift()) notes.push(...(await openAgain(next, bound, limits)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
  return notes;
}

async function openAgain({ tab, url, session }: RefilledTab, bound: Limits, limits: Limits): Promise<string[]> {
  try {
    if (session.length > 0) await writeSession(tab, siteOrigin(url), session, bound);
    return await reopen(tab, url, bound);
  } catch (error) {
    limits.signal.throwIfAborted();
    if (!bound.signal.aborted) throw error;
    return [`${url} was not opened again: there was no time left.`];
  }
}

/** Loads the url in the new page of the tab. Returns notes for the caller. */
async function reopen(tab: Tab, url: string, limits: Limits): Promise<string[]> {
  if (!/^https?:/.test(url)) return [];
  const late = () => new Failure('timeout', `${url} did not load again.`);
  try {
    await bounded(limits, REOPEN_MS, late, bound => tab.race(bound, goto(tab.tree, url, 'domcontentloaded')));
    return [];
  } catch (error) {
    limits.signal.throwIfAborted();
    return [`${url} could not be opened again: ${error instanceof Error ? error.message.split('\n')[0] : error}`];
  }
}

/** Such as `5 cookies and the storage of 2 sites, as of 3 s ago`. */
function stateText({ at, cookies, expired, sites, missing }: RestoreResult): string {
  const parts = [counted(cookies, 'cookie'), ...(sites > 0 ? [`the storage of ${counted(sites, 'site')}`] : [])];
  const lacks = [
    ...(expired > 0 ? [`${counted(expired, 'cookie')} had expired`] : []),
    ...(missing.length > 0 ? [`not brought back: ${missing.slice(0, 10).join(', ')}`] : []),
  ];
  const tail = lacks.length > 0 ? ` (${lacks.join('; ')})` : '';
  return `${parts.join(' and ')}, as of ${ago(Date.now() - at)} ago${tail}`;
}

const LINE_BACK =
  'The connection to the browser was cut and is there again: tabs and refs are as before, routes and emulation are applied again. What pages logged, requested, asked or saved meanwhile is not known; captures, recordings and traces have ended.';

export const browserEnded = (isAttached: boolean): Failure =>
  isAttached
    ? new Failure(
        'browser_gone',
        'The attached browser ended during this call.',
        'Call again when it has been started again.',
      )
    : new Failure(
        'browser_gone',
        'The browser ended during this call.',
        'Call again: the browser is started again and its pages are opened again.',
      );

/** An attached browser has other tabs after its end; Tabwright opens nothing there that its user may not want. */
export const ATTACHED_AGAIN =
  'The attached browser had ended and is there again: its tabs have new numbers, refs are void.';

/** The browser has just ended, and this call is the first to notice: nothing was done yet, so that it may begin again. */
export class BrowserJustEnded extends Failure {
  constructor(cause: unknown) {
    super('browser_gone', 'The browser has just ended.', 'Call again.', { cause });
  }
}

/** For an error of the first step of a call. */
export function asJustEnded(error: unknown): unknown {
  const isGone = isTargetGone(error) || (error instanceof Failure && error.code === 'browser_gone');
  return isGone ? new BrowserJustEnded(error) : error;
}
