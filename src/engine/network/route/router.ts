// The sessions on which the requests of one browser are paused for the routes: of pages, their frames, and service workers.
import type { Protocol } from 'devtools-protocol';
import type { BrowserContext } from '../../page/browser-context.ts';
import type { Page } from '../../page/page.ts';
import { browserSession, type ChildSession, pageSession } from '../child-session.ts';

export interface RouterEvents {
  /** Decides about a paused request. The page is the target that it belongs to: none for a service worker. */
  paused(session: ChildSession, event: Protocol.Fetch.RequestPausedEvent, page: string | undefined): void;
  /** What a page or frame needs before it runs, beside paused requests. */
  prepare(session: ChildSession, page: string): Promise<unknown>;
}

const SERVICE_WORKERS = [{ type: 'service_worker' }];

export class Router {
  /** The browser states that are routed, and how to end that. */
  readonly #contexts = new Map<BrowserContext, () => void>();
  /** By page: its session, and those of its frames in other processes. */
  readonly #pages = new Map<string, Set<ChildSession>>();
  /** By page: settles when its requests are paused. */
  readonly #routed = new Map<string, Promise<void>>();
  readonly #events: RouterEvents;
  /** Somebody else runs the browser: then service workers are not routed. */
  readonly #isAttached: boolean;
  #browser: Promise<ChildSession> | undefined;

  constructor(events: RouterEvents, isAttached: boolean) {
    this.#events = events;
    this.#isAttached = isAttached;
  }

  /** Routes the pages of the browser state, and what else there will be in it. */
  async cover(context: BrowserContext): Promise<void> {
    if (!this.#contexts.has(context)) this.#contexts.set(context, this.#watch(context));
    if (!this.#isAttached)
      this.#browser ??= this.#open(context).catch(error => {
        this.#browser = undefined;
        throw error;
      });
    await this.#browser;
    await Promise.all(context.pages().flatMap(page => [this.#routePage(page), disableCache(page)]));
  }

  /** Every page is routed before it runs. */
  #watch(context: BrowserContext): () => void {
    const gone = () => undefined;
    const arrived = (page: Page) => void disableCache(page).catch(gone);
    const routed = (page: Page) => this.#routePage(page, true).catch(gone);
    context.on('page', arrived);
    context.beforeRun.add(routed);
    return () => {
      context.off('page', arrived);
      context.beforeRun.delete(routed);
    };
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
    const isOurs = (info: ChildSession['info']) => this.#contexts.has(context.browser().contextOf(info));
    await session.follow(worker => (isOurs(worker.info) ? this.#route(worker, undefined) : undefined), SERVICE_WORKERS);
    return session;
  }

  #routePage(page: Page, isWaiting = false): Promise<void> {
    const { targetId } = page;
    const known = this.#routed.get(targetId);
    if (known) return known;
    const routed = pageSession({ page }).then(session => this.#route(session, targetId, isWaiting));
    this.#routed.set(targetId, routed);
    routed.catch(() => this.#routed.delete(targetId));
    return routed;
  }

  async #route(session: ChildSession, page: string | undefined, isWaiting = false): Promise<void> {
    session.on('Fetch.requestPaused', event => this.#events.paused(session, event, page));
    session.on('Fetch.authRequired', ({ requestId }) => {
      const authChallengeResponse = { response: 'Default' as const };
      session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined); // it has gone
    });
    const fetch = session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }], handleAuthRequests: true });
    if (page === undefined) return void (await fetch);
    this.#keep(session, page);
    const follow = session.follow(child => (child.info.type === 'iframe' ? this.#route(child, page) : undefined));
    const rest = Promise.all([follow, this.#events.prepare(session, page)]);
    // A page that does not run yet answers only the first.
    if (isWaiting) rest.catch(() => undefined);
    await (isWaiting ? fetch : Promise.all([fetch, rest]));
  }

  #keep(session: ChildSession, page: string): void {
    const sessions = (this.#pages.get(page) ?? new Set()).add(session);
    this.#pages.set(page, sessions);
    session.session.on('close', () => {
      sessions.delete(session);
      if (session.info.type !== 'page') return;
      this.#pages.delete(page);
      this.#routed.delete(page);
    });
  }
}

/** What Chrome has in memory is not requested again, and so not routed. */
async function disableCache(page: Page): Promise<void> {
  await page.tree.main.send('Network.setCacheDisabled', { cacheDisabled: true });
}
