// Live pictures of a tab for people who watch it: over a CDP session of its own, which changes neither size nor focus nor front tab.
import { EventEmitter } from 'node:events';
import type { TargetSession } from '../../cdp/session.ts';
import type { Size } from '../geometry.ts';
import type { Page } from '../page/page.ts';
import type { Tab } from '../tab/tab.ts';

export interface LivePicture extends Size {
  jpeg: Buffer;
  /** When the page was drawn, in ms since 1970. */
  time: number;
  /** How far the top of the picture is above the page, in CSS pixels. */
  offsetTop: number;
}

export interface CastSettings {
  quality: number;
  maxWidth: number;
  maxHeight: number;
  /** Frames that Chrome may send before the first of them is acknowledged. */
  maxFramesInFlight: number;
  /** The least time between two pictures, in ms. */
  pauseMs: number;
}

export class Cast extends EventEmitter<{ picture: [picture: LivePicture]; lost: [] }> {
  latest: LivePicture | undefined;
  readonly #settings: CastSettings;
  #page: Page | undefined;
  #session: TargetSession | undefined;
  #isOver = false;
  readonly #connected = () => void this.#follow();

  constructor(
    readonly tab: Tab,
    settings: CastSettings,
  ) {
    super();
    this.setMaxListeners(0);
    this.#settings = settings;
    // After a crash the tab gets another page.
    tab.events.on('connected', this.#connected);
    void this.#follow();
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.tab.events.off('connected', this.#connected);
    this.#session?.detach().catch(() => undefined); // the page may have gone
  }

  async #follow(): Promise<void> {
    const { page, gone, isUnattached } = this.tab;
    if (this.#isOver || gone || isUnattached || page === this.#page) return;
    this.#page = page;
    try {
      const session = await page.openSession();
      this.#session = session;
      if (this.#isOver) return await session.detach();
      session.on('close', () => this.#lose(page));
      session.on('Page.screencastFrame', event => this.#take(session, event));
      const { pauseMs: _, ...settings } = this.#settings;
      // What is drawn while Chrome waits for an acknowledgement is sent after it: the last picture is always that of the page.
      await session.send('Page.startScreencast', { format: 'jpeg', sendLastFrame: true, ...settings });
    } catch {
      this.#lose(page); // it has just gone
    }
  }

  #take(session: TargetSession, { data, metadata, sessionId }: Frame): void {
    const { deviceWidth, deviceHeight, offsetTop, timestamp = 0 } = metadata;
    const acknowledge = () => session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined); // the page has just gone
    if (this.#settings.pauseMs > 0) setTimeout(acknowledge, this.#settings.pauseMs).unref();
    else void acknowledge();
    const time = timestamp * 1_000;
    // Chrome encodes several at once, and a later one may be done first.
    if (this.latest && time < this.latest.time) return;
    this.latest = { jpeg: Buffer.from(data, 'base64'), time, width: deviceWidth, height: deviceHeight, offsetTop };
    this.emit('picture', this.latest);
  }

  #lose(page: Page): void {
    if (this.#isOver || this.#page !== page) return;
    this.#page = undefined;
    this.emit('lost');
  }
}

interface Frame {
  data: string;
  sessionId: number;
  metadata: { deviceWidth: number; deviceHeight: number; offsetTop: number; timestamp?: number };
}
