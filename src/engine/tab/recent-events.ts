// What has happened since the last action began: a wait that is sent after the action misses nothing.
import type { Tab } from './tab.ts';

export class RecentEvents {
  /** Tabs that pages opened, and that no wait has returned. */
  #opened: number[] = [];
  /** Tabs that went to another page or address. */
  readonly #moved = new Set<number>();
  #waiting: ((tabId: number) => void)[] = [];
  /** Numbers of tabs only grow. */
  #latest = 0;

  follow({ id, events }: Tab): void {
    events.on('committed', () => this.#moved.add(id));
    events.on('within', () => this.#moved.add(id));
  }

  /** An action begins: what came before it does not count any more. */
  begin(): void {
    this.#opened = [];
    this.#moved.clear();
  }

  /** More than one event may announce a tab; it counts once. */
  opened(tabId: number): void {
    if (tabId <= this.#latest) return;
    this.#latest = tabId;
    const first = this.#waiting.shift();
    if (first) first(tabId);
    else this.#opened.push(tabId);
  }

  /** The caller knows of the tab, or it is closed. */
  forget(tabId: number): void {
    this.#opened = this.#opened.filter(id => id !== tabId);
  }

  /** The tab that the last action opened, or the next that comes. Each is returned by one wait only. */
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
  async nextPage(tab: Tab): Promise<void> {
    if (!this.#moved.has(tab.id)) await tab.nextOf('committed', 'within');
    this.#moved.delete(tab.id);
  }
}
