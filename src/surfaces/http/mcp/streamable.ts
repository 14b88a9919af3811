// Streamable HTTP of the revisions before 2026-07-28: a session that begins with a handshake and is known by its id.
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport as Transport,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../../session/server.ts';
import { HttpRefusal } from '../refuse.ts';
import type { Exchange } from '../web.ts';
import type { McpSession, McpSessions } from './mcp-sessions.ts';

interface Wired {
  transport: Transport;
  connected: Promise<void>;
}

export class Streamable {
  readonly #build: (caller: Caller) => Server;
  readonly #sessions: McpSessions;
  readonly #wired = new WeakMap<Server, Wired>();

  constructor(build: (caller: Caller) => Server, sessions: McpSessions) {
    this.#build = build;
    this.#sessions = sessions;
  }

  async serve({ request, answer }: Exchange, caller: Caller, body?: unknown): Promise<void> {
    const session = this.#find(request, caller, body);
    const letGo = this.#sessions.hold(session, request.method === 'GET' ? 'streams' : 'messages');
    try {
      const { transport, connected } = this.#wired.get(session.server)!;
      await connected;
      await answer(await transport.handleRequest(request, { parsedBody: body }));
    } finally {
      letGo();
    }
  }

  #find(request: Request, caller: Caller, body: unknown): McpSession {
    const id = request.headers.get('mcp-session-id');
    if (id) return this.#sessions.find(id, caller, this);
    if (isInitializeRequest(body)) return this.#open(caller);
    throw new HttpRefusal(
      'message',
      'Mcp-Session-Id is missing. Send an initialize request first, then the id that its answer carries.',
    );
  }

  #open(caller: Caller): McpSession {
    const session = this.#sessions.open(caller, (id, as) => {
      const transport = new Transport({ sessionIdGenerator: () => id });
      const server = this.#build(as);
      this.#wired.set(server, { transport, connected: server.connect(transport) });
      return { kind: 'streamable', home: this, server, isOpen: () => transport.sessionId !== undefined };
    });
    return session;
  }
}
