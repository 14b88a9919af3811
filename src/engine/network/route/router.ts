// The sessions on which the requests of one browser are paused for the routes: of pages, their frames, and service workers.
import type { Protocol } from 'devtools-protocol';
import type { BrowserContext } from '../../page/browser-context.ts';
import type { ConnectedBrowser } from '../../page/connected-browser.ts';
import type { Page } from '../../page/page.ts';
import { browserSession, type ChildSession, pageSession } from '../child-session.ts';

export interface RouterEvents {
  /** Decides about a paused request. The page is the target that it belongs to: none for a service worker. */
  paused(session: ChildSession, event: Protocol.Fetch.RequestPausedEvent, page: string | undefined): void;
  /** What a page or frame needs before it runs, beside paused requests. */
  prepare(session: ChildSession, page: string): Promise<unknown>;
}

const PAGES_AND_SERVICE_WORKERS = [{ type: 'page' }, { type: 'service_worker' }];

export class Router {
  /** The browser states that are routed, and how to end that. */
  readonly #contexts = new Map<BrowserContext, () => void>();
  /** By page: its session, and those of its frames in other processes. */
  readonly #pages = new Map<string, Set<ChildSession>>();
  readonly #events: RouterEvents;
  /** Somebody else runs the browser: then new pages are routed only if Tabwright or a routed page opens them, service workers not at all. */
  readonly #isAttached: boolean;
  #browser: Promise<ChildSession> | undefined;

  constructor(events: RouterEvents, isAttached: boolean) {
    this.#events = events;
    this.#isAttached = isAttached;
  }

  /** Routes the pages of the browser state, and what else there will be in it. */
  async cover(context: BrowserContext): Promise<void> {
    if (!this.#contexts.has(context)) {
      const arrived = (page: Page) => void this.#add(page).catch(() => undefined); // it has closed itself
      context.on('page', arrived);
      this.#contexts.set(context, () => context.off('page', arrived));
    }
    this.#browser ??= this.#open(context).catch(error => {
      this.#browser = undefined;
      throw error;
    });
    await this.#browser;
    await Promise.all(context.pages().map(page => this.#add(page, true)));
  }

  /** Runs it for each session of a page or a frame. */
  async eachSession(run: (session: ChildSession, page: string) => Promise<unknown>): Promise<void> {
    const all = [...this.#pages].flatMap(([page, sessions]) => [...sessions].map(session => run(session, page)));
    await Promise.all(all);
  }

  async close(): Promise<void> {
    for (const stop of this.#contexts.values()) stop();
    const pages = [...this.#contexts.keys()].flatMap(context => context.pages());
    const cached = pages.map(page => page.tree.main.send('Network.setCacheDisabled', { cacheDisabled: false }));
    const sessions = [...this.#pages.values()].flatMap(all => [...all]);
    const ended = sessions.map(session => session.detach());
    // Those that have ended need no end.
    await Promise.allSettled([...cached, ...ended, this.#browser?.then(session => session.detach())]);
  }

  async #open(context: BrowserContext): Promise<ChildSession> {
    const session = await browserSession(context);
    await session.follow((target, isNew) => this.#use(target, isNew, context.browser()), PAGES_AND_SERVICE_WORKERS);
    return session;
  }

  #use(target: ChildSession, isNew: boolean, browser: ConnectedBrowser): Promise<unknown> | undefined {
    const { targetId, type, openerId = '' } = target.info;
    if (!this.#contexts.has(browser.contextOf(target.info))) return undefined;
    if (type === 'service_worker') return this.#isAttached ? undefined : this.#route(target, undefined);
    const isOurs = isNew && !this.#pages.has(targetId) && (!this.#isAttached || this.#pages.has(openerId));
    return isOurs ? this.#route(target, targetId) : undefined;
  }

  /** A new page has a session already, unless it is one of an attached browser. */
  async #add(page: Page, isOld = this.#isAttached): Promise<void> {
    // What Chrome has in memory is not requested again, and so not routed.
    const cache = page.tree.main.send('Network.setCacheDisabled', { cacheDisabled: true });
    if (isOld && !this.#pages.has(page.targetId)) {
      this.#pages.set(page.targetId, new Set());
      await this.#route(await pageSession({ page }), page.targetId);
    }
    await cache;
  }

  async #route(session: ChildSession, page: string | undefined): Promise<void> {
    session.on('Fetch.requestPaused', event => this.#events.paused(session, event, page));
    session.on('Fetch.authRequired', ({ requestId }) => {
      const authChallengeResponse = { response: 'Default' as const };
      session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined); // it has gone
    });
    const fetch = session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true });
    if (page === undefined) return void (await fetch);
    this.#keep(session, page);
    const follow = session.follow(child => (child.info.type === 'iframe' ? this.#route(child, page) : undefined));
    await Promise.all([fetch, follow, this.#events.prepare(session, page)]);
  }

  #keep(session: ChildSession, page: string): void {
    const sessions = (this.#pages.get(page) ?? new Set()).add(session);
    this.#pages.set(page, sessions);
    session.session.on('close', () => {
      sessions.delete(session);
      if (session.info.type === 'page') this.#pages.delete(page);
    });
  }
}
