// The tabs of an attached browser, from its events. Tabs that Tabwright opens have a page at once, the user's own when a call needs them.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from '../../../cdp/connection.ts';
import type { TargetSession } from '../../../cdp/session.ts';
import type { ConnectedBrowser } from '../../page/connected-browser.ts';
import { letGo } from '../../page/frame-tree.ts';
import type { Page } from '../../page/page.ts';
import { AttachedTab } from './attached-tab.ts';
import { targetsByUse } from './socket.ts';

const PAGES = [{ type: 'page' }];

/** How long Chrome may take to attach to a new tab. */
const ATTACH_MS = 5_000;

type TargetInfo = Protocol.Target.TargetInfo;

export interface TargetsEvents {
  /** The page of a tab has arrived. */
  page: [page: Page, target: AttachedTab];
  /** Tabs have come or gone. */
  changed: [];
}

export class AttachedTabs extends EventEmitter<TargetsEvents> {
  readonly #all = new Map<string, AttachedTab>();
  /** Browser contexts, and whether a program has made them: then their tabs belong to that program. */
  readonly #made = new Map<string, boolean>();
  /** The page that a session opened or brought to the front last; unknown when the user may have changed it. */
  front: Page | undefined;
  #browser!: ConnectedBrowser;
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
    const { targetInfos } = await this.connection.root.send('Target.getTargets', { filter: PAGES });
    for (const info of targetInfos) this.#all.get(info.targetId)?.update(info);
  }

  /** Learns which tabs there are, and from now on which come and go. */
  async watch(browser: ConnectedBrowser): Promise<void> {
    this.#browser = browser;
    const { root } = this.connection;
    for (const event of ['Target.targetCreated', 'Target.targetInfoChanged'] as const)
      root.on(event, ({ targetInfo }) => {
        if (targetInfo.type === 'page') this.#learn(targetInfo);
      });
    root.on('Target.targetDestroyed', ({ targetId }) => {
      this.front = undefined;
      this.#all.get(targetId)?.end();
      if (this.#all.delete(targetId)) this.#notifyChanged();
    });
    browser.ownContext.on('page', page => this.#arrived(page));
    await root.send('Target.setDiscoverTargets', { discover: true, filter: PAGES });
    await this.#askContexts(new Set(Array.from(this.#all.values(), ({ context }) => context)));
    this.#isWatching = true;
  }

  /** Of what Chrome attaches to, we use the tabs that we make, and those that they open; it lets go of the others. */
  isWanted({ targetInfo, waitingForDebugger }: Protocol.Target.AttachedToTargetEvent, session: TargetSession): boolean {
    const target = this.#learn(targetInfo);
    const opener = targetInfo.openerId === undefined ? undefined : this.#all.get(targetInfo.openerId);
    const isInOurs = this.#browser.contextOf(targetInfo) !== this.#browser.ownContext;
    const isOurs = isInOurs || this.#browser.isMaking || opener?.page !== undefined;
    this.#settled(target);
    if (waitingForDebugger && isOurs && !target.isHidden) return true;
    letGo(session);
    return false;
  }

  /** The page of a tab over a session that was opened for it. */
  pageOf(target: AttachedTab, info: TargetInfo, session: TargetSession): Page {
    const page = this.#browser.contextOf(info).adopt(info, session, false);
    if (target.page !== page) target.arrived(page);
    return page;
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

  /** A tab that Chrome does not attach to in time is listed all the same. */
  #await(target: AttachedTab): void {
    target.isAwaited = true;
    setTimeout(() => this.#settled(target), ATTACH_MS).unref();
  }

  #settled(target: AttachedTab): void {
    if (!target.isAwaited) return;
    target.isAwaited = false;
    this.#notifyChanged();
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
    const { browserContextIds } = await this.connection.root.send('Target.getBrowserContexts');
    for (const id of contexts) this.#made.set(id ?? '', browserContextIds.includes(id ?? ''));
  }

  #arrived(page: Page): void {
    const target = this.#all.get(page.targetId);
    if (!target) return;
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
