// TargetSession: one flat session of the protocol, with a target or with the browser itself. Commands in, events out.
import { EventEmitter } from 'node:events';
import type { CdpConnection } from './connection.ts';
import { CdpError } from './errors.ts';
import type { CdpCommands, CdpEvents, CdpParams, CdpResult } from './protocol.ts';

interface PendingCommand {
  method: string;
  resolve(result: unknown): void;
  reject(error: CdpError): void;
}

export class TargetSession {
  readonly #connection: CdpConnection;
  readonly #pending = new Map<number, PendingCommand>();
  readonly #events = new EventEmitter();
  #closed: string | undefined;

  constructor(
    connection: CdpConnection,
    /** Undefined for the session that every connection begins with. */
    readonly id: string | undefined,
  ) {
    this.#connection = connection;
    this.#events.setMaxListeners(0);
  }

  get closed(): boolean {
    return this.#closed !== undefined;
  }

  send<M extends keyof CdpCommands>(method: M, ...[params]: CdpParams<M>): Promise<CdpResult<M>> {
    if (this.#closed !== undefined) return Promise.reject(new CdpError(method, this.#closed, true));
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(this.#connection.post(method, params ?? {}, this), { method, resolve, reject });
    }) as Promise<CdpResult<M>>;
  }

  on<E extends keyof CdpEvents>(event: E, listener: (payload: CdpEvents[E][0]) => void): () => void;
  on(event: 'close', listener: () => void): () => void;
  /** Returns how to stop listening. */
  on(event: string, listener: (payload: never) => void): () => void {
    this.#events.on(event, listener as () => void);
    return () => void this.#events.off(event, listener as () => void);
  }

  off<E extends keyof CdpEvents>(event: E, listener: (payload: CdpEvents[E][0]) => void): void;
  off(event: 'close', listener: () => void): void;
  off(event: string, listener: (payload: never) => void): void {
    this.#events.off(event, listener as () => void);
  }

  /** Settles with the next such event. */
  once<E extends keyof CdpEvents>(event: E): Promise<CdpEvents[E][0]> {
    return new Promise(resolve => this.#events.once(event, resolve));
  }

  /** The session that an event of this one announces. */
  child(id: string): TargetSession {
    return this.#connection.session(id);
  }

  /** Ends the session; its target lives on. What it has not answered yet, it never will. */
  async detach(): Promise<void> {
    if (this.#closed !== undefined || this.id === undefined) return;
    const detached = this.#connection.root.send('Target.detachFromTarget', { sessionId: this.id });
    this.#connection.closeSession(this, 'The session was detached.');
    await detached;
  }

  /** From the connection: the answer to one of the commands. */
  answer(id: number, result: unknown, error: { message: string } | undefined): void {
    const command = this.#pending.get(id);
    this.#pending.delete(id);
    const why =
      error && (typeof error.message === 'string' ? error.message : 'The browser refused it without a reason.');
    if (why !== undefined) command?.reject(new CdpError(command.method, why));
    else command?.resolve(result);
  }

  /** From the connection: an event. */
  receive(method: string, params: unknown): void {
    // All events of the protocol have a domain: the names without one are for our own.
    if (!method.includes('.')) return;
    // A renderer that crashed answers nothing that it was asked, and no later question either.
    if (method === 'Inspector.targetCrashed') this.#failPending('The target crashed.');
    this.#events.emit(method, params);
  }

  /** From the connection: nothing more comes. */
  close(why: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = why;
    this.#failPending(why);
    this.#events.emit('close');
  }

  #failPending(why: string): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { method, reject } of pending) reject(new CdpError(method, why, true));
  }
}
