// Receipts: what an action has changed on the page, besides navigations and the like. Looks at once, and waits only for what the action has started.

import { CdpError } from '../../cdp/errors.ts';
import type { Options } from '../../config/options.ts';
import { Failure } from '../../errors.ts';
import type { ElementLocation } from '../elements/element.ts';
import { type Limits, remaining, tryFor } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import type { Found } from './collect-changes.ts';
import { type Change, tellChanges } from './tell-changes.ts';
import { consoleLines, requestLines } from './tell-events.ts';
import type { Seen } from './watch-page.ts';

/** How many lines each kind may have. */
const MOST_LINES: Record<Options['receipt'], number> = { none: 0, short: 15, full: 60 };
/** How long it may take to learn what the elements are called, in ms. */
const TELL_MS = 1_000;

interface WatchedFrame {
  cdp: CdpSession;
  frame: string;
}

export class Receipt {
  readonly #frames: WatchedFrame[];
  readonly #requests: string[] = [];
  readonly #mark: ReturnType<Tab['console']['latest']>;
  readonly #unsubscribe: () => void;
  readonly #armed: Promise<unknown>;
  #changed: WatchedFrame[] = [];
  #isElsewhere = false;

  /** Undefined when the caller wants none. */
  static begin(tab: Tab, limits: Limits, at?: ElementLocation): Receipt | undefined {
    return (limits.receipt ?? 'none') === 'none' || tab.dialog || tab.pending
      ? undefined
      : new Receipt(tab, limits, at);
  }

  private constructor(
    readonly tab: Tab,
    readonly limits: Limits,
    readonly at: ElementLocation | undefined,
  ) {
    this.#frames = [{ cdp: tab.main, frame: tab.main.root }];
    if (at && at.frame !== tab.main.root) this.#frames.push(at);
    this.#mark = tab.console.latest();
    const sent = (id: string) => void this.#requests.push(id);
    const left = () => {
      this.#isElsewhere = true;
    };
    tab.events.on('request', sent);
    tab.events.on('committed', left);
    this.#unsubscribe = () => {
      tab.events.off('request', sent);
      tab.events.off('committed', left);
    };
    this.#armed = Promise.all(this.#frames.map(frame => this.#ask(frame, 'armWatch')));
    this.#armed.catch(() => undefined); // the action meets the same, and tells it
  }

  /** Settles when the page is watched. */
  async armed(): Promise<void> {
    await this.#armed;
  }

  /** The action is on an element of a frame, so that two documents are watched. */
  get isOfFrames(): boolean {
    return this.#frames.length > 1;
  }

  /** The page has said that nothing has changed; false when there is more to look at. */
  endQuietly(): boolean {
    if (this.isOfFrames || this.#requests.length > 0) return false;
    const { main } = this.tab;
    void main
      .own(main.root)
      .then(contextId =>
        main.send('Runtime.evaluate', { expression: 'tabwright.endWatch()', contextId, returnByValue: true }),
      )
      .catch(() => undefined); // the document has gone, and its watch with it
    return true;
  }

  /** Waits until the page is still; whether it had to. */
  async settle(): Promise<boolean> {
    const seen = await Promise.all(
      this.#frames.map(frame => this.#ask<Seen>(frame, 'settleWatch', this.#requests.length > 0)),
    );
    this.#changed = this.#frames.filter((_, at) => seen[at]?.changed);
    return seen.some(one => one?.waited);
  }

  async lines({ ofForm = false } = {}): Promise<string[]> {
    const { tab, limits } = this;
    const most = MOST_LINES[limits.receipt ?? 'none'];
    const ms = Math.min(TELL_MS, remaining(limits) / 2);
    const isThere = !this.#isElsewhere && !tab.dialog && !tab.pending;
    const changes =
      isThere && this.#changed.length > 0 ? await tryFor(limits, ms, () => this.#changes(ofForm)) : undefined;
    const events = [...requestLines(tab, this.#requests), ...consoleLines(tab, this.#mark)].slice(0, most);
    return [...cut(changes ?? [], Math.max(1, most - events.length)), ...events].slice(0, most);
  }

  end(): void {
    this.#unsubscribe();
  }

  async #changes(ofForm: boolean): Promise<string[]> {
    const all: Change[] = [];
    let more = 0;
    for (const frame of this.#changed) {
      const found = await this.#ask<Found>(frame, 'collectWatch');
      if (!found) continue;
      const { cdp } = frame;
      const ids = (await cdp.nodes('tabwright.foundNodes()', await cdp.own(frame.frame))) ?? [];
      const kinds = [
        ...Array.from({ length: found.focus }, () => 'focus' as const),
        ...Array.from({ length: found.added }, () => 'new' as const),
        ...Array.from({ length: found.changed }, () => 'changed' as const),
        ...found.gone.map(() => 'gone' as const),
      ];
      const firstGone = kinds.length - found.gone.length;
      all.push(
        ...ids.map((id, at) => ({ cdp, frame: frame.frame, id, kind: kinds[at]!, was: found.gone[at - firstGone] })),
      );
      more += found.more;
    }
    const lines = await tellChanges(this.tab, this.limits, all, ofForm ? 'form' : this.at);
    return more > 0 ? [...lines, `… ${more} more changes`] : lines;
  }

  /** Undefined when the document has gone. */
  async #ask<T>(
    { cdp, frame }: WatchedFrame,
    name: 'armWatch' | 'settleWatch' | 'collectWatch',
    arg?: boolean,
  ): Promise<T | undefined> {
    const { tab, limits } = this;
    try {
      const contextId = await cdp.own(frame);
      const expression = `tabwright.${name}(${arg ?? ''})`;
      const { result } = await tab.race(
        limits,
        cdp.send('Runtime.evaluate', { expression, contextId, returnByValue: true, awaitPromise: true }),
      );
      return result.value as T;
    } catch (error) {
      if (error instanceof CdpError || (error instanceof Failure && error.code === 'dialog_open')) return undefined;
      throw error;
    }
  }
}

const cut = (lines: string[], most: number): string[] =>
  lines.length <= most ? lines : [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more changes`];
