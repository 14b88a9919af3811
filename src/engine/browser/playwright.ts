// Loads playwright-core when a browser is first needed, and reaches the parts of it that it does not offer.
import { createRequire } from 'node:module';
import type { Browser, Locator } from 'playwright-core';
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

/** As far as we use it: a frame of Playwright's own side. */
interface InnerFrame {
  _page: { guid: string };
  selectors: {
    /** Null when nothing matches. The function runs in Playwright's own script world, which the page cannot reach. */
    callOnSelector<A, R>(
      target: { selector: string; strict: boolean },
      run: (found: { elements: globalThis.Element[] }, arg: A) => R,
      arg: A,
    ): Promise<{ result: R } | null>;
  };
}

interface InnerLocator {
  _selector: string;
  _frame: InProcess<unknown, InnerFrame>;
}

/** Calls a function in the page with all that the locator matches; undefined when nothing does. Tells also the name of its script world. */
export async function callWithMatches<A, R>(
  locator: Locator,
  run: (found: { elements: globalThis.Element[] }, arg: A) => R,
  arg: A,
): Promise<{ result: R | undefined; world: string }> {
  const { _selector: selector, _frame: frame } = locator as unknown as InnerLocator;
  const { selectors, _page: page } = frame._connection.toImpl(frame);
  const found = await selectors.callOnSelector({ selector, strict: false }, run, arg);
  return { result: found?.result, world: `__playwright_utility_world_${page.guid}` };
}

/** A script of Playwright's threw in the page. */
export const isPageError = (error: unknown): error is Error =>
  error instanceof Error && error.constructor.name === 'JavaScriptErrorInEvaluate';

/** From now on the messages of that browser are read within our bounds. */
export function boundMessages(browser: Browser): void {
  const { _transport: transport } = (
    browser as Browser & InProcess<Browser, { _connection: { _transport: PipeTransport } }>
  )._connection.toImpl(browser)._connection;
  const reader = new MessageReader(message => transport.onmessage?.(message));
  for (const bytes of transport._pendingBuffers) reader.add(bytes);
  transport._dispatch = chunk => readZeroTerminated(reader, chunk);
}
