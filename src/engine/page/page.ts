// Page: one tab of a browser, over the session that Chrome opens with it.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import type { TargetSession } from '../../cdp/session.ts';
import type { Size } from '../geometry.ts';
import type { BrowserContext } from './browser-context.ts';
import type { CdpSession } from './cdp-session.ts';
import { Dialog } from './dialog.ts';
import type { Download } from './download.ts';
import { FrameTree } from './frame-tree.ts';

interface PageEvents {
  close: [];
  crash: [];
  download: [download: Download];
  /** A dialog has opened; it is closed, by whomever. */
  dialog: [dialog: Dialog];
  dialogclosed: [accepted: boolean];
}

/** How many bytes of response bodies Chrome keeps, in all and of one, for calls that ask for a request later. */
const BODIES = { maxTotalBufferSize: 5_000_000, maxResourceBufferSize: 1_000_000 };

export class Page extends EventEmitter<PageEvents> {
  readonly targetId: string;
  /** The page that opened it. */
  readonly openerId: string | undefined;
  readonly tree: FrameTree;
  /** The dialog that is open in it. */
  openDialog: Dialog | undefined;
  /** Settles when it shows the document that it was opened for. */
  readonly arrived: Promise<void>;
  /** The size that it has unless something else is emulated; that of the window without it. */
  viewport: Size | undefined;
  /** It has never shown a document: it was opened for a download, or waits for its server. */
  isEmpty: boolean;
  readonly #context: BrowserContext;
  readonly #session: TargetSession;
  #isClosed = false;

  constructor(context: BrowserContext, info: Protocol.Target.TargetInfo, session: TargetSession, isNew: boolean) {
    super();
    this.setMaxListeners(0);
    this.#context = context;
    this.#session = session;
    this.targetId = info.targetId;
    this.openerId = info.openerId;
    this.viewport = context.options.viewport;
    const setup = (cdp: CdpSession) => this.#setup(cdp);
    this.tree = new FrameTree(session, info.targetId, setup, () => this.#beforeRun());
    this.tree.mainFrame.url = info.url;
    this.arrived = isNew && !context.browser().isMaking ? firstDocument(this.tree) : Promise.resolve();
    this.isEmpty = isNew;
    this.tree.once('committed', () => {
      this.isEmpty = false;
    });
    session.on('close', () => this.#closed());
    session.on('Inspector.targetCrashed', () => this.emit('crash'));
    session.on('Page.javascriptDialogOpening', event => {
      this.openDialog = new Dialog(this.tree.main, event);
      this.emit('dialog', this.openDialog);
    });
    session.on('Page.javascriptDialogClosed', ({ result }) => this.dialogClosed(result));
  }

  context(): BrowserContext {
    return this.#context;
  }

  get url(): string {
    return this.tree.mainFrame.url;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Without asking the page. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#context.browser().connection.root.send('Target.closeTarget', { targetId: this.targetId });
  }

  async bringToFront(): Promise<void> {
    await this.tree.main.send('Page.bringToFront');
  }

  /** A further session with the page, for commands whose effect or events must not meet those of others. */
  openSession(): Promise<TargetSession> {
    return this.#context.browser().connection.attach(this.targetId);
  }

  /** A view of its frames over a further session. */
  async openTree(): Promise<FrameTree> {
    const session = await this.openSession();
    const tree = new FrameTree(session, this.targetId, networkOf, () => this.#beforeRun());
    tree.mainFrame.url = this.url;
    return tree;
  }

  #beforeRun(): Promise<unknown> | undefined {
    const { beforeRun } = this.#context;
    return beforeRun.size > 0 ? Promise.all(Array.from(beforeRun, prepare => prepare(this))) : undefined;
  }

  async setViewportSize(size: Size): Promise<void> {
    this.viewport = size;
    await this.resetScreen(this.tree.main);
  }

  /** Ends what else is emulated on that session. */
  async resetScreen(cdp: CdpSession): Promise<void> {
    if (this.viewport && cdp.session === this.#session)
      await cdp.send('Emulation.setDeviceMetricsOverride', metricsOf(this.viewport));
    else await cdp.send('Emulation.clearDeviceMetricsOverride');
  }

  /** Chrome does not always tell of it itself: not of a dialog that a navigation took away. */
  dialogClosed(accepted: boolean): void {
    if (!this.openDialog) return;
    this.openDialog = undefined;
    this.emit('dialogclosed', accepted);
  }

  #setup(cdp: CdpSession): Promise<unknown>[] {
    const isPage = cdp.root === this.targetId;
    const { agent, locale, timezone, focused } = this.#context.options;
    return [
      ...(isPage ? networkOf(cdp) : []),
      ...(isPage && focused ? [cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true })] : []),
      ...(isPage && this.viewport ? [this.resetScreen(cdp)] : []),
      ...(agent ? [cdp.send('Emulation.setUserAgentOverride', agent)] : []),
      // Frames of one process share these two: Chrome refuses the second that sets them.
      ...(locale === undefined ? [] : [cdp.send('Emulation.setLocaleOverride', { locale }).catch(() => undefined)]),
      ...(timezone === undefined
        ? []
        : [cdp.send('Emulation.setTimezoneOverride', { timezoneId: timezone }).catch(() => undefined)]),
    ];
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.openDialog = undefined;
    this.emit('close');
  }
}

const networkOf = (cdp: CdpSession): Promise<unknown>[] => [cdp.send('Network.enable', BODIES)];

const metricsOf = ({ width, height }: Size) => ({
  width,
  height,
  screenWidth: width,
  screenHeight: height,
  deviceScaleFactor: 1,
  mobile: false,
  screenOrientation: { type: 'landscapePrimary' as const, angle: 0 },
});

/** So long a server may keep a new tab from being told of. */
const ARRIVE_MS = 3_000;

function firstDocument(tree: FrameTree): Promise<void> {
  return new Promise(resolve => {
    const late = setTimeout(resolve, ARRIVE_MS);
    const done = () => {
      clearTimeout(late);
      resolve();
    };
    tree.once('committed', done);
    tree.main.session.on('close', done);
  });
}
