// Protocol sessions of clients before 2026-07-28: their callers, how many there may be, and when they end.
import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import type { Log } from '../../../config/log.ts';
import type { Caller } from '../../../session/server.ts';
import type { HttpLimits } from '../limits.ts';
import { HttpRefusal, retryLater } from '../refuse.ts';

/** The code that the SDK gives it too. */
const NO_SESSION = -32_001;

export interface McpSession {
  id: string;
  kind: 'streamable' | 'sse';
  /** Who opened it. */
  caller: Caller;
  /** The caller of its calls. */
  as: Caller;
  /** Where it was opened; it is known nowhere else. */
  endpoint: object;
  server: Server;
  /** False until its handshake has succeeded. */
  isOpen(): boolean;
  /** Messages being answered, and open streams of events. */
  messages: number;
  streams: number;
  /** When the last message ended. */
  used: number;
  timer?: NodeJS.Timeout;
  /** Runs after its last stream has closed, until it sends something. */
  missing?: NodeJS.Timeout;
}

type NewSession = Pick<McpSession, 'kind' | 'endpoint' | 'server' | 'isOpen'>;

/** Called as sessions open and close; may give each a caller of its own where one token, or none, opens them all. */
export interface SessionHooks {
  /** The caller of the calls of a session; its opener when left out. */
  callerOf?(id: string, opener: Caller): Caller;
  opened?(session: McpSession): void;
  /** Its streams have closed, and its client sends nothing. It may still come back. */
  disconnected?(session: McpSession): void;
  closed?(session: McpSession): void;
}

export class McpSessions {
  readonly #live = new Map<string, McpSession>();
  readonly #log: Log;
  readonly #limits: HttpLimits;
  readonly #hooks: SessionHooks;

  constructor(log: Log, limits: HttpLimits, hooks: SessionHooks = {}) {
    this.#log = log;
    this.#limits = limits;
    this.#hooks = hooks;
  }

  count(kind: McpSession['kind']): number {
    return [...this.#live.values()].filter(session => session.kind === kind).length;
  }

  /** A session of another caller, endpoint or transport counts as unknown. */
  find(id: string, caller: Caller, endpoint: object, kind: McpSession['kind']): McpSession {
    const session = this.#live.get(id);
    if (session?.caller.id === caller.id && session.endpoint === endpoint && session.kind === kind) return session;
    throw new HttpRefusal('session', 'There is no such session: it has ended. Initialize a new one.', {
      code: NO_SESSION,
    });
  }

  /** `make` is given the id of the session, and the caller of its calls. */
  open(caller: Caller, make: (id: string, as: Caller) => NewSession): McpSession {
    this.#makeRoom(caller);
    const id = randomUUID();
    const as = this.#hooks.callerOf?.(id, caller) ?? caller;
    const session: McpSession = { ...make(id, as), caller, as, id, messages: 0, streams: 0, used: performance.now() };
    session.server.onclose = () => this.#forget(id);
    session.server.onerror = error => this.#log.warn(`http: ${error.message}`);
    this.#live.set(id, session);
    this.#hooks.opened?.(session);
    return session;
  }

  /** Keeps the session from ending until the returned function is called. */
  hold(session: McpSession, kind: 'messages' | 'streams'): () => void {
    clearTimeout(session.timer);
    clearTimeout(session.missing);
    session[kind]++;
    return () => {
      session[kind]--;
      if (kind === 'streams' && session.streams === 0) this.#awaitReturn(session);
      this.#startIdle(session);
    };
  }

  /** Ends the sessions of callers that have no token any more. */
  endUnknown(knows: (caller: string) => boolean): void {
    for (const session of this.#live.values())
      if (!knows(session.caller.id)) this.#end(session, 'its caller has no token any more');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map(({ server }) => server.close()));
  }

  #forget(id: string): void {
    const session = this.#live.get(id);
    if (!session) return;
    clearTimeout(session.timer);
    clearTimeout(session.missing);
    this.#live.delete(id);
    this.#hooks.closed?.(session);
  }

  /** At its own limit a caller loses one of its own sessions; at the limit of all, the longest idle session of anybody ends. */
  #makeRoom({ id }: Caller): void {
    const all = [...this.#live.values()];
    const own = all.filter(({ caller }) => caller.id === id);
    if (own.length >= this.#limits.sessionsPerCaller)
      this.#endOldest(
        own,
        retryLater('caller_sessions', `All your ${own.length} sessions are busy. Try again later.`, 5),
      );
    else if (all.length >= this.#limits.sessions)
      this.#endOldest(all, retryLater('sessions', 'All sessions are busy. Try again later.', 5));
  }

  /** Ends the session that has been idle longest; one with an open stream only when all have one. */
  #endOldest(sessions: McpSession[], busy: HttpRefusal): void {
    const idle = sessions.filter(({ messages }) => messages === 0);
    const [oldest] = idle.sort((a, b) => Math.sign(a.streams) - Math.sign(b.streams) || a.used - b.used);
    if (!oldest) throw busy;
    this.#end(oldest, 'to make room');
  }

  /** A client of Streamable HTTP that goes need not say so: only its stream closes. */
  #awaitReturn(session: McpSession): void {
    if (!this.#live.has(session.id)) return;
    const missed = () => session.messages === 0 && this.#hooks.disconnected?.(session);
    session.missing = setTimeout(missed, this.#limits.returnMs).unref();
  }

  /** Ends a session whose handshake failed, and any other after too long without a message. */
  #startIdle(session: McpSession): void {
    session.used = performance.now();
    if (session.messages > 0 || !this.#live.has(session.id)) return;
    clearTimeout(session.timer);
    if (session.streams === 0 && !session.isOpen()) {
      this.#end(session, 'its handshake failed');
      return;
    }
    const ms = session.streams > 0 ? this.#limits.listening : this.#limits.idle;
    session.timer = setTimeout(() => this.#end(session, 'unused'), ms).unref();
  }

  #end({ id, server }: McpSession, why: string): void {
    this.#log.info(`http: a session ends: ${why}`);
    this.#forget(id);
    server.close().catch((error: Error) => this.#log.warn(`http: ${error.message}`));
  }
}
