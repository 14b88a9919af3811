// CDP sessions beside those of the tabs: of the browser, of a page once more, and of what runs below a page in other processes and threads.
import { EventEmitter } from 'node:events';
import type { Protocol } from 'devtools-protocol';
import { Failure } from '../../errors.ts';
import { type CdpCommands, CdpError, type CdpEvents, CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';

/** What it is used for: undefined when it is of no use, else settles when it may run on. */
type UseTarget = (target: ChildSession, isNew: boolean) => Promise<unknown> | undefined;

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

const TARGET_EVENTS = [
  'Target.attachedToTarget',
  'Target.detachedFromTarget',
  'Target.receivedMessageFromTarget',
] as const;

/** A session and the sessions that were attached through it. They are not flat: Playwright drops the messages of sessions that it did not open. */
abstract class ParentSession {
  readonly #children = new Map<string, ChildSession>();
  /** Targets that attach() was called for. */
  readonly #asked = new Set<string>();
  #use: UseTarget = () => undefined;

  abstract send<M extends keyof CdpCommands>(
    method: M,
    ...params: CdpCommands[M]['paramsType']
  ): Promise<CdpCommands[M]['returnType']>;

  async attach(targetId: string): Promise<ChildSession> {
    this.#asked.add(targetId);
    try {
      const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: false });
      const child = this.#children.get(sessionId);
      if (!child) throw new Error('Target closed');
      return child;
    } finally {
      this.#asked.delete(targetId);
    }
  }

  /** Attaches to what is below it now, and to what appears there later: that is paused until its use lets it run. */
  async follow(use: UseTarget, filter?: Protocol.Target.FilterEntry[]): Promise<void> {
    this.#use = use;
    const how = { autoAttach: true, waitForDebuggerOnStart: true, flatten: false };
    await this.send('Target.setAutoAttach', { ...how, ...(filter && { filter }) });
  }

  protected handle(event: string, params: unknown): void {
    const { sessionId, message } = params as { sessionId: string; message: string };
    const child = this.#children.get(sessionId);
    if (event === 'Target.attachedToTarget') this.#attached(params as Protocol.Target.AttachedToTargetEvent);
    else if (event === 'Target.receivedMessageFromTarget') child?.receive(JSON.parse(message) as Message);
    else if (this.#children.delete(sessionId)) child?.end();
  }

  #attached({ sessionId, targetInfo, waitingForDebugger }: Protocol.Target.AttachedToTargetEvent): void {
    const child = new ChildSession(this, sessionId, targetInfo);
    this.#children.set(sessionId, child);
    if (this.#asked.has(targetInfo.targetId)) return;
    const used = this.#use(child, waitingForDebugger);
    // Whatever fails, the target must run; one that has gone needs nothing.
    const ready = Promise.resolve(used).catch(() => undefined);
    const run = () => (waitingForDebugger ? child.send('Runtime.runIfWaitingForDebugger') : undefined);
    ready.then(() => Promise.all([run(), used ? undefined : child.detach()])).catch(() => undefined);
  }

  end(): void {
    for (const child of this.#children.values()) child.end();
    this.#children.clear();
  }
}

export class ChildSession extends ParentSession {
  readonly #events = new EventEmitter();
  readonly #pending = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  readonly #parent: ParentSession;
  readonly #id: string;
  #last = 0;
  isClosed = false;

  constructor(
    parent: ParentSession,
    id: string,
    readonly info: Protocol.Target.TargetInfo,
  ) {
    super();
    this.#parent = parent;
    this.#id = id;
  }

  /** Returns how to stop listening. */
  on<E extends keyof CdpEvents>(event: E, listener: (payload: CdpEvents[E][0]) => void): () => void {
    this.#events.on(event, listener);
    return () => void this.#events.off(event, listener);
  }

  send<M extends keyof CdpCommands>(
    method: M,
    ...[params]: CdpCommands[M]['paramsType']
  ): Promise<CdpCommands[M]['returnType']> {
    const id = ++this.#last;
    const message = JSON.stringify({ id, method, params });
    return new Promise<CdpCommands[M]['returnType']>((resolve, reject) => {
      const refused = (error: unknown) => {
        this.#pending.delete(id);
        reject(new CdpError(method, error));
      };
      if (this.isClosed) return refused(new Error('Session closed'));
      this.#pending.set(id, { resolve, reject: refused });
      this.#parent.send('Target.sendMessageToTarget', { sessionId: this.#id, message }).catch(refused);
    });
  }

  receive({ id, method, params, result, error }: Message): void {
    if (id === undefined) {
      if (TARGET_EVENTS.some(event => event === method)) this.handle(method ?? '', params);
      else this.#events.emit(method ?? '', params);
      return;
    }
    const command = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) command?.reject(new Error(error.message));
    else command?.resolve(result as never);
  }

  async detach(): Promise<void> {
    if (!this.isClosed) await this.#parent.send('Target.detachFromTarget', { sessionId: this.#id });
  }

  override end(): void {
    this.isClosed = true;
    for (const { reject } of [...this.#pending.values()]) reject(new Error('Session closed'));
    super.end();
  }
}

class BrowserSession extends ParentSession {
  constructor(readonly cdp: CdpSession) {
    super();
    for (const event of TARGET_EVENTS) cdp.on(event, params => this.handle(event, params));
  }

  send<M extends keyof CdpCommands>(
    method: M,
    ...params: CdpCommands[M]['paramsType']
  ): Promise<CdpCommands[M]['returnType']> {
    return this.cdp.send(method, ...params);
  }

  /** Ends all sessions below it too. */
  async close(): Promise<void> {
    this.end();
    await this.cdp.session.detach();
  }
}

/** A session of the browser that shows the tab. */
async function browserSession({ page }: Pick<Tab, 'page'>): Promise<BrowserSession> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session) throw new Failure('browser_gone', 'The browser has just ended.', 'Call again.');
  return new BrowserSession(new CdpSession('browser', session));
}

/** A further session with the page of the tab, whose commands and events do not meet those of others. */
export async function pageSession(
  tab: Pick<Tab, 'page' | 'main'>,
): Promise<{ page: ChildSession; close(): Promise<void> }> {
  const browser = await browserSession(tab);
  try {
    return { page: await browser.attach(tab.main.root), close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** Beside the page itself. A service worker has a session with each page of its site. */
const WITH_REQUESTS = new Set(['iframe', 'worker', 'service_worker']);

/** Lets the listener subscribe to the session, and to all below it, before the first request is sent there. */
export async function followRequests(
  session: ChildSession,
  buffers: Protocol.Network.EnableRequest,
  listen: (session: ChildSession) => void,
): Promise<void> {
  listen(session);
  await Promise.all([
    session.send('Network.enable', buffers),
    session.follow(child => (WITH_REQUESTS.has(child.info.type) ? followRequests(child, buffers, listen) : undefined)),
  ]);
}
