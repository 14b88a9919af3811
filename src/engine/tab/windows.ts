// The windows of one session, each a browser context: opened, watched until they end, and closed with the session.
import { Failure } from '../../errors.ts';
import type { AttachedTabs } from '../browser/attach/attached-tabs.ts';
import { under } from '../limits.ts';
import type { BrowserContext } from '../page/browser-context.ts';

export interface TabWindow {
  context: BrowserContext;
  /** It belongs to the attached browser or to a profile: a session that ends does not close it. */
  borrowed: boolean;
  /** The tabs of the attached browser. */
  attachedTabs?: AttachedTabs;
  /** A note about the window for the caller. */
  note?: string;
}

type Unsubscribe = () => void;

export class Windows {
  readonly #windows = new Map<TabWindow, Unsubscribe[]>();
  readonly #onLost: (window: TabWindow) => void;

  /** @param onLost called for a window that was closed or went with its browser */
  constructor(onLost: (window: TabWindow) => void) {
    this.#onLost = onLost;
  }

  /** The window that was opened first. */
  get first(): TabWindow | undefined {
    return this.#windows.keys().next().value;
  }

  /** Where new tabs are opened. */
  get context(): BrowserContext {
    if (!this.first) throw browserJustEnded();
    return this.first.context;
  }

  has(context: BrowserContext): boolean {
    return [...this.#windows.keys()].some(window => window.context === context);
  }

  /** @param listen adds listeners of the caller's own, which end with the window */
  async add(window: TabWindow, listen: (window: TabWindow) => Promise<Unsubscribe[]>): Promise<void> {
    const listeners = [onEnd(window, () => this.lose(window))];
    this.#windows.set(window, listeners);
    listeners.push(...(await listen(window)));
  }

  lose(window: TabWindow): void {
    if (!this.#windows.has(window)) return;
    this.#remove(window);
    this.#onLost(window);
  }

  /** Drops the windows whose browser has ended, before its event has come. */
  check(): void {
    for (const window of [...this.#windows.keys()]) if (!window.context.browser().isConnected()) this.lose(window);
  }

  /** Forgets all windows. Returns how to close those that are the session's own. */
  end(): () => Promise<unknown> {
    const windows = [...this.#windows.keys()];
    for (const window of windows) this.#remove(window);
    return () => closeOwn(windows);
  }

  #remove(window: TabWindow): void {
    for (const unsubscribe of this.#windows.get(window) ?? []) unsubscribe();
    this.#windows.delete(window);
  }
}

/** The browser outlives its windows, so the listener on it must go with the window. */
function onEnd({ context }: TabWindow, ended: () => void): Unsubscribe {
  const browser = context.browser();
  const closed = () => {
    browser.off('disconnected', ended);
    ended();
  };
  browser.once('disconnected', ended);
  context.once('close', closed);
  return () => {
    browser.off('disconnected', ended);
    context.off('close', closed);
  };
}

/** Closes the windows that are the session's own. */
export const closeOwn = (windows: TabWindow[]) =>
  Promise.allSettled(windows.filter(window => !window.borrowed).map(window => window.context.close()));

/** A browser context that is made too late for its call is closed again. */
export async function openedInTime(signal: AbortSignal, made: Promise<BrowserContext>): Promise<BrowserContext> {
  try {
    return await under(signal, made);
  } catch (error) {
    made.then(context => context.close()).catch(() => undefined); // it was not made at all, or has gone by itself
    throw error;
  }
}

const browserJustEnded = (): Failure => new Failure('browser_gone', 'The browser has just ended.', 'Call again.');
