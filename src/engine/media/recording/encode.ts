// Turns the frames of a recording into a GIF or a WebM file. Goes on when the call that asked for it ends.
import type { Browser } from 'playwright-core';
import { Failure } from '../../../errors.ts';
import type { Encoded, Scene } from './draw-frames.ts';
import { Studio } from './encoder-page.ts';
import type { Recording, Still } from './recording.ts';

/** A frame that needs none before it, this often. */
const KEY_EVERY = 50;

export class Encoding {
  done = 0;
  readonly bytes: Promise<Uint8Array>;

  constructor(
    readonly recording: Recording,
    browser: Browser,
  ) {
    this.bytes = this.#run(browser);
    this.bytes.catch(() => undefined); // whoever waits is told
  }

  async #run(browser: Browser): Promise<Uint8Array> {
    const studio = await Studio.open(browser);
    try {
      const { format, width, height } = this.recording.plan;
      await studio.call('open', { width, height });
      return await (format === 'gif' ? this.#gif(studio) : this.#webm(studio));
    } finally {
      await studio.close();
    }
  }

  async #gif(studio: Studio): Promise<Uint8Array> {
    const { Gif } = await import('./gif.ts');
    const { stills, each, plan } = this.recording;
    const gif = new Gif(plan.width, plan.height);
    for (const [at, scene] of scenes(stills)) {
      const patch = await studio.call('patch', scene);
      const rgba = patch && new Uint8Array(Buffer.from(patch.rgba, 'base64'));
      // Hundredths of a second: rounded so that the sum stays right.
      const delay = (Math.round(((at + 1) * each) / 10) - Math.round((at * each) / 10)) * 10;
      gif.add(patch && rgba && { ...patch, rgba }, delay);
      this.done = at + 1;
    }
    return gif.end();
  }

  async #webm(studio: Studio): Promise<Uint8Array> {
    const { webm } = await import('./webm.ts');
    const { stills, each, plan } = this.recording;
    const codec = await studio.call('openVideo', { each });
    if (!codec) throw new Failure('refused', 'This browser has no encoder for WebM.', 'Record with format gif.');
    const list: Encoded[] = [];
    for (const [at, scene] of scenes(stills)) {
      list.push(...(await studio.call('film', { scene, ms: at * each, key: at % KEY_EVERY === 0 })));
      this.done = at + 1;
    }
    list.push(...(await studio.call('finish')));
    const chunks = list.map(({ key, ms, bytes }) => ({ key, ms, bytes: Buffer.from(bytes, 'base64') }));
    return webm({ codec, width: plan.width, height: plan.height, each, chunks });
  }
}

/** What the stage is given for each frame; a picture that is the same as before is not sent again. */
function* scenes(stills: readonly Still[]): Generator<[number, Scene]> {
  for (const [at, { shot, marks }] of stills.entries()) {
    const isNew = shot !== stills[at - 1]?.shot;
    yield [at, { ...(isNew ? { picture: shot.jpeg.toString('base64') } : {}), view: shot.view, marks }];
  }
}
