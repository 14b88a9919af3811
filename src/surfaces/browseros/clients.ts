// The clients of browseros-mcp: each protocol session is a caller of its own, with its own selected page in the one browser.
import { OWNER_IDS } from '../../session/callers.ts';
import type { Caller } from '../../session/server.ts';
import type { McpSession, SessionHooks } from '../http/mcp/mcp-sessions.ts';
import type { Runtime } from '../runtime.ts';
import { print } from './process.ts';

const NAMES: Record<McpSession['kind'], string> = { sse: 'SSE', streamable: 'Streamable HTTP' };

/** Programs of this machine, which no token tells apart: their calls are not counted. */
const UNLIMITED = { rateLimit: 0 };

/** Clients from 2026-07-28 on have no sessions: they share one selected page. */
export const SESSIONLESS: Caller = { id: `${OWNER_IDS.local}@sessionless`, ...UNLIMITED };

export class Clients implements SessionHooks {
  readonly #open = new Set<Caller>();
  readonly #runtime: Pick<Runtime, 'disconnected' | 'leave'>;

  /** The runtime is told of callers whose session has ended, or who seem to have gone. */
  constructor(runtime: Pick<Runtime, 'disconnected' | 'leave'>) {
    this.#runtime = runtime;
  }

  get size(): number {
    return this.#open.size;
  }

  /** False once the session of the caller has ended; its calls may still run. */
  isConnected(caller: Caller): boolean {
    return caller === SESSIONLESS || this.#open.has(caller);
  }

  callerOf(id: string): Caller {
    return { id: `${OWNER_IDS.local}@${id}`, ...UNLIMITED };
  }

  opened({ id, kind, as }: McpSession): void {
    this.#open.add(as);
    print(`${NAMES[kind]} connection established: session ${id}`);
  }

  disconnected({ as }: McpSession): void {
    this.#runtime.disconnected(as);
  }

  closed({ id, kind, as }: McpSession): void {
    this.#open.delete(as);
    print(`${NAMES[kind]} connection closed: session ${id}`);
    void this.#runtime.leave(as);
  }
}
