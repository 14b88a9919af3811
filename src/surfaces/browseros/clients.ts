// The clients of browseros-mcp: each protocol session is a caller of its own, with its own selected page in the one browser.
import { OWNER_IDS } from '../../session/callers.ts';
import type { Caller } from '../../session/server.ts';
import type { McpSession, SessionHooks } from '../http/mcp/mcp-sessions.ts';
import { print } from './process.ts';

const NAMES: Record<McpSession['kind'], string> = { sse: 'SSE', streamable: 'Streamable HTTP' };

/** Programs of this machine, which no token tells apart: their calls are not counted. */
const UNLIMITED = { rateLimit: 0 };

/** Clients from 2026-07-28 on have no sessions: they share one selected page. */
export const SESSIONLESS: Caller = { id: `${OWNER_IDS.local}@sessionless`, ...UNLIMITED };

export class Clients implements SessionHooks {
  readonly #open = new Set<Caller>();
  readonly #onClose: (caller: Caller) => void;

  /** `onClose` is called when the session of a caller has ended. */
  constructor(onClose: (caller: Caller) => void) {
    this.#onClose = onClose;
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

  closed({ id, kind, as }: McpSession): void {
    this.#open.delete(as);
    print(`${NAMES[kind]} connection closed: session ${id}`);
    this.#onClose(as);
  }
}
