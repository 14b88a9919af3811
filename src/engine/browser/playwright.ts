// Loads playwright-core when a browser is first needed, and reaches the parts of it that it does not offer.
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { type CdpMessage, MessageReader, readZeroTerminated } from './message-reader.ts';

/** By require: an import would first search seven megabytes of CommonJS for the names of its exports. */
const load = createRequire(import.meta.url);

export const playwright = (): typeof import('playwright-core') =>
  load('playwright-core') as typeof import('playwright-core');

/** As far as we use it: the pipe to a browser that Playwright itself has started. */
interface PipeTransport {
  onmessage?(message: CdpMessage): void;
  /** The beginning of a message whose rest has not come yet. */
  _pendingBuffers: Buffer[];
  _dispatch(chunk: Buffer): void;
}

interface InProcess<Public, Inner> {
  _connection: { toImpl(object: Public): Inner };
}

/** From now on the messages of that browser are read within our bounds. */
export function boundMessages(browser: Browser): void {
  const { _transport: transport } = (
    browser as Browser & InProcess<Browser, { _connection: { _transport: PipeTransport } }>
  )._connection.toImpl(browser)._connection;
  const reader = new MessageReader(message => transport.onmessage?.(message));
  for (const bytes of transport._pendingBuffers) reader.add(bytes);
  transport._dispatch = chunk => readZeroTerminated(reader, chunk);
}
