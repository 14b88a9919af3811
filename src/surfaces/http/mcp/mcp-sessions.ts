// Protocol sessions of clients before 2026-07-28: whose they are, how many there may be, and when they end.
import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import type { Log } from '../../../config/log.ts';
import type { Caller } from '../../../session/server.ts';
import { HttpRefusal, later } from '../refuse.ts';

export interface SessionLimits {
  /** How many there may be at once. */
  sessions: number;
  sessionsPerCaller: number;
  /** After this time, in ms, without a request or an open stream, a session ends. */
  idle: number;
  /** The same for one that only listens. */
  listening: number;
}

/** The code that the SDK gives it too. */
const NO_SESSION = -32_001;

export type SessionKind = 'streamable' | 'sse';

/** What makes a session: the protocol server behind it. */
export interface McpSessionStart {
  kind: SessionKind;
  caller: Caller;
  /** Where it was begun; it is known nowhere else. */
  home: object;
  server: Server;
  /** False while its handshake has not taken. */
  isOpen(): boolean;
}

export interface McpSession extends McpSessionStart {
  id: string;
  /** Whose its calls are. */
  as: Caller;
  /** Messages being answered, and open streams of events. */
  messages: number;
  streams: number;
  /** When the last message ended. */
  used: number;
  timer?: NodeJS.Timeout;
}

/** Hears of the sessions, and may tell them apart where one token, or none, opens them all. */
export interface SessionHooks {
  /** Whose the calls of a session are; those of whoever opened it when left out. */
  callerOf?(id: string, opener: Caller): Caller;
  opened?(session: McpSession): void;
  closed?(session: McpSession): void;
}

export class McpSessions {
  readonly #live = new Map<string, McpSession>();
  readonly #log: Log;
  readonly #limits: SessionLimits;
  readonly #lobby: SessionHooks;

  constructor(log: Log, limits: SessionLimits, lobby: SessionHooks = {}) {
    this.#log = log;
    this.#limits = limits;
    this.#lobby = lobby;
  }

  count(kind: SessionKind): number {
    return [...this.#live.values()].filter(session => session.kind === kind).length;
  }

  /** Whose it is not, to them it is unknown. */
  find(id: string, caller: Caller, home: object): McpSession {
    const session = this.#live.get(id);
    if (session?.caller.id === caller.id && session.home === home) return session;
    throw new HttpRefusal('session', 'There is no such session: it has ended. Initialize a new one.', {
      code: NO_SESSION,
    });
  }

  /** `make` is given its id, and whose its calls are. */
  open(caller: Caller, make: (id: string, as: Caller) => Omit<McpSessionStart, 'caller'>): McpSession {
    this.#makeRoom(caller);
    const id = randomUUID();
    const as = this.#lobby.callerOf?.(id, caller) ?? caller;
    const session: McpSession = { ...make(id, as), caller, as, id, messages: 0, streams: 0, used: performance.now() };
    session.server.onclose = () => this.#forget(id);
    session.server.onerror = error => this.#log.warn(`http: ${error.message}`);
    this.#live.set(id, session);
    this.#lobby.opened?.(session);
    return session;
  }

  /** Keeps the session from ending; the returned function lets go again. */
  hold(session: McpSession, kind: 'messages' | 'streams'): () => void {
    clearTimeout(session.timer);
    session[kind]++;
    return () => {
      session[kind]--;
      this.#rest(session);
    };
  }

  /** Ends those of callers that are known no more. */
  sweep(knows: (caller: string) => boolean): void {
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
    this.#live.delete(id);
    this.#lobby.closed?.(session);
  }

  /** A caller that has its share gives up one of its own; when all have theirs, whoever left one longest. */
  #makeRoom({ id }: Caller): void {
    const all = [...this.#live.values()];
    const own = all.filter(({ caller }) => caller.id === id);
    if (own.length >= this.#limits.sessionsPerCaller)
      this.#endOldest(own, later('caller_sessions', `All your ${own.length} sessions are busy. Try again later.`, 5));
    else if (all.length >= this.#limits.sessions)
      this.#endOldest(all, later('sessions', 'All sessions are busy. Try again later.', 5));
  }

  /** The one that has been idle longest; one with an open stream only when all have one. */
  #endOldest(sessions: McpSession[], busy: HttpRefusal): void {
    const idle = sessions.filter(({ messages }) => messages === 0);
    const [oldest] = idle.sort((a, b) => Math.sign(a.streams) - Math.sign(b.streams) || a.used - b.used);
    if (!oldest) throw busy;
    this.#end(oldest, 'to make room');
  }

  /** A handshake that did not take leaves nothing behind; what rests too long is ended. */
  #rest(session: McpSession): void {
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
