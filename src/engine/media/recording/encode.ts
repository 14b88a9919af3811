// Turns the frames of a recording into a GIF or a WebM file. Goes on when the call that asked for it ends.
import type { Browser, CDPSession } from 'playwright-core';
import { Failure } from '../../../errors.ts';
import { type Encoded, type FrameContent, FrameRenderer } from './frame-renderer.ts';
import type { RecordedFrame, TabRecording } from './tab-recording.ts';

/** A frame that needs none before it, this often. */
const KEY_EVERY = 50;

export class Encoding {
  done = 0;
  readonly bytes: Promise<Uint8Array>;

  constructor(
    readonly recording: TabRecording,
    browser: Browser,
  ) {
    this.bytes = this.#run(browser);
    this.bytes.catch(() => undefined); // whoever waits is told
  }

  async #run(browser: Browser): Promise<Uint8Array> {
    const page = await EncoderPage.open(browser);
    try {
      const { format, width, height } = this.recording.plan;
      await page.call('open', { width, height });
      return await (format === 'gif' ? this.#gif(page) : this.#webm(page));
    } finally {
      await page.close();
    }
  }

  async #gif(page: EncoderPage): Promise<Uint8Array> {
    const { Gif } = await import('./gif.ts');
    const { frames, frameMs, plan } = this.recording;
    const gif = new Gif(plan.width, plan.height);
    for (const [at, content] of contents(frames)) {
      const patch = await page.call('patch', content);
      const rgba = patch && new Uint8Array(Buffer.from(patch.rgba, 'base64'));
      // Hundredths of a second: rounded so that the sum stays right.
      const delay = (Math.round(((at + 1) * frameMs) / 10) - Math.round((at * frameMs) / 10)) * 10;
      gif.add(patch && rgba && { ...patch, rgba }, delay);
      this.done = at + 1;
    }
    return gif.end();
  }

  async #webm(page: EncoderPage): Promise<Uint8Array> {
    const { webm } = await import('./webm.ts');
    const { frames, frameMs, plan } = this.recording;
    const codec = await page.call('openVideo', { each: frameMs });
    if (!codec) throw new Failure('refused', 'This browser has no encoder for WebM.', 'Record with format gif.');
    const list: Encoded[] = [];
    for (const [at, content] of contents(frames)) {
      list.push(...(await page.call('film', { content, ms: at * frameMs, key: at % KEY_EVERY === 0 })));
      this.done = at + 1;
    }
    list.push(...(await page.call('finish')));
    const chunks = list.map(({ key, ms, bytes }) => ({ key, ms, bytes: Buffer.from(bytes, 'base64') }));
    return webm({ codec, width: plan.width, height: plan.height, each: frameMs, chunks });
  }
}

/** The content to draw for each frame; an unchanged picture is not sent again. */
function* contents(frames: readonly RecordedFrame[]): Generator<[number, FrameContent]> {
  for (const [at, { shot, marks }] of frames.entries()) {
    const isNew = shot !== frames[at - 1]?.shot;
    yield [at, { ...(isNew ? { picture: shot.jpeg.toString('base64') } : {}), view: shot.view, marks }];
  }
}

/** Never asked for on the net: we answer ourselves. Video encoders work in secure pages only, hence https. */
const ADDRESS = 'https://studio.invalid/';

/** Some compilers wrap names in __name(…): give them one that does nothing. */
const SOURCE = `(() => { const __name = f => f; return new (${FrameRenderer})(); })()`;

type Methods = {
  [K in keyof FrameRenderer as FrameRenderer[K] extends (...args: never[]) => unknown ? K : never]: FrameRenderer[K];
};
type Answer<K extends keyof Methods> = Awaited<ReturnType<Methods[K]>>;

interface Message {
  id?: number;
  method?: string;
  params?: { requestId: string };
  result?: unknown;
  error?: { message: string };
}

class EncoderPage {
  readonly #session: CDPSession;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #page = '';
  #renderer = '';
  #last = 0;

  static async open(browser: Browser): Promise<EncoderPage> {
    const page = new EncoderPage(await browser.newBrowserCDPSession());
    try {
      await page.#enter();
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  private constructor(session: CDPSession) {
    this.#session = session;
    session.on('Target.receivedMessageFromTarget', ({ message }) => this.#hear(JSON.parse(message) as Message));
    session.on('close', () => this.#lose('the browser has ended'));
  }

  async #enter(): Promise<void> {
    const { targetId } = await this.#session.send('Target.createTarget', { url: 'about:blank', hidden: true });
    const { targetInfo } = await this.#session.send('Target.getTargetInfo', { targetId });
    if (targetInfo.type === 'page') {
      await this.#session.send('Target.closeTarget', { targetId });
      throw new Failure('refused', 'This browser is too old to make recordings: it has no hidden pages.', 'Update it.');
    }
    // Playwright's sessions cannot speak to such a page directly: messages go through the browser's.
    this.#page = (await this.#session.send('Target.attachToTarget', { targetId, flatten: false })).sessionId;
    await this.#ask('Fetch.enable');
    await this.#ask('Page.navigate', { url: ADDRESS });
    const { result } = await this.#ask('Runtime.evaluate', { expression: SOURCE });
    this.#renderer = result?.objectId ?? '';
  }

  /** Calls a method of the page's FrameRenderer. */
  async call<K extends keyof Methods>(name: K, ...args: Parameters<Methods[K]>): Promise<Answer<K>> {
    const { result, exceptionDetails } = await this.#ask('Runtime.callFunctionOn', {
      objectId: this.#renderer,
      functionDeclaration: `function (...args) { return this.${name}(...args); }`,
      arguments: args.map(value => ({ value })),
      awaitPromise: true,
      returnByValue: true,
    });
    if (!exceptionDetails) return result?.value as Answer<K>;
    throw new Failure('internal', `The studio could not ${name}: ${exceptionDetails.exception?.description}`);
  }

  /** The hidden page ends with the session. */
  async close(): Promise<void> {
    await this.#session.detach().catch(() => undefined); // the browser may have ended, and the page with it
  }

  #ask(method: string, params: object = {}): Promise<Answered> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: result => resolve(result as Answered), reject });
      const message = JSON.stringify({ id, method, params });
      this.#session.send('Target.sendMessageToTarget', { sessionId: this.#page, message }).catch(reject);
    });
  }

  #hear({ id, method, params, result, error }: Message): void {
    if (method === 'Inspector.targetCrashed') this.#lose('its page crashed');
    if (method === 'Fetch.requestPaused' && params) this.#serve(params.requestId);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }

  #serve(requestId: string): void {
    const responseHeaders = [{ name: 'content-type', value: 'text/html' }];
    this.#ask('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders }).catch(error =>
      this.#lose(String(error)),
    );
  }

  #lose(why: string): void {
    const failure = new Failure('browser_gone', `The frames could not be encoded: ${why}.`, 'Call again.');
    for (const { reject } of this.#waiting.values()) reject(failure);
    this.#waiting.clear();
  }
}

/** What Runtime methods answer, as far as it is used. */
interface Answered {
  result?: { value?: unknown; objectId?: string };
  exceptionDetails?: { exception?: { description?: string } };
}
