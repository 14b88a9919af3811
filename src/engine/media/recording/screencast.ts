// The latest screenshot of a tab's page, which Chrome sends whenever the page is drawn.

import type { TargetSession } from '../../../cdp/session.ts';
import { Failure } from '../../../errors.ts';
import { capital, phrase, tabName } from '../../../text.ts';
import type { Size } from '../../geometry.ts';
import { bounded, type Limits, unlimited } from '../../limits.ts';
import type { Page } from '../../page/page.ts';
import type { CallSecrets } from '../../secrets.ts';
import type { Tab } from '../../tab/tab.ts';
import { capturePicture } from '../capture-picture.ts';
import { Concealment, withoutSecrets } from '../conceal.ts';

/** A screenshot of the viewport, and the size of the viewport in CSS pixels. */
export interface Shot {
  jpeg: Buffer;
  view: Size;
}

const JPEG_QUALITY = 85;
/** How long a screenshot may take; after that the one before is used. */
const SHOT_MS = 5_000;

/** A screenshot without the secrets that the limits know. */
export async function takeShot(tab: Tab, limits: Limits): Promise<Shot> {
  const late = () =>
    new Failure('page_unresponsive', phrase`${capital(tabName(tab.id))} could not be pictured in time.`, 'Try again.');
  const params = { format: 'jpeg', quality: JPEG_QUALITY } as const;
  const [{ cssVisualViewport: view }, data] = await bounded(limits, SHOT_MS, late, bound =>
    withoutSecrets(tab, bound, () =>
      Promise.all([tab.send(bound, tab.main, 'Page.getLayoutMetrics'), capturePicture(tab, bound, params)]),
    ),
  );
  return { jpeg: Buffer.from(data, 'base64'), view: { width: view.clientWidth, height: view.clientHeight } };
}

export class Screencast {
  latest: Shot | undefined;
  #page: Page | undefined;
  #session: TargetSession | undefined;
  #closed = false;
  readonly #concealment: Concealment | undefined;
  readonly #limits = unlimited();
  #looked = Promise.resolve();

  constructor(
    readonly tab: Tab,
    /** In pixels; Chrome scales the screenshots to fit. */
    readonly size: Size,
    secrets: CallSecrets | undefined,
  ) {
    this.#concealment = secrets && new Concealment(tab, secrets);
  }

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

  async #begin(page: Page): Promise<TargetSession> {
    const session = await page.openSession();
    session.on(
      'Page.screencastFrame',
      ({ data, metadata: { deviceWidth: width, deviceHeight: height }, sessionId }) => {
        // One after the other.
        this.#looked = this.#looked.then(async () => {
          this.latest =
            (await this.#clean({ jpeg: Buffer.from(data, 'base64'), view: { width, height } })) ?? this.latest;
          session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined); // the page has just gone
        });
      },
    );
    const { width: maxWidth, height: maxHeight } = this.size;
    await session.send('Page.startScreencast', { format: 'jpeg', quality: JPEG_QUALITY, maxWidth, maxHeight });
    return session;
  }

  /** The picture without secrets. Chrome may have drawn it before what shows one was hidden: then another is taken. */
  async #clean(shot: Shot): Promise<Shot | undefined> {
    const concealment = this.#concealment;
    if (!concealment?.secrets.mask) return shot;
    try {
      await concealment.look(this.#limits);
      if (concealment.isEmpty) return shot;
      const taken = await takeShot(this.tab, this.#limits);
      return (await concealment.look(this.#limits)) === 0 ? taken : undefined;
    } catch {
      return undefined; // the page has just gone, or cannot be looked at
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#concealment?.end(this.#limits).catch(() => undefined); // the page may have gone
    await this.#session?.detach().catch(() => undefined); // the page may have gone
  }
}
