// Loads playwright-core when a browser is first needed.
import { createRequire } from 'node:module';

/** By require: an import would first search seven megabytes of CommonJS for the names of its exports. */
const load = createRequire(import.meta.url);

export const playwright = (): typeof import('playwright-core') =>
  load('playwright-core') as typeof import('playwright-core');

/** As far as we use it. */
export interface WebSocketLike {
  on(event: 'open' | 'close', listener: () => void): void;
  on(event: 'message', listener: (data: Buffer) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  send(text: string): void;
  close(): void;
  terminate(): void;
}

/** The WebSocket of Playwright itself: Node 20 has none of its own. */
export const webSocket = (): (new (
  url: string,
  protocols: string[],
  options: { perMessageDeflate: false; maxPayload: number; headers: Record<string, string> },
) => WebSocketLike) => load('playwright-core/lib/utilsBundle').ws;
