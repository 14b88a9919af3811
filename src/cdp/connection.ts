// CdpConnection: the one connection to a browser, over a pipe or a WebSocket, and the sessions that it carries.
import { type CdpMessage, MessageReader } from './message-reader.ts';
import { TargetSession } from './session.ts';
import type { ConnectionTrace } from './trace.ts';

/** Carries the messages of one connection. */
export interface CdpTransport {
  send(text: string): void;
  close(): void;
  /** Hands what comes to the reader; settles when the connection is over. */
  read(reader: MessageReader): Promise<void>;
}

const CLOSED = 'The connection to the browser is closed.';

export class CdpConnection {
  /** The session with the browser itself that needs no attaching. */
  readonly root = new TargetSession(this, undefined);
  /** Settles when the connection is over, whoever ended it. */
  readonly ended: Promise<void>;
  readonly #transport: CdpTransport;
  readonly #trace: ConnectionTrace | undefined;
  readonly #sessions = new Map<string, TargetSession>();
  /** Which session a command that is not answered was sent to: Chrome leaves the session out when it does not know it. */
  readonly #asked = new Map<number, TargetSession>();
  /** Sessions of targets that were found on another session, with which they end. */
  readonly #parents = new Map<TargetSession, TargetSession>();
  readonly #attaching: string[] = [];
  #lastId = 0;

  constructor(transport: CdpTransport, trace?: ConnectionTrace) {
    this.#transport = transport;
    this.#trace = trace;
    const reader = new MessageReader((message, bytes) => this.#receive(message, bytes));
    // After the messages that came before the end, each of which has a turn of its own.
    this.ended = transport.read(reader).then(() => new Promise(resolve => setImmediate(() => resolve(this.#end()))));
  }

  get isOpen(): boolean {
    return !this.root.closed;
  }

  /** The session that an event `Target.attachedToTarget` on another session announces. */
  session(id: string): TargetSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const session = new TargetSession(this, id);
    if (this.isOpen) this.#sessions.set(id, session);
    else session.close(CLOSED);
    return session;
  }

  /** A further session with the browser itself, for commands whose effect or events must not meet those of others. */
  async openBrowserSession(): Promise<TargetSession> {
    const { sessionId } = await this.root.send('Target.attachToBrowserTarget');
    return this.session(sessionId);
  }

  async attach(targetId: string): Promise<TargetSession> {
    this.#attaching.push(targetId);
    try {
      const { sessionId } = await this.root.send('Target.attachToTarget', { targetId, flatten: true });
      return this.session(sessionId);
    } finally {
      this.#attaching.splice(this.#attaching.indexOf(targetId), 1);
    }
  }

  /** A session with that target was asked for: Chrome tells of it with the same event as of one that it opened by itself. */
  isAttaching(targetId: string): boolean {
    return this.#attaching.includes(targetId);
  }

  close(): void {
    this.#transport.close();
  }

  /** Sends a command for a session; returns its number. */
  post(method: string, params: object, session: TargetSession): number {
    const id = ++this.#lastId;
    this.#asked.set(id, session);
    const text = JSON.stringify({ id, method, params, ...(session.id !== undefined && { sessionId: session.id }) });
    this.#trace?.sent(id, method, session.id, text.length);
    this.#transport.send(text);
    return id;
  }

  /** Ends a session, with those that were announced on it: Chrome does not always tell of these. */
  closeSession(session: TargetSession, why: string): void {
    if (session.id !== undefined) this.#sessions.delete(session.id);
    for (const [id, asked] of this.#asked) if (asked === session) this.#asked.delete(id);
    this.#parents.delete(session);
    session.close(why);
    for (const [child, parent] of this.#parents) if (parent === session) this.closeSession(child, why);
  }

  #receive(message: CdpMessage, bytes: number): void {
    const { id, method, sessionId } = message;
    if (id !== undefined) {
      this.#trace?.answered(id, sessionId, bytes, message.error !== undefined);
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      asked?.answer(id, message.result, message.error);
      return;
    }
    const session = sessionId === undefined ? this.root : this.#sessions.get(sessionId);
    if (!session || method === undefined) return;
    this.#trace?.event(method, sessionId, bytes);
    if (method === 'Target.attachedToTarget') {
      if (!isAttached(message.params)) return;
      this.#parents.set(this.session(message.params.sessionId), session);
    }
    session.receive(method, message.params);
    if (method === 'Target.detachedFromTarget') this.#detached(message.params);
  }

  #detached(params: unknown): void {
    const { sessionId } = Object(params) as { sessionId?: string };
    const session = this.#sessions.get(sessionId ?? '');
    if (session) this.closeSession(session, 'The target was closed.');
  }

  #end(): void {
    for (const session of [...this.#sessions.values(), this.root]) session.close(CLOSED);
    this.#sessions.clear();
    this.#asked.clear();
    this.#parents.clear();
  }
}

/** What others build on: a session without a name or a target is none. */
function isAttached(params: unknown): params is { sessionId: string } {
  const { sessionId, targetInfo } = Object(params) as Record<string, unknown>;
  const { targetId } = Object(targetInfo) as Record<string, unknown>;
  return typeof sessionId === 'string' && typeof targetId === 'string';
}
