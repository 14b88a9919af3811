// Streams of clients from 2026-07-28 on that wait for changes. Each caller hears of its own only, and takes no more than its share.
import {
  type CreateMcpHandlerOptions,
  createMcpHandler,
  type McpHttpHandler,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import type { Call } from '../../../call/call.ts';
import { changesFor, protocolServer } from '../../mcp/server.ts';
import type { McpServerConfig } from '../../mcp/server-config.ts';

type Caller = Call['caller'];

/** How many callers can have as many streams as they may before there is no more room. */
const SHARES = 4;

export const asksForChanges = (body: unknown): boolean => Object(body).method === 'subscriptions/listen';

export class ChangeStreams {
  /** One handler for each stream: the SDK's own tells every stream of every caller's changes. */
  readonly #open = new Map<McpHttpHandler, string>();
  readonly #offer: McpServerConfig;
  readonly #options: CreateMcpHandlerOptions;
  readonly #most: number;

  constructor(offer: McpServerConfig, options: CreateMcpHandlerOptions, most: number) {
    this.#offer = offer;
    this.#options = options;
    this.#most = most;
  }

  fetch(caller: Caller, request: Request, body: unknown): Promise<Response> {
    const changes = changesFor(this.#offer, caller);
    const bus: ServerEventBus = {
      publish: event => changes.publish(event),
      subscribe: listener => {
        this.#open.set(handler, caller.id);
        const end = changes.subscribe(listener);
        return () => {
          end();
          this.#open.delete(handler);
        };
      },
    };
    const handler = createMcpHandler(() => protocolServer(this.#offer, caller), {
      ...this.#options,
      bus,
      maxSubscriptions: this.#hasRoom(caller) ? 1 : 0,
    });
    return handler.fetch(request, { parsedBody: body });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map(handler => handler.close()));
  }

  #hasRoom({ id }: Caller): boolean {
    const own = [...this.#open.values()].filter(other => other === id).length;
    return this.#open.size < this.#most && own < Math.ceil(this.#most / SHARES);
  }
}
