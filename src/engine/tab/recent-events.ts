// News: what has come about since the last action began, so that a wait that is sent after the action misses nothing.
import type { EventEmitter } from 'node:events';
import type { TabEvents } from './page-events.ts';

interface Followed {
  readonly id: number;
  readonly events: EventEmitter<TabEvents>;
}

export class RecentEvents {
  /** Tabs that pages opened, and that no wait has been told of. */
  #opened: number[] = [];
  /** Tabs that went to another page or address. */
  readonly #moved = new Set<number>();
  #waiting: ((tabId: number) => void)[] = [];
  /** Numbers of tabs only grow. */
  #latest = 0;

  follow({ id, events }: Followed): void {
    events.on('committed', () => this.#moved.add(id));
    events.on('within', () => this.#moved.add(id));
  }

  /** An action begins: what came before it is no news any more. */
  begin(): void {
    this.#opened = [];
    this.#moved.clear();
  }

  /** Heard in more than one way, a tab counts once. */
  opened(tabId: number): void {
    if (tabId <= this.#latest) return;
    this.#latest = tabId;
    const first = this.#waiting.shift();
    if (first) first(tabId);
    else this.#opened.push(tabId);
  }

  /** Somebody knows of the tab, or it is closed. */
  told(tabId: number): void {
    this.#opened = this.#opened.filter(id => id !== tabId);
  }

  /** The tab that the last action opened, or the next that comes. Each is told to one wait only. */
  nextTab(signal: AbortSignal): Promise<number> {
    const known = this.#opened.shift();
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const give = (tabId: number) => {
        signal.removeEventListener('abort', leave);
        resolve(tabId);
      };
      const leave = () => {
        this.#waiting = this.#waiting.filter(other => other !== give);
        reject(signal.reason);
      };
      this.#waiting.push(give);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Settles when the tab went elsewhere: by the last action, or from now on. */
  async nextPage({ id, events }: Followed): Promise<void> {
    if (!this.#moved.has(id))
      await new Promise<void>(resolve => {
        const moved = () => {
          events.off('committed', moved).off('within', moved);
          resolve();
        };
        events.on('committed', moved).on('within', moved);
      });
    this.#moved.delete(id);
  }
}
