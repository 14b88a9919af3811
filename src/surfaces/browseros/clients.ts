// The clients of browseros-mcp: each protocol session is a caller of its own, with its own selected page in the one browser.
import type { Caller } from '../../session/server.ts';
import type { McpSession, SessionHooks } from '../http/mcp/mcp-sessions.ts';
import { print } from './output.ts';

const NAMES: Record<McpSession['kind'], string> = { sse: 'SSE', streamable: 'Streamable HTTP' };

/** Programs of this machine, which no token tells apart: none of them is held to a number of calls. */
const UNLIMITED = { rateLimit: 0 };

/** Clients from 2026-07-28 on have no sessions: they share one selected page. */
export const SESSIONLESS: Caller = { id: 'sessionless', ...UNLIMITED };

export class Clients implements SessionHooks {
  readonly #open = new Set<Caller>();
  readonly #left: (caller: Caller) => void;

  /** `left` is told whose session has ended. */
  constructor(left: (caller: Caller) => void) {
    this.#left = left;
  }

  get size(): number {
    return this.#open.size;
  }

  /** False for one whose session has ended; calls of it may still run. */
  isHere(caller: Caller): boolean {
    return caller === SESSIONLESS || this.#open.has(caller);
  }

  callerOf(id: string): Caller {
    return { id, ...UNLIMITED };
  }

  opened({ id, kind, as }: McpSession): void {
    this.#open.add(as);
    print(`${NAMES[kind]} connection established: session ${id}`);
  }

  closed({ id, kind, as }: McpSession): void {
    this.#open.delete(as);
    print(`${NAMES[kind]} connection closed: session ${id}`);
    this.#left(as);
  }
}
