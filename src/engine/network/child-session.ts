// Sessions beside those of the tabs: with a page once more, and with what runs below a page in other processes and threads.
import type { Protocol } from 'devtools-protocol';
import type { CdpCommands, CdpEvents, CdpParams, CdpResult } from '../../cdp/protocol.ts';
import type { TargetSession } from '../../cdp/session.ts';
import type { BrowserContext } from '../page/browser-context.ts';
import type { Page } from '../page/page.ts';

/** What it is used for: undefined when it is of no use, else settles when it may run on. */
type UseTarget = (target: ChildSession, isNew: boolean) => Promise<unknown> | undefined;

export class ChildSession {
  constructor(
    readonly session: TargetSession,
    readonly info: Pick<Protocol.Target.TargetInfo, 'targetId' | 'type' | 'browserContextId' | 'openerId'>,
  ) {}

  get isClosed(): boolean {
    return this.session.closed;
  }

  /** Returns how to stop listening. */
  on<E extends keyof CdpEvents>(event: E, listener: (payload: CdpEvents[E][0]) => void): () => void {
    return this.session.on(event, listener);
  }

  send<M extends keyof CdpCommands>(method: M, ...params: CdpParams<M>): Promise<CdpResult<M>> {
    return this.session.send(method, ...params);
  }

  /** Attaches to what is below it now, and to what appears there later: that is paused until its use lets it run. */
  async follow(use: UseTarget, filter?: Protocol.Target.FilterEntry[]): Promise<void> {
    this.session.on('Target.attachedToTarget', event => this.#attached(event, use));
    const how = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await this.send('Target.setAutoAttach', { ...how, ...(filter && { filter }) });
  }

  #attached(
    { sessionId, targetInfo, waitingForDebugger }: Protocol.Target.AttachedToTargetEvent,
    use: UseTarget,
  ): void {
    const child = new ChildSession(this.session.child(sessionId), targetInfo);
    const used = use(child, waitingForDebugger);
    // Whatever fails, the target must run; one that has gone needs nothing.
    const ready = Promise.resolve(used).catch(() => undefined);
    const run = () => (waitingForDebugger ? child.send('Runtime.runIfWaitingForDebugger') : undefined);
    ready.then(() => Promise.all([run(), used ? undefined : child.detach()])).catch(() => undefined);
  }

  detach(): Promise<void> {
    return this.session.detach();
  }
}

/** A further session with the browser itself. */
export const browserSession = async (context: BrowserContext): Promise<ChildSession> =>
  new ChildSession(await context.browser().connection.openBrowserSession(), { targetId: '', type: 'browser' });

/** A further session with the page of the tab, whose commands and events do not meet those of others. */
export const pageSession = async ({ page }: { page: Page }): Promise<ChildSession> =>
  new ChildSession(await page.openSession(), { targetId: page.targetId, type: 'page' });

export interface FollowedRequests {
  /** Settles when nothing is missed any more. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** Lets the listener subscribe to a further session of the page, and to sessions of all below it, before the first request is sent there. */
export function followRequests(
  { page }: { page: Page },
  buffers: Protocol.Network.EnableRequest,
  listen: (session: ChildSession) => void,
): FollowedRequests {
  const enable = (target: ChildSession): Promise<unknown> => {
    listen(target);
    return target.send('Network.enable', buffers);
  };
  const follow = async (target: ChildSession): Promise<void> => {
    await Promise.all([enable(target), target.follow(use)]);
  };
  /** A worker answers only when it runs. */
  const followWorker = async (target: ChildSession): Promise<void> => {
    const enabled = enable(target);
    enabled.then(() => target.follow(use)).catch(() => undefined); // it has ended again
  };
  const use: UseTarget = child => {
    if (child.info.type === 'iframe') return follow(child);
    return /^(?:service_)?worker$/.test(child.info.type) ? followWorker(child) : undefined;
  };
  const session = pageSession({ page });
  return {
    ready: session.then(follow),
    close: () => session.then(opened => opened.detach()),
  };
}
