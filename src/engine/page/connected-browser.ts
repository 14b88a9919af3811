// ConnectedBrowser: a running browser over one connection: its contexts, the pages that Chrome attaches to, its downloads.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from '../../cdp/connection.ts';
import type { TargetSession } from '../../cdp/session.ts';
import { BrowserContext, type ContextOptions, type ContextProxy } from './browser-context.ts';
import { Download } from './download.ts';
import { letGo } from './frame-tree.ts';
import type { Page } from './page.ts';

const PAGES = [{ type: 'page' }];
/** Of pages that were closed: how many are remembered for a download that began in one of them. */
const MOST_OPENERS = 100;

/** Decides about a target that Chrome has attached to: a page is made of it, or it is let go. */
export type TargetFilter = (event: Protocol.Target.AttachedToTargetEvent, session: TargetSession) => boolean;

export class ConnectedBrowser extends EventEmitter<{ disconnected: [] }> {
  readonly ownContext: BrowserContext;
  readonly #made = new Map<string, BrowserContext>();
  readonly #filter: TargetFilter | undefined;
  readonly #downloads = new Map<string, Download>();
  /** Pages that were closed, and the page that opened each. */
  readonly #openers = new Map<string, string>();
  /** Commands of ours that make a page and are not answered yet. */
  #making = 0;
  #version = '';
  /** A context that was made in advance. */
  #first: Promise<Protocol.Target.CreateBrowserContextResponse> | undefined;

  /** What it had when its connection ended. */
  left: readonly BrowserContext[] = [];

  /** @param own the options of the browser's own context */
  constructor(
    readonly connection: CdpConnection,
    own: ContextOptions,
    filter?: TargetFilter,
    /**
     * It runs on another machine. The connection may be cut while it lives: then the contexts that were made live on for a while. Files
     * go over the connection. Only the pages in contexts that were made are ours.
     */
    readonly isRemote = false,
  ) {
    super();
    this.setMaxListeners(0);
    this.#filter = isRemote ? event => this.#made.has(event.targetInfo.browserContextId ?? '') : filter;
    this.ownContext = new BrowserContext(this, undefined, own);
    const { root } = connection;
    root.on('Target.attachedToTarget', event => this.#attached(event));
    root.on('Browser.downloadWillBegin', event => this.#downloadBegan(event));
    root.on('Browser.downloadProgress', event => this.#downloads.get(event.guid)?.progress(event));
    connection.ended.then(() => this.#ended());
  }

  /**
   * Attaches to the pages that there are, and to every new one before it runs. `first` also makes the first context without
   * a proxy, in the same write: Chrome still starts, and answers all of it at once.
   */
  async open(first = false): Promise<void> {
    const { root } = this.connection;
    if (first) this.#first = root.send('Target.createBrowserContext', this.#life);
    this.#first?.catch(() => undefined); // the browser has ended: so the others say
    const [{ product }] = await Promise.all([
      root.send('Browser.getVersion'),
      root.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: PAGES,
      }),
      this.#saveDownloads(this.ownContext),
    ]);
    this.#version = product.replace(/^.*\//, '');
  }

  get #life(): Protocol.Target.CreateBrowserContextRequest {
    return { disposeOnDetach: !this.isRemote };
  }

  /** Takes up the contexts of an earlier connection that still exist, and closes those that nobody wants any more. Before open(). */
  async take(contexts: readonly BrowserContext[]): Promise<void> {
    if (contexts.length === 0) return;
    const { browserContextIds } = await this.connection.root.send('Target.getBrowserContexts');
    for (const { id = '', options, isUnwanted } of contexts.filter(({ id = '' }) => browserContextIds.includes(id))) {
      const context = this.#add(id, options);
      // Refused only when it has gone meanwhile.
      if (isUnwanted) await context.close().catch(() => undefined);
    }
  }

  isConnected(): boolean {
    return this.connection.isOpen;
  }

  /** Of Chrome: `156.0.8078.73`. */
  version(): string {
    return this.#version;
  }

  /** We are making a page just now. */
  get isMaking(): boolean {
    return this.#making > 0;
  }

  contexts(): BrowserContext[] {
    return [this.ownContext, ...this.#made.values()];
  }

  async newContext(options: ContextOptions, proxy?: ContextProxy): Promise<BrowserContext> {
    const made = proxy ? undefined : this.#first;
    if (made) this.#first = undefined;
    const { browserContextId } = await (made ??
      this.connection.root.send('Target.createBrowserContext', {
        ...this.#life,
        ...(proxy && { proxyServer: proxy.server, proxyBypassList: proxy.bypass }),
      }));
    return this.#add(browserContextId, options);
  }

  #add(id: string, options: ContextOptions): BrowserContext {
    const context = new BrowserContext(this, id, options);
    this.#made.set(id, context);
    // Answered before anything that is sent to its pages later.
    this.#saveDownloads(context).catch(() => undefined); // the browser has ended, which whoever uses the context sees
    return context;
  }

  forget(context: BrowserContext): void {
    if (context.id !== undefined) this.#made.delete(context.id);
  }

  /** The page has arrived when this settles: Chrome tells of it before it answers. */
  async createTarget(target: Protocol.Target.CreateTargetRequest): Promise<string> {
    this.#making++;
    try {
      return (await this.connection.root.send('Target.createTarget', target)).targetId;
    } finally {
      this.#making--;
    }
  }

  /** For commands whose effect or events must not meet those of others. */
  openBrowserSession(): Promise<TargetSession> {
    return this.connection.openBrowserSession();
  }

  /** Disconnects, upon which a launched browser ends. */
  async close(): Promise<void> {
    this.connection.close();
    await this.connection.ended;
  }

  contextOf({ browserContextId }: { browserContextId?: string }): BrowserContext {
    return this.#made.get(browserContextId ?? '') ?? this.ownContext;
  }

  #attached(event: Protocol.Target.AttachedToTargetEvent): void {
    const { targetInfo, sessionId, waitingForDebugger } = event;
    // A session that was asked for is for whoever asked.
    const isAsked = !waitingForDebugger && this.connection.isAttaching(targetInfo.targetId);
    if (targetInfo.type !== 'page' || isAsked) return;
    const session = this.connection.session(sessionId);
    if (this.#filter && !this.#filter(event, session)) {
      if (this.isRemote) letGo(session);
      return;
    }
    const page = this.contextOf(targetInfo).adopt(targetInfo, session, waitingForDebugger);
    page.once('close', () => this.#remember(page));
  }

  async #saveDownloads({ id, options }: BrowserContext): Promise<void> {
    if (options.downloadFolder === undefined) return;
    await this.connection.root.send('Browser.setDownloadBehavior', {
      behavior: 'allowAndName',
      downloadPath: options.downloadFolder,
      eventsEnabled: true,
      ...(id !== undefined && { browserContextId: id }),
    });
  }

  #downloadBegan(event: Protocol.Browser.DownloadWillBeginEvent): void {
    const page = this.#pageOf(event.frameId);
    const folder = page?.context().options.downloadFolder;
    if (!page || folder === undefined) return;
    const contextId = page.context().id;
    const download = new Download(event, folder, { root: this.connection.root, contextId });
    this.#downloads.set(event.guid, download);
    download.complete.then(() => this.#downloads.delete(event.guid));
    page.emit('download', download);
  }

  /** A tab that was opened for a download alone is closed at once: the download is that of its opener. */
  #pageOf(frameId: string): Page | undefined {
    const pages = this.contexts().flatMap(context => context.pages());
    const page = pages.find(({ tree }) => tree.frames.has(frameId));
    const openerId = page?.isEmpty ? page.openerId : this.#openers.get(frameId);
    return (openerId === undefined ? undefined : this.#pageOf(openerId)) ?? page;
  }

  #remember({ targetId, openerId }: Page): void {
    if (openerId === undefined) return;
    this.#openers.set(targetId, openerId);
    const [oldest] = this.#openers.keys();
    if (this.#openers.size > MOST_OPENERS && oldest !== undefined) this.#openers.delete(oldest);
  }

  #ended(): void {
    for (const download of this.#downloads.values()) download.lost();
    this.left = [...this.#made.values()];
    for (const context of this.contexts()) context.ended();
    this.emit('disconnected');
  }
}
