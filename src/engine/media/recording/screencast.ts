// Cast: the latest look of a tab's page, as Chrome sends it whenever the page is drawn anew.
import type { CDPSession, Page } from 'playwright-core';
import type { Tab } from '../../tab/tab.ts';

/** A picture of the viewport, and the size of the viewport in CSS pixels. */
export interface Shot {
  jpeg: Buffer;
  view: { width: number; height: number };
}

export const QUALITY = 85;

export class Screencast {
  latest: Shot | undefined;
  #page: Page | undefined;
  #session: CDPSession | undefined;
  #closed = false;

  constructor(
    readonly tab: Tab,
    /** In pixels; Chrome makes the pictures fit. */
    readonly size: { width: number; height: number },
  ) {}

  /** A tab may get another page, after a crash: then that one is shown. */
  async follow(): Promise<void> {
    const { page, gone } = this.tab;
    if (this.#closed || gone || page === this.#page) return;
    this.#page = page;
    try {
      this.#session = await this.#begin(page);
    } catch (error) {
      this.#page = undefined;
      throw error;
    }
    if (this.#closed) await this.close();
  }

  async #begin(page: Page): Promise<CDPSession> {
    const session = await page.context().newCDPSession(page);
    session.on('Page.screencastFrame', ({ data, metadata: { deviceWidth, deviceHeight }, sessionId }) => {
      this.latest = { jpeg: Buffer.from(data, 'base64'), view: { width: deviceWidth, height: deviceHeight } };
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined); // the page has just gone
    });
    const { width, height } = this.size;
    await session.send('Page.startScreencast', {
      format: 'jpeg',
      quality: QUALITY,
      maxWidth: width,
      maxHeight: height,
    });
    return session;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#session?.detach().catch(() => undefined); // the page may have gone
  }
}
