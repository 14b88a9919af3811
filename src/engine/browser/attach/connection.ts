// The one connection to an attached browser. Playwright's commands and our own share it; a filter chooses which events Playwright gets.
import type { ConnectOverCDPTransport } from 'playwright-core';
import type { CdpCommands } from '../../tab/cdp-session.ts';
import { type CdpMessage, MessageReader } from '../message-reader.ts';
import type { AttachedTabs } from './attached-tabs.ts';
import type { Params } from './socket.ts';
import type { WebSocketClient } from './websocket-client.ts';

/** Numbers of our own commands begin here; Playwright counts its own from 1. */
const OWN = 1_000_000_000;

type EventListener = (method: string) => void;

interface Call {
  sessionId: string | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class CdpConnection {
  readonly transport: ConnectOverCDPTransport;
  /** Settles when the connection is over, whoever ended it. */
  readonly ended: Promise<void>;
  /** Decides which events of the browser Playwright gets. */
  filter: AttachedTabs | undefined;
  readonly #socket: WebSocketClient;
  readonly #calls = new Map<number, Call>();
  /** Sessions of our own, and the listeners of their events. */
  readonly #own = new Map<string, EventListener>();
  /** Sessions with tabs that Playwright knows of. */
  readonly #known = new Set<string>();
  /** Commands of Playwright's that make a tab, not yet answered. */
  readonly #making = new Set<number>();
  #last = OWN;
  #isOver = false;

  constructor(socket: WebSocketClient) {
    this.#socket = socket;
    this.transport = { send: message => this.#sendForPlaywright(message as CdpMessage), close: () => socket.close() };
    const reader = new MessageReader(message => this.#receive(message));
    this.ended = socket.read(reader).then(() => new Promise(resolve => setImmediate(() => resolve(this.#end()))));
  }

  /** Playwright is just making a tab. */
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

  /** Events of that session go to the listener, not to Playwright, until it is handed over or dropped. */
  listen(sessionId: string, listener: EventListener): void {
    this.#own.set(sessionId, listener);
  }

  /** The session is Playwright's from now on. */
  hand(sessionId: string, attached: CdpMessage): void {
    this.#own.delete(sessionId);
    this.#deliver(attached);
  }

  /** Ends a session of ours. What it has not answered yet, it never will. */
  drop(sessionId: string): void {
    this.#own.delete(sessionId);
    this.#fail('Session closed', call => call.sessionId === sessionId);
    // It fails for a session that has ended already.
    this.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
  }

  close(): void {
    this.#socket.close();
  }

  #write(message: CdpMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  #sendForPlaywright(message: CdpMessage): void {
    if (message.method === 'Target.createTarget' && message.id !== undefined) this.#making.add(message.id);
    const asksForTabs = message.method === 'Target.setAutoAttach' && message.sessionId === undefined;
    if (!asksForTabs || !this.filter) this.#write(message);
    else
      this.filter.watch(message).then(
        asked => this.#write(asked),
        (error: Error) => this.transport.onmessage?.({ id: message.id, error: { message: error.message } }),
      );
  }

  #receive(message: CdpMessage): void {
    const { id, sessionId, method } = message;
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id !== undefined && call) {
      this.#calls.delete(id);
      if (message.error) call.reject(new Error(message.error.message));
      else call.resolve(message.result);
      return;
    }
    if (id !== undefined) this.#making.delete(id);
    const listener = sessionId === undefined ? undefined : this.#own.get(sessionId);
    if (listener) listener(method ?? '');
    else if (sessionId !== undefined || method === undefined || this.filter?.passes(message) !== false)
      this.#deliver(message);
  }

  /** Playwright gets the end of a session only if it knows the session: it takes the end of any for that of the tab. */
  #deliver(message: CdpMessage): void {
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
