// FrameTree: the frames of one page as one session with it sees them, the sessions of frames in other processes included.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import { CdpError } from '../../cdp/errors.ts';
import type { TargetSession } from '../../cdp/session.ts';
import { CdpSession } from './cdp-session.ts';

export class Frame {
  url = '';
  name = '';

  constructor(
    /** Chrome's id. */
    readonly id: string,
    public parent: Frame | undefined,
    /** The session that serves it. */
    public cdp: CdpSession,
  ) {}
}

/** States of a document in the words of Chrome's lifecycle events. */
const LIFECYCLE = { domcontentloaded: 'DOMContentLoaded', load: 'load', networkidle: 'networkIdle' } as const;
export type LoadState = keyof typeof LIFECYCLE;

/** Chrome pauses workers with the frames: those must be named too, and let go, or they wait for ever. */
const FRAMES_AND_WORKERS = [
  { type: 'service_worker', exclude: true },
  { type: 'shared_worker', exclude: true },
  { type: 'tab', exclude: true },
  { type: 'browser', exclude: true },
  {},
];

interface FrameTreeEvents {
  /** A frame in a process of its own has a session. Nothing of what happens in the frame has been missed. */
  session: [cdp: CdpSession];
  /** The main frame shows another document. */
  committed: [frame: Protocol.Page.Frame];
  lifecycle: [];
}

/** What is sent to each session before its target runs; more than the frame tree itself needs. */
export type SessionSetup = (cdp: CdpSession) => Promise<unknown>[];

/** What others need before the page runs; undefined when there is nothing. Chrome lets a page run as soon as one of its sessions does. */
export type BeforeRun = () => Promise<unknown> | undefined;

export class FrameTree extends EventEmitter<FrameTreeEvents> {
  readonly main: CdpSession;
  readonly frames = new Map<string, Frame>();
  /** Settles when Chrome has answered the set-up of the page. */
  readonly ready: Promise<void>;
  readonly #setup: SessionSetup;
  readonly #beforeRun: BeforeRun;
  /** The sessions of frames in other processes, and the session that holds the owner of each. */
  readonly #children = new Map<CdpSession, CdpSession>();
  #lifecycle = { loader: '', reached: new Set<string>() };
  /** Why Chrome shows an error page instead of a document, by loader. */
  #failed: { loader: string; why: string } | undefined;

  constructor(session: TargetSession, targetId: string, setup: SessionSetup, beforeRun: BeforeRun) {
    super();
    this.setMaxListeners(0);
    this.#setup = setup;
    this.#beforeRun = beforeRun;
    this.main = new CdpSession('p', session, targetId);
    this.frames.set(targetId, new Frame(targetId, undefined, this.main));
    this.#follow(this.main);
    this.main.on('Page.lifecycleEvent', event => this.#lived(event));
    this.main.on('Network.loadingFailed', ({ requestId, type, errorText }) => {
      if (type === 'Document') this.#failed = { loader: requestId, why: errorText };
    });
    this.ready = this.#open(this.main);
    this.ready.catch(() => undefined); // whoever uses the page waits for it
  }

  get mainFrame(): Frame {
    return this.frames.get(this.main.root) as Frame;
  }

  /** The loader of the document in the main frame. */
  get loader(): string | undefined {
    return this.main.loaders.get(this.main.root);
  }

  /** The page's own session first; with those of frames in other processes, the session that holds the owner of the frame. */
  sessions(): { cdp: CdpSession; parent?: CdpSession }[] {
    return [{ cdp: this.main }, ...Array.from(this.#children, ([cdp, parent]) => ({ cdp, parent }))];
  }

  /** Each frame before those inside it. */
  inOrder(frame: Frame = this.mainFrame): Frame[] {
    const inside = [...this.frames.values()].filter(({ parent }) => parent === frame);
    return [frame, ...inside.flatMap(child => this.inOrder(child))];
  }

  /** Settles when the document of the main frame has come so far. */
  async reached(state: LoadState): Promise<void> {
    const isThere = () => this.#lifecycle.reached.has(LIFECYCLE[state]);
    if (!isThere()) await this.#until('lifecycle', isThere);
  }

  /** Settles when the main frame shows a document of another loader than this one; rejects when that is Chrome's error page. */
  async committedAfter(before: string | undefined): Promise<void> {
    let shown: Protocol.Page.Frame | undefined;
    await this.#until('committed', frame => {
      shown = frame;
      return frame?.loaderId !== before;
    });
    if (shown?.unreachableUrl === undefined) return;
    throw new Error(this.#failed?.loader === shown.loaderId ? this.#failed.why : 'net::ERR_FAILED');
  }

  /** Ends the session of the page; the page lives on. */
  async leave(): Promise<void> {
    await this.main.session.detach();
  }

  #until(event: 'lifecycle' | 'committed', isMet: (frame: Protocol.Page.Frame | undefined) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = () => {
        end();
        reject(new CdpError('Page', 'The page was closed.', true));
      };
      const check = (frame?: Protocol.Page.Frame) => {
        if (!isMet(frame)) return;
        end();
        resolve();
      };
      const end = () => {
        this.off(event as 'lifecycle', check);
        this.main.session.off('close', gone);
      };
      this.on(event as 'lifecycle', check);
      this.main.session.on('close', gone);
    });
  }

  /** Everything in one write: Chrome works it off in this order before the target runs on. */
  async #open(cdp: CdpSession): Promise<void> {
    const others = cdp === this.main ? this.#beforeRun() : undefined;
    await Promise.all([
      cdp.send('Page.enable'),
      // Taken in as soon as it comes: later events know more.
      cdp.send('Page.getFrameTree').then(({ frameTree }) => this.#record(frameTree, cdp)),
      cdp.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      cdp.send('Runtime.enable'),
      cdp.send('Inspector.enable'),
      cdp.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: FRAMES_AND_WORKERS,
      }),
      ...this.#setup(cdp),
      others
        ? others.then(() => cdp.send('Runtime.runIfWaitingForDebugger'))
        : cdp.send('Runtime.runIfWaitingForDebugger'),
    ]);
  }

  #record(tree: Protocol.Page.FrameTree, cdp: CdpSession): void {
    cdp.record(tree);
    this.#navigated(tree.frame, cdp, false);
    for (const child of tree.childFrames ?? []) this.#record(child, cdp);
  }

  #follow(cdp: CdpSession): void {
    cdp.on('Page.frameAttached', ({ frameId, parentFrameId }) => this.#place(frameId, parentFrameId, cdp));
    cdp.on('Page.frameNavigated', ({ frame, type }) => {
      this.#navigated(frame, cdp, type !== 'BackForwardCacheRestore');
      if (frame.id !== this.main.root) return;
      if (type === 'BackForwardCacheRestore') this.#lookAgain();
      this.emit('committed', frame);
    });
    cdp.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const frame = this.frames.get(frameId);
      if (frame) frame.url = url;
    });
    // A frame that moves into another process is told of as detached from this one.
    cdp.on('Page.frameDetached', ({ frameId, reason }) => {
      if (reason !== 'swap') this.#remove(this.frames.get(frameId));
    });
    cdp.on('Target.attachedToTarget', event => this.#attached(event, cdp));
    cdp.session.on('close', () => this.#closed(cdp));
  }

  #attached({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent, parent: CdpSession): void {
    const session = parent.session.child(sessionId);
    if (targetInfo.type !== 'iframe') {
      letGo(session);
      return;
    }
    const cdp = new CdpSession(targetInfo.targetId, session, targetInfo.targetId);
    this.#children.set(cdp, parent);
    this.#place(targetInfo.targetId, targetInfo.parentFrameId, cdp);
    this.#follow(cdp);
    // A frame that crashed answers nothing until it shows another document.
    cdp.on('Inspector.targetCrashed', () => this.#closed(cdp));
    cdp.on('Inspector.targetReloadedAfterCrash', () => this.#children.set(cdp, parent));
    this.emit('session', cdp);
    this.#open(cdp).catch(() => undefined); // the frame has gone again, which its session says
  }

  /** When the process of the page takes a frame back, the frame is told of as attached there. */
  #closed(cdp: CdpSession): void {
    if (this.#children.delete(cdp))
      for (const frame of this.frames.values()) if (frame.cdp === cdp) this.#remove(frame);
  }

  #place(id: string, parentId: string | undefined, cdp: CdpSession): Frame {
    const parent = parentId === undefined ? undefined : this.frames.get(parentId);
    const known = this.frames.get(id);
    const frame = known ?? new Frame(id, parent, cdp);
    frame.cdp = cdp;
    frame.parent ??= id === this.main.root ? undefined : (parent ?? this.mainFrame);
    this.frames.set(id, frame);
    return frame;
  }

  #navigated(shown: Protocol.Page.Frame, cdp: CdpSession, isNew: boolean): void {
    const frame = this.#place(shown.id, shown.parentId, cdp);
    if (isNew) this.#removeInside(frame);
    frame.url = shown.url + (shown.urlFragment ?? '') || 'about:blank';
    frame.name = shown.name ?? '';
  }

  /** A page from the back/forward cache brings its frames along without a word, and those of the page before go without one. */
  #lookAgain(): void {
    const before = [...this.frames.values()].filter(({ cdp, parent }) => cdp === this.main && parent);
    this.main.send('Page.getFrameTree').then(
      ({ frameTree }) => {
        for (const frame of before) this.#remove(frame);
        this.#record(frameTree, this.main);
      },
      () => undefined, // the page has gone
    );
  }

  #remove(frame: Frame | undefined): void {
    if (!frame) return;
    this.#removeInside(frame);
    this.frames.delete(frame.id);
  }

  #removeInside(frame: Frame): void {
    for (const child of this.frames.values()) if (child.parent === frame) this.#remove(child);
  }

  #lived({ frameId, loaderId, name }: Protocol.Page.LifecycleEventEvent): void {
    if (frameId !== this.main.root) return;
    if (loaderId !== this.#lifecycle.loader) this.#lifecycle = { loader: loaderId, reached: new Set() };
    this.#lifecycle.reached.add(name);
    this.emit('lifecycle');
  }
}

/** A target that nobody looks at runs on by itself. */
export function letGo(session: TargetSession): void {
  session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined); // it has ended already
  session.detach().catch(() => undefined); // the same
}
