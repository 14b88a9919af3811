// The live pictures that people watch: one cast for each tab and size, from its first watcher to its last, and pictures of calls meanwhile.
import { randomBytes } from 'node:crypto';
import { Cast, type CastSettings, type LivePicture } from '../../../engine/live/cast.ts';
import type { Tab } from '../../../engine/tab/tab.ts';
import type { PictureSize } from '../protocol.ts';

const SETTINGS: Readonly<Record<PictureSize, CastSettings>> = {
  full: { quality: 60, maxWidth: 1_280, maxHeight: 1_280, maxFramesInFlight: 2, pauseMs: 0 },
  thumb: { quality: 20, maxWidth: 640, maxHeight: 360, maxFramesInFlight: 1, pauseMs: 600 },
};

/** Of pictures of calls. */
const MOST_PICTURES = 300;
const MOST_BYTES = 24 * 1024 * 1024;
/** How long after a call its effect may take to be drawn, in ms. */
const DRAWN_MS = 400;

interface Kept {
  session: string;
  jpeg: Buffer;
}

export class Casts {
  readonly #casts = new Map<Tab, Map<PictureSize, { cast: Cast; watchers: number }>>();
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** The cast of that tab; `leave` must be called once. */
  watch(tab: Tab, size: PictureSize): { cast: Cast; leave(): void } {
    const ofTab = this.#casts.get(tab) ?? new Map();
    this.#casts.set(tab, ofTab);
    const shared = ofTab.get(size) ?? { cast: new Cast(tab, SETTINGS[size]), watchers: 0 };
    ofTab.set(size, shared);
    shared.watchers++;
    let hasLeft = false;
    return {
      cast: shared.cast,
      leave: () => {
        if (hasLeft) return;
        hasLeft = true;
        if (--shared.watchers > 0) return;
        shared.cast.end();
        ofTab.delete(size);
        if (ofTab.size === 0) this.#casts.delete(tab);
      },
    };
  }

  /** The latest picture of a tab that somebody watches, the larger one before the small; kept under the id that is returned. */
  keep(tab: Tab, session: string): string | undefined {
    const latest = this.#castOf(tab)?.latest;
    return latest && this.#keep(latest, session);
  }

  /** The same, when what has just been done is drawn. */
  async keepNext(tab: Tab, session: string): Promise<string | undefined> {
    const cast = this.#castOf(tab);
    if (!cast) return undefined;
    await new Promise<void>(resolve => {
      const done = () => {
        clearTimeout(timer);
        cast.off('picture', done);
        resolve();
      };
      const timer = setTimeout(done, DRAWN_MS);
      cast.on('picture', done);
    });
    return this.keep(tab, session);
  }

  /** How far the page of the tab begins below the top of its pictures. */
  offsetTop(tab: Tab): number {
    return this.#castOf(tab)?.latest?.offsetTop ?? 0;
  }

  picture(id: string): Kept | undefined {
    return this.#kept.get(id);
  }

  #castOf(tab: Tab): Cast | undefined {
    const ofTab = this.#casts.get(tab);
    return (ofTab?.get('full') ?? ofTab?.get('thumb'))?.cast;
  }

  #keep({ jpeg }: LivePicture, session: string): string {
    const id = randomBytes(12).toString('base64url');
    this.#kept.set(id, { session, jpeg });
    this.#bytes += jpeg.length;
    for (const [oldest, { jpeg: bytes }] of this.#kept) {
      if (this.#kept.size <= MOST_PICTURES && this.#bytes <= MOST_BYTES) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes.length;
    }
    return id;
  }
}
