// Turns the frames of a recording into a GIF or a WebM file. Goes on when the call that asked for it ends.
import { Failure } from '../../../errors.ts';
import { unlimited } from '../../limits.ts';
import type { ConnectedBrowser } from '../../page/connected-browser.ts';
import { type HiddenPage, withHiddenPage } from '../../storage/hidden-page.ts';
import { type EncodedChunk, type FrameContent, FrameRenderer } from './frame-renderer.ts';
import type { RecordedFrame, TabRecording } from './tab-recording.ts';

/** Every so many frames one is a key frame, which needs no frame before it. */
const KEY_EVERY = 50;

/** Never asked for on the network: the hidden page answers its own requests. Only secure pages have video encoders, hence https. */
const ORIGIN = 'https://encoder.invalid';

/** Some compilers wrap names in __name(…): give them one that does nothing. */
const SOURCE = `const __name = f => f; globalThis.renderer = new (${FrameRenderer})(); undefined`;

type Methods = {
  [K in keyof FrameRenderer as FrameRenderer[K] extends (...args: never[]) => unknown ? K : never]: FrameRenderer[K];
};

export class Encoding {
  /** Frames that are encoded. */
  done = 0;
  readonly bytes: Promise<Uint8Array>;
  readonly #stop = new AbortController();

  constructor(
    readonly recording: TabRecording,
    browser: ConnectedBrowser,
  ) {
    this.bytes = withHiddenPage(browser.ownContext, unlimited(this.#stop.signal), page => this.#run(page));
    this.bytes.catch(() => undefined); // callers that await it get the error
  }

  async #run(page: HiddenPage): Promise<Uint8Array> {
    this.#watch(page);
    const { targetInfo } = await page.send('Target.getTargetInfo');
    if (targetInfo.type === 'page')
      throw new Failure('refused', 'This browser is too old to make recordings: it has no hidden pages.', 'Update it.');
    await page.visit(ORIGIN);
    await page.evaluate(SOURCE);
    const { format, width, height } = this.recording.plan;
    await call(page, 'open', { width, height });
    return format === 'gif' ? this.#gif(page) : this.#webm(page);
  }

  /** A page or browser that ends does not answer any more: then nothing waits for it. */
  #watch({ session }: HiddenPage): void {
    const abort = (reason: string) =>
      this.#stop.abort(new Failure('browser_gone', `The frames could not be encoded: ${reason}.`, 'Call again.'));
    session.on('close', () => abort('the browser has ended'));
    session.on('Inspector.targetCrashed', () => abort('its page crashed'));
  }

  async #gif(page: HiddenPage): Promise<Uint8Array> {
    const { Gif } = await import('./gif.ts');
    const { frames, frameMs, plan } = this.recording;
    const gif = new Gif(plan.width, plan.height);
    for (const [index, content] of contents(frames)) {
      const patch = await call(page, 'patch', content);
      const rgba = patch && new Uint8Array(Buffer.from(patch.rgba, 'base64'));
      // Hundredths of a second: rounded so that the sum stays right.
      const delay = (Math.round(((index + 1) * frameMs) / 10) - Math.round((index * frameMs) / 10)) * 10;
      gif.add(patch && rgba && { ...patch, rgba }, delay);
      this.done = index + 1;
    }
    return gif.end();
  }

  async #webm(page: HiddenPage): Promise<Uint8Array> {
    const { webm } = await import('./webm.ts');
    const { frames, frameMs, plan } = this.recording;
    const codec = await call(page, 'openVideo', { frameMs });
    if (!codec) throw new Failure('refused', 'This browser has no encoder for WebM.', 'Record with format gif.');
    const encoded: EncodedChunk[] = [];
    for (const [index, content] of contents(frames)) {
      encoded.push(...(await call(page, 'encode', { content, ms: index * frameMs, key: index % KEY_EVERY === 0 })));
      this.done = index + 1;
    }
    encoded.push(...(await call(page, 'finish')));
    const chunks = encoded.map(({ bytes, ...chunk }) => ({ ...chunk, bytes: Buffer.from(bytes, 'base64') }));
    return webm({ codec, width: plan.width, height: plan.height, frameMs, chunks });
  }
}

/** The content to draw for each frame; an unchanged picture is not sent again. */
function* contents(frames: readonly RecordedFrame[]): Generator<[number, FrameContent]> {
  for (const [index, { shot, marks }] of frames.entries()) {
    const isNew = shot !== frames[index - 1]?.shot;
    yield [index, { ...(isNew ? { picture: shot.jpeg.toString('base64') } : {}), view: shot.view, marks }];
  }
}

/** Calls a method of the page's FrameRenderer. */
async function call<K extends keyof Methods>(
  page: HiddenPage,
  name: K,
  ...args: Parameters<Methods[K]>
): Promise<Awaited<ReturnType<Methods[K]>>> {
  try {
    return await page.evaluate<Awaited<ReturnType<Methods[K]>>>(`renderer.${name}(...${JSON.stringify(args)})`);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('internal', `The encoder page could not ${name}: ${(cause as Error).message}`, undefined, {
      cause,
    });
  }
}
