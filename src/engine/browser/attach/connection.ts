// Line: the one connection to an attached browser. Playwright speaks on it, and we beside it; a guard chooses what Playwright hears.
import type { ConnectOverCDPTransport } from 'playwright-core';
import type { CdpCommands } from '../../tab/cdp-session.ts';
import type { WebSocketLike } from '../playwright.ts';
import type { CdpMessage, Params } from './socket.ts';

/** Numbers of our own commands begin here; Playwright counts its own from 1. */
const OWN = 1_000_000_000;

/** Who stands between Playwright and the tabs of the browser. */
export interface MessageFilter {
  /** An event of the browser itself, not of one of its tabs. Says whether Playwright hears it. */
  passes(event: CdpMessage): boolean;
  /** Playwright wants to be told of tabs: what it asks for, when it may. */
  watch(message: CdpMessage): Promise<CdpMessage>;
}

type Heard = (method: string) => void;

interface Call {
  sessionId: string | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class CdpConnection {
  readonly transport: ConnectOverCDPTransport;
  /** Settles when the connection is over, whoever ended it. */
  readonly ended: Promise<void>;
  guard: MessageFilter | undefined;
  readonly #socket: WebSocketLike;
  readonly #calls = new Map<number, Call>();
  /** Sessions of our own, and who hears their events. */
  readonly #own = new Map<string, Heard>();
  /** Sessions with tabs that Playwright knows of. */
  readonly #known = new Set<string>();
  /** Commands of Playwright's that make a tab, not yet answered. */
  readonly #making = new Set<number>();
  #last = OWN;
  #isOver = false;

  constructor(socket: WebSocketLike) {
    this.#socket = socket;
    this.transport = { send: message => this.#pass(message as CdpMessage), close: () => socket.close() };
    // Each in a turn of its own, as Playwright expects: what one message started must not see the next one too early.
    socket.on('message', data => void setImmediate(() => this.#heard(JSON.parse(data.toString()) as CdpMessage)));
    this.ended = new Promise(resolve => socket.on('close', () => void setImmediate(() => resolve(this.#end()))));
  }

  /** Somebody of ours is just making a tab. */
  get isMaking(): boolean {
    return this.#making.size > 0;
  }

  send<M extends keyof CdpCommands>(
    method: M,
    params?: Params<M>,
    sessionId?: string,
  ): Promise<CdpCommands[M]['returnType']> {
    if (this.#isOver) return Promise.reject(new Error('Connection closed'));
    const id = ++this.#last;
    return new Promise<unknown>((resolve, reject) => {
      this.#calls.set(id, { sessionId, resolve, reject });
      this.#write({ id, method, params: params ?? {}, ...(sessionId !== undefined && { sessionId }) });
    }) as Promise<CdpCommands[M]['returnType']>;
  }

  /** What that session says is for us, until somebody else is told of it. */
  keep(sessionId: string, heard: Heard): void {
    this.#own.set(sessionId, heard);
  }

  /** The session is Playwright's from now on. */
  hand(sessionId: string, attached: CdpMessage): void {
    this.#own.delete(sessionId);
    this.#tell(attached);
  }

  /** Ends a session of ours. What it has not answered yet, it never will. */
  drop(sessionId: string): void {
    this.#own.delete(sessionId);
    this.#fail('Session closed', call => call.sessionId === sessionId);
    // One that is gone already needs no end.
    this.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  }

  close(): void {
    this.#socket.close();
  }

  #write(message: CdpMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  #pass(message: CdpMessage): void {
    if (message.method === 'Target.createTarget' && message.id !== undefined) this.#making.add(message.id);
    const asksForTabs = message.method === 'Target.setAutoAttach' && message.sessionId === undefined;
    if (!asksForTabs || !this.guard) this.#write(message);
    else
      this.guard.watch(message).then(
        asked => this.#write(asked),
        (error: Error) => this.transport.onmessage?.({ id: message.id, error: { message: error.message } }),
      );
  }

  #heard(message: CdpMessage): void {
    const { id, sessionId, method } = message;
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id !== undefined && call) {
      this.#calls.delete(id);
      if (message.error) call.reject(new Error(message.error.message));
      else call.resolve(message.result);
      return;
    }
    if (id !== undefined) this.#making.delete(id);
    const heard = sessionId === undefined ? undefined : this.#own.get(sessionId);
    if (heard) heard(method ?? '');
    else if (sessionId !== undefined || method === undefined || this.guard?.passes(message) !== false)
      this.#tell(message);
  }

  /** Playwright is told of the end of a session only if it knows the session: it takes the end of any for that of the tab. */
  #tell(message: CdpMessage): void {
    const { sessionId: session } = Object(message.params) as { sessionId?: string };
    if (session !== undefined && message.sessionId === undefined) {
      if (message.method === 'Target.attachedToTarget') this.#known.add(session);
      if (message.method === 'Target.detachedFromTarget' && !this.#known.delete(session)) return;
    }
    this.transport.onmessage?.(message);
  }

  #end(): void {
    this.#isOver = true;
    this.#fail('Connection closed', () => true);
    this.transport.onclose?.();
  }

  #fail(why: string, isMeant: (call: Call) => boolean): void {
    for (const [id, call] of [...this.#calls]) {
      if (!isMeant(call)) continue;
      this.#calls.delete(id);
      call.reject(new Error(why));
    }
  }
}
