// Targets: the tabs of an attached browser as it tells of them. Playwright gets those that we open; a person's own only when they are wanted.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import type { BrowserContext, Page } from 'playwright-core';
import { ARRIVE_MS, AttachedTab, type TargetHost, type TargetInfo } from './attached-tab.ts';
import type { CdpConnection, MessageFilter } from './connection.ts';
import { latest } from './latest.ts';
import type { CdpMessage } from './socket.ts';

const PAGES = [{ type: 'page' }];

type Attached = Protocol.Target.AttachedToTargetEvent;

export interface TargetsEvents {
  /** Its page has come; who knows the tab already needs nothing. */
  page: [page: Page, target: AttachedTab];
  /** Tabs have come or gone. */
  changed: [];
}

export class AttachedTabs extends EventEmitter<TargetsEvents> implements MessageFilter, TargetHost {
  readonly #all = new Map<string, AttachedTab>();
  /** Those that were there before us, until Chrome has told that it attached to them. */
  readonly #earlier = new Set<string>();
  /** Browser states, and whether a program has made them: their tabs are nobody's but that program's. */
  readonly #made = new Map<string, boolean>();
  /** Sessions that we are about to open. */
  readonly #attaching = new Map<string, ((event: CdpMessage) => void)[]>();
  readonly #met = new WeakSet<Page>();
  /** The page that one of ours was opened in or brought to the front of the window last; unknown when a person may have. */
  front: Page | undefined;
  /** Chrome attaches to every new tab. */
  #isWatching = false;
  #isTelling = false;

  constructor(
    readonly line: CdpConnection,
    readonly endpoint: string,
  ) {
    super();
    this.setMaxListeners(0); // one per session that shows these tabs
  }

  /** The tabs that a person sees, the one used last at the end when nothing else is known of their order. */
  get listed(): AttachedTab[] {
    return [...this.#all.values()].filter(target => this.#isListed(target));
  }

  /** Those, ordered by use: the one in front is the last. */
  async byUse(): Promise<AttachedTab[]> {
    const ids = await latest(this.endpoint);
    const place = ({ id }: AttachedTab) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
    return this.listed.sort((a, b) => place(b) - place(a));
  }

  /** Takes in all that the browser has told until now, and titles, of which it does not tell by itself. */
  async upToDate(): Promise<void> {
    const { targetInfos } = await this.line.send('Target.getTargets', { filter: PAGES });
    for (const info of targetInfos) this.#all.get(info.targetId)?.learn(info);
  }

  /** From now on its pages are met. */
  take(context: BrowserContext): void {
    context.on('page', page => this.#meet(page));
  }

  async watch(message: CdpMessage): Promise<CdpMessage> {
    await this.line.send('Target.setDiscoverTargets', { discover: true, filter: PAGES });
    const contexts = new Set([...this.#all.values()].map(({ context }) => context));
    await this.#askContexts(contexts);
    for (const id of this.#all.keys()) this.#earlier.add(id);
    this.#isWatching = true;
    const filter = [...PAGES, { type: 'service_worker' }];
    return { ...message, params: { ...Object(message.params), filter } };
  }

  passes({ method, params, ...rest }: CdpMessage): boolean {
    const { targetInfo, targetId, sessionId } = Object(params);
    switch (method) {
      case 'Target.targetCreated':
      case 'Target.targetInfoChanged':
        if (targetInfo.type === 'page') this.#learn(targetInfo);
        return false;
      case 'Target.targetDestroyed':
        this.front = undefined;
        this.#all.get(targetId)?.end();
        if (this.#all.delete(targetId)) this.#tell();
        return false;
      case 'Target.targetCrashed':
        return false;
      case 'Target.attachedToTarget':
        return this.#attached({ method, params, ...rest }, params as Attached);
      case 'Target.detachedFromTarget':
        for (const target of this.#all.values()) target.left(sessionId);
        return true;
      default:
        return true;
    }
  }

  #attached(event: CdpMessage, { sessionId, targetInfo, waitingForDebugger }: Attached): boolean {
    if (targetInfo.type === 'browser') return true;
    const ours = this.#attaching.get(targetInfo.targetId)?.shift();
    if (ours) ours(event);
    if (ours) return false;
    const isEarlier = this.#earlier.delete(targetInfo.targetId) && !waitingForDebugger;
    if (!isEarlier && this.#isWanted(sessionId, targetInfo)) return true;
    this.line.keep(sessionId, () => undefined);
    // It goes on without us; a session that has ended meanwhile waits for nobody.
    if (waitingForDebugger)
      this.line.send('Runtime.runIfWaitingForDebugger', undefined, sessionId).catch(() => undefined);
    this.line.drop(sessionId);
    this.#settled(this.#all.get(targetInfo.targetId));
    return false;
  }

  /** Tabs that we make, and those that they open. */
  #isWanted(sessionId: string, info: Protocol.Target.TargetInfo): boolean {
    if (info.type !== 'page') return this.#made.get(info.browserContextId ?? '') === true;
    const target = this.#learn(info);
    const opener = info.openerId === undefined ? undefined : this.#all.get(info.openerId);
    if (target.isHidden || (!this.line.isMaking && opener?.session === undefined)) return false;
    target.session = sessionId;
    return true;
  }

  /** What comes about when it is over; one that does not arrive is listed all the same. */
  #await(target: AttachedTab): void {
    target.isAwaited = true;
    setTimeout(() => this.#settled(target), ARRIVE_MS).unref();
  }

  #settled(target: AttachedTab | undefined): void {
    if (!target?.isAwaited) return;
    target.isAwaited = false;
    this.#tell();
  }

  #learn(facts: TargetInfo): AttachedTab {
    const known = this.#all.get(facts.targetId);
    const wasListed = known !== undefined && this.#isListed(known);
    const target = known ?? new AttachedTab(facts, this);
    target.learn(facts);
    if (!known) this.front = undefined;
    if (!known && this.#isWatching) this.#await(target);
    this.#all.set(target.id, target);
    if (!this.#made.has(target.context ?? '')) this.#meetContext(target.context ?? '');
    if (this.#isListed(target) !== wasListed) this.#tell();
    return target;
  }

  #isListed(target: AttachedTab): boolean {
    return !target.isHidden && !target.isAwaited && this.#made.get(target.context ?? '') === false;
  }

  #meetContext(context: string): void {
    this.#askContexts(new Set([context])).then(
      () => this.#tell(),
      () => undefined, // the browser has gone, which others tell
    );
  }

  async #askContexts(contexts: Set<string | undefined>): Promise<void> {
    const { browserContextIds } = await this.line.send('Target.getBrowserContexts');
    for (const id of contexts) this.#made.set(id ?? '', browserContextIds.includes(id ?? ''));
  }

  async attach(targetId: string): Promise<CdpMessage> {
    const event = new Promise<CdpMessage>(resolve => {
      this.#attaching.set(targetId, [...(this.#attaching.get(targetId) ?? []), resolve]);
    });
    try {
      await this.line.send('Target.attachToTarget', { targetId, flatten: true });
      return await event;
    } finally {
      if (this.#attaching.get(targetId)?.length === 0) this.#attaching.delete(targetId);
    }
  }

  /** Only Chrome knows which of its tabs a page is. */
  #meet(page: Page): void {
    if (this.#met.has(page)) return;
    this.#met.add(page);
    this.#nameOf(page).then(
      id => this.#arrived(page, id),
      () => undefined, // it was closed at once
    );
  }

  async #nameOf(page: Page): Promise<string> {
    const session = await page.context().newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    await session.detach();
    return targetInfo.targetId;
  }

  #arrived(page: Page, id: string): void {
    const target = this.#all.get(id);
    if (!target || page.isClosed()) return;
    page.once('close', () => {
      if (target.page === page) target.page = undefined;
    });
    target.arrived(page);
    this.emit('page', page, target);
    this.#tell();
  }

  /** Once for all that happens in one turn. */
  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      this.emit('changed');
    });
  }
}
