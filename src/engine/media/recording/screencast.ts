// The latest screenshot of a tab's page, which Chrome sends whenever the page is drawn.

import type { CDPSession, Page } from 'playwright-core';
import type { Size } from '../../geometry.ts';
import type { Tab } from '../../tab/tab.ts';

/** A screenshot of the viewport, and the size of the viewport in CSS pixels. */
export interface Shot {
  jpeg: Buffer;
  view: Size;
}

export const JPEG_QUALITY = 85;

export class Screencast {
  latest: Shot | undefined;
  #page: Page | undefined;
  #session: CDPSession | undefined;
  #closed = false;

  constructor(
    readonly tab: Tab,
    /** In pixels; Chrome scales the screenshots to fit. */
    readonly size: Size,
  ) {}

  /** Casts the page that the tab has now: after a crash it gets another one. */
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
    const { width: maxWidth, height: maxHeight } = this.size;
    await session.send('Page.startScreencast', { format: 'jpeg', quality: JPEG_QUALITY, maxWidth, maxHeight });
    return session;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#session?.detach().catch(() => undefined); // the page may have gone
  }
}
