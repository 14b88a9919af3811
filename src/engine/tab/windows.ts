// Windows: those of one session, from when they are opened until they are closed, lost or let go.
import type { BrowserContext } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { onEnd, release, type TabWindow } from './window.ts';

type Off = () => void;

export class Windows {
  #list: TabWindow[] = [];
  /** What is heard of each: how to hear it no more. */
  readonly #ears = new Map<TabWindow, Off[]>();
  readonly #lost: (window: TabWindow) => void;

  /** Told of a window that was closed or went with its browser. */
  constructor(lost: (window: TabWindow) => void) {
    this.#lost = lost;
  }

  /** The one that was opened first. */
  get first(): TabWindow | undefined {
    return this.#list[0];
  }

  /** Where new tabs are opened. */
  get context(): BrowserContext {
    if (!this.first) throw new Failure('browser_gone', 'The browser has just ended.', 'Call again.');
    return this.first.context;
  }

  has(context: BrowserContext): boolean {
    return this.#list.some(window => window.context === context);
  }

  /** Takes it up; `listen` makes more be heard of it. */
  async add(window: TabWindow, listen: (window: TabWindow) => Promise<Off[]>): Promise<void> {
    this.#list.push(window);
    const ears = [onEnd(window, () => this.lose(window))];
    this.#ears.set(window, ears);
    ears.push(...(await listen(window)));
  }

  lose(window: TabWindow): void {
    if (!this.#list.includes(window)) return;
    this.#list = this.#list.filter(other => other !== window);
    this.#deafen(window);
    this.#lost(window);
  }

  /** Those whose browser has ended, before anybody has said so. */
  check(): void {
    for (const window of this.#list) if (window.context.browser()?.isConnected() === false) this.lose(window);
  }

  /** Hears no more of any; gives how to close those that are the session's own. */
  end(): () => Promise<unknown> {
    const windows = this.#list;
    this.#list = [];
    for (const window of windows) this.#deafen(window);
    return () => release(windows);
  }

  #deafen(window: TabWindow): void {
    for (const off of this.#ears.get(window) ?? []) off();
    this.#ears.delete(window);
  }
}
