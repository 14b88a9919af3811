// Protocol sessions of clients before 2026-07-28: made by a handshake, known by their id, ended when long unused.
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server';
import type { Log } from '../../config/log.ts';
import { Refusal } from './refuse.ts';
import type { Exchange } from './web.ts';

export interface SessionLimits {
  /** How many there may be at once. */
  sessions: number;
  /** After this time, in ms, without a request or an open stream, a session ends. */
  idle: number;
}

/** The code that the SDK gives it too. */
const NO_SESSION = -32_001;

interface Session {
  id: string;
  transport: Transport;
  server: Server;
  connected: Promise<void>;
  /** Messages being answered, and open streams of events. */
  messages: number;
  streams: number;
  /** When the last of them ended. */
  used: number;
  timer?: NodeJS.Timeout;
}

export class Sessions {
  readonly #live = new Map<string, Session>();
  readonly #build: () => Server;
  readonly #log: Log;
  readonly #limits: SessionLimits;

  constructor(build: () => Server, log: Log, limits: SessionLimits) {
    this.#build = build;
    this.#log = log;
    this.#limits = limits;
  }

  async serve({ request, answer }: Exchange, body?: unknown): Promise<void> {
    const session = this.#find(request, body);
    const kind = request.method === 'GET' ? 'streams' : 'messages';
    clearTimeout(session.timer);
    session[kind]++;
    try {
      await session.connected;
      await answer(await session.transport.handleRequest(request, { parsedBody: body }));
    } finally {
      session[kind]--;
      await this.#rest(session);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#live.values()].map(({ server }) => server.close()));
  }

  #find(request: Request, body: unknown): Session {
    const id = request.headers.get('mcp-session-id');
    if (id) {
      const session = this.#live.get(id);
      if (session) return session;
      throw new Refusal(404, 'There is no such session: it has ended. Initialize a new one.', {}, NO_SESSION);
    }
    if (isInitializeRequest(body)) return this.#open();
    throw new Refusal(
      400,
      'Mcp-Session-Id is missing. Send an initialize request first, then the id that its answer carries.',
    );
  }

  #open(): Session {
    this.#makeRoom();
    const id = randomUUID();
    const transport = new Transport({ sessionIdGenerator: () => id });
    const server = this.#build();
    server.onclose = () => this.#forget(id);
    server.onerror = error => this.#log.warn(`http: ${error.message}`);
    const connected = server.connect(transport);
    const session = { id, transport, server, connected, messages: 0, streams: 0, used: performance.now() };
    this.#live.set(id, session);
    return session;
  }

  #forget(id: string): void {
    clearTimeout(this.#live.get(id)?.timer);
    this.#live.delete(id);
  }

  /** Ends the session that has been idle longest; one with an open stream only when all have one. */
  #makeRoom(): void {
    if (this.#live.size < this.#limits.sessions) return;
    const idle = [...this.#live.values()].filter(({ messages }) => messages === 0);
    const [oldest] = idle.sort((a, b) => Math.sign(a.streams) - Math.sign(b.streams) || a.used - b.used);
    if (!oldest) throw new Refusal(503, 'All sessions are busy. Try again later.', { 'retry-after': '5' });
    this.#end(oldest, 'to make room');
  }

  /** A handshake that did not take leaves nothing behind; what rests too long is ended. */
  async #rest(session: Session): Promise<void> {
    session.used = performance.now();
    if (session.messages + session.streams > 0 || !this.#live.has(session.id)) return;
    if (session.transport.sessionId === undefined) await session.server.close();
    else session.timer = setTimeout(() => this.#end(session, 'unused'), this.#limits.idle).unref();
  }

  #end({ server }: Session, why: string): void {
    this.#log.info(`http: a session ends: ${why}`);
    server.close().catch((error: Error) => this.#log.warn(`http: ${error.message}`));
  }
}
