// The tabs of an attached browser, from its events. Playwright gets the tabs that Tabwright opens, and the user's own tabs only when a call needs them.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import type { BrowserContext, Page } from 'playwright-core';
import type { CdpMessage } from '../message-reader.ts';
import { ARRIVE_MS, AttachedTab, type TargetInfo } from './attached-tab.ts';
import type { CdpConnection } from './connection.ts';
import { targetsByUse } from './socket.ts';

const PAGES = [{ type: 'page' }];

type Attached = Protocol.Target.AttachedToTargetEvent;

export interface TargetsEvents {
  /** The page of a tab has arrived. */
  page: [page: Page, target: AttachedTab];
  /** Tabs have come or gone. */
  changed: [];
}

export class AttachedTabs extends EventEmitter<TargetsEvents> {
  readonly #all = new Map<string, AttachedTab>();
  /** Tabs that were there before the attach, until Chrome has said that it attached to them. */
  readonly #earlier = new Set<string>();
  /** Browser contexts, and whether a program has made them: then their tabs belong to that program. */
  readonly #made = new Map<string, boolean>();
  /** Sessions of our own that are being opened. */
  readonly #attaching = new Map<string, ((event: CdpMessage) => void)[]>();
  readonly #met = new WeakSet<Page>();
  /** The page that a session opened or brought to the front last; unknown when the user may have changed it. */
  front: Page | undefined;
  /** Chrome attaches to every new tab. */
  #isWatching = false;
  #isNotifying = false;

  constructor(
    readonly connection: CdpConnection,
    readonly endpoint: string,
  ) {
    super();
    this.setMaxListeners(0); // one per session that shows these tabs
  }

  /** The tabs that the user sees. */
  get listed(): AttachedTab[] {
    return [...this.#all.values()].filter(target => this.#isListed(target));
  }

  /** The same, ordered by use: the one in front is the last. */
  async byUse(): Promise<AttachedTab[]> {
    const ids = await targetsByUse(this.endpoint);
    const rank = ({ id }: AttachedTab) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
    return this.listed.sort((a, b) => rank(b) - rank(a));
  }

  /** Waits for the events that are under way, and asks for titles, whose changes come with no event. */
  async upToDate(): Promise<void> {
    const { targetInfos } = await this.connection.send('Target.getTargets', { filter: PAGES });
    for (const info of targetInfos) this.#all.get(info.targetId)?.update(info);
  }

  /** Follows the pages that Playwright makes in the context. */
  take(context: BrowserContext): void {
    context.on('page', page => this.#meet(page));
  }

  /** Playwright's command to attach to all tabs: returns what is sent instead. */
  async watch(message: CdpMessage): Promise<CdpMessage> {
    await this.connection.send('Target.setDiscoverTargets', { discover: true, filter: PAGES });
    const contexts = new Set([...this.#all.values()].map(({ context }) => context));
    await this.#askContexts(contexts);
    for (const id of this.#all.keys()) this.#earlier.add(id);
    this.#isWatching = true;
    const filter = [...PAGES, { type: 'service_worker' }];
    return { ...message, params: { ...Object(message.params), filter } };
  }

  /** Whether Playwright gets an event of the browser itself. Those of its tabs always pass. */
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
        if (this.#all.delete(targetId)) this.#notifyChanged();
        return false;
      case 'Target.targetCrashed':
        return false;
      case 'Target.attachedToTarget':
        return this.#attached({ method, params, ...rest }, params as Attached);
      case 'Target.detachedFromTarget':
        for (const target of this.#all.values()) target.detached(sessionId);
        return true;
      default:
        return true;
    }
  }

  #attached(event: CdpMessage, { sessionId, targetInfo, waitingForDebugger }: Attached): boolean {
    if (targetInfo.type === 'browser') return true;
    const resolve = this.#attaching.get(targetInfo.targetId)?.shift();
    if (resolve) {
      resolve(event);
      return false;
    }
    const isEarlier = this.#earlier.delete(targetInfo.targetId) && !waitingForDebugger;
    if (!isEarlier && this.#isWanted(sessionId, targetInfo)) return true;
    this.connection.listen(sessionId, () => undefined);
    // Chrome pauses a new tab until then; a session that has ended meanwhile pauses nothing.
    if (waitingForDebugger)
      this.connection.send('Runtime.runIfWaitingForDebugger', undefined, sessionId).catch(() => undefined);
    this.connection.drop(sessionId);
    this.#settled(this.#all.get(targetInfo.targetId));
    return false;
  }

  /** Playwright gets the tabs that Tabwright makes, and the tabs that these open. */
  #isWanted(sessionId: string, info: Protocol.Target.TargetInfo): boolean {
    if (info.type !== 'page') return this.#made.get(info.browserContextId ?? '') === true;
    const target = this.#learn(info);
    const opener = info.openerId === undefined ? undefined : this.#all.get(info.openerId);
    if (target.isHidden || (!this.connection.isMaking && opener?.session === undefined)) return false;
    target.session = sessionId;
    return true;
  }

  /** A tab whose page does not arrive in time is listed all the same. */
  #await(target: AttachedTab): void {
    target.isAwaited = true;
    setTimeout(() => this.#settled(target), ARRIVE_MS).unref();
  }

  #settled(target: AttachedTab | undefined): void {
    if (!target?.isAwaited) return;
    target.isAwaited = false;
    this.#notifyChanged();
  }

  #learn(info: TargetInfo): AttachedTab {
    const known = this.#all.get(info.targetId);
    const wasListed = known !== undefined && this.#isListed(known);
    const target = known ?? new AttachedTab(info, this);
    target.update(info);
    if (!known) this.front = undefined;
    if (!known && this.#isWatching) this.#await(target);
    this.#all.set(target.id, target);
    if (!this.#made.has(target.context ?? '')) this.#meetContext(target.context ?? '');
    if (this.#isListed(target) !== wasListed) this.#notifyChanged();
    return target;
  }

  #isListed(target: AttachedTab): boolean {
    return !target.isHidden && !target.isAwaited && this.#made.get(target.context ?? '') === false;
  }

  #meetContext(context: string): void {
    this.#askContexts(new Set([context])).then(
      () => this.#notifyChanged(),
      () => undefined, // the browser has gone, which its connection reports
    );
  }

  async #askContexts(contexts: Set<string | undefined>): Promise<void> {
    const { browserContextIds } = await this.connection.send('Target.getBrowserContexts');
    for (const id of contexts) this.#made.set(id ?? '', browserContextIds.includes(id ?? ''));
  }

  async attach(targetId: string): Promise<CdpMessage> {
    const event = new Promise<CdpMessage>(resolve => {
      this.#attaching.set(targetId, [...(this.#attaching.get(targetId) ?? []), resolve]);
    });
    try {
      await this.connection.send('Target.attachToTarget', { targetId, flatten: true });
      return await event;
    } finally {
      if (this.#attaching.get(targetId)?.length === 0) this.#attaching.delete(targetId);
    }
  }

  /** Only Chrome knows which of its tabs a page is. */
  #meet(page: Page): void {
    if (this.#met.has(page)) return;
    this.#met.add(page);
    this.#targetIdOf(page).then(
      id => this.#arrived(page, id),
      () => undefined, // it was closed at once
    );
  }

  async #targetIdOf(page: Page): Promise<string> {
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
    this.#notifyChanged();
  }

  /** Once for all that happens in one turn. */
  #notifyChanged(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    setImmediate(() => {
      this.#isNotifying = false;
      this.emit('changed');
    });
  }
}
