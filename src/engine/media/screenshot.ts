// Screenshots of the viewport, the whole page, an element or a region; small enough for a chat unless they go to a file.

import { join } from 'node:path';
import type { Protocol } from 'devtools-protocol';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import { waitUntilActionable } from '../actions/actionability.ts';
import { toMainFrame } from '../actions/pointer.ts';
import { resolve } from '../elements/resolve.ts';
import { saveFile, writablePath } from '../files.ts';
import type { Point, Rect, Size } from '../geometry.ts';
import { bounded, type Limits, remaining } from '../limits.ts';
import { Picture, type SavedFile } from '../picture.ts';
import type { Tab } from '../tab/tab.ts';
import { type Annotation, annotationOf, drawAnnotation } from './annotate.ts';
import { capturePicture } from './capture-picture.ts';
import { withoutSecrets } from './conceal.ts';
import {
  boundsOf,
  type Compression,
  dimensionsOf,
  type PictureBounds,
  type RequestedBounds,
  scaleWithin,
  smaller,
} from './fit.ts';

export const FORMATS = ['png', 'jpeg', 'webp'] as const;
type Format = (typeof FORMATS)[number];

export interface ScreenshotInput extends RequestedBounds {
  selector?: string | undefined;
  full_page?: boolean;
  format?: Format;
  omit_background?: boolean;
  clip?: Rect | undefined;
  scale?: number;
  annotate?: boolean;
  save_path?: string | undefined;
  /** A picture of at least so many bytes is saved instead of shown. */
  save_above?: number | undefined;
}

export interface Screenshot {
  picture?: Picture;
  file?: SavedFile;
  width: number;
  height: number;
  /** The scale of a picture that was shrunk. */
  scale?: number;
  /** The picture became a JPEG, because it was too large in the format asked for. */
  jpeg?: boolean;
  /** Its quality, when that was lowered to make it small enough. */
  quality?: number;
  /** The refs whose numbers are drawn, a line each, and how many more there are. */
  refs?: string[];
  more?: number;
}

export async function screenshot(
  tab: Tab,
  input: ScreenshotInput,
  roots: readonly string[],
  limits: Limits,
): Promise<Screenshot> {
  check(input);
  const path = input.save_path === undefined ? undefined : await writablePath(input.save_path, roots);
  const frame = await frameOf(tab, input, limits);
  const bounds = boundsOf(input, tab.options);
  const asked = input.scale ?? 1;
  // A file may be of any size, unless the caller names one.
  const isShrunk = path === undefined || input.max_side !== undefined;
  const scale = isShrunk ? scaleWithin(frame.region, asked, frame.ratio, bounds) : asked;
  const bytes = path === undefined || input.max_bytes !== undefined ? bounds.bytes : Number.POSITIVE_INFINITY;
  const shooting = new Shooting(tab, input, { ...frame, scale }, { ...bounds, bytes }, limits);
  const taken = await withoutSecrets(tab, limits, () => shooting.takeWithinBounds());
  const facts = factsOf(taken, input, bounds);
  const isLarge = taken.bytes.length >= (input.save_above ?? Number.POSITIVE_INFINITY);
  const file =
    path ?? (isLarge ? await writablePath(join(roots.at(-1) ?? '', defaultName(taken.format)), roots) : undefined);
  if (file !== undefined) {
    await saveFile(file, taken.bytes);
    return { file: { path: file, bytes: taken.bytes.length }, ...facts };
  }
  return {
    picture: new Picture(`image/${taken.format}`, taken.bytes, taken.width, taken.height),
    ...facts,
    ...(taken.scale < asked ? { scale: Math.max(0.01, Math.round(taken.scale * 100) / 100) } : {}),
  };
}

const defaultName = (format: Format): string => `screenshot-${new Date().toISOString().replaceAll(':', '-')}.${format}`;

const factsOf = ({ width, height, format, quality, notes }: Taken, input: ScreenshotInput, bounds: PictureBounds) =>
  defined({
    width,
    height,
    jpeg: (format === 'jpeg' && input.format !== 'jpeg') || undefined,
    quality: quality < bounds.quality ? quality : undefined,
    refs: notes?.lines,
    more: notes?.more || undefined,
  });

interface Taken extends Size {
  bytes: Buffer;
  format: Format;
  quality: number;
  scale: number;
  notes: Annotation | undefined;
}

/** Takes screenshots of one region until one is within its bounds. */
class Shooting {
  constructor(
    readonly tab: Tab,
    readonly input: ScreenshotInput,
    readonly frame: Frame & { scale: number },
    readonly bounds: PictureBounds,
    readonly limits: Limits,
  ) {}

  /** A PNG that is too large becomes a JPEG, then its quality is lowered, and its sides only at last. */
  async takeWithinBounds(): Promise<Taken> {
    const { region, scale, ratio } = this.frame;
    const longest = Math.max(region.width, region.height) * scale * ratio;
    let format = this.input.format ?? 'png';
    let compression: Compression = { quality: this.bounds.quality, scale: 1 };
    for (;;) {
      const taken = await this.#take(format, compression);
      if (taken.bytes.length <= this.bounds.bytes) return taken;
      const next = format === 'png' ? compression : smaller(compression, taken.bytes.length, longest, this.bounds);
      if (!next)
        throw new Failure(
          'bad_input',
          `No picture is as small as ${this.bounds.bytes} bytes.`,
          'Give a larger max_bytes.',
        );
      compression = next;
      if (format === 'png') format = 'jpeg';
    }
  }

  async #take(format: Format, compression: Compression): Promise<Taken> {
    const { region, scroll, ratio } = this.frame;
    const { quality } = compression;
    const scale = this.frame.scale * compression.scale;
    const size = { width: Math.round(region.width * scale * ratio), height: Math.round(region.height * scale * ratio) };
    checkSides(format, size);
    const notes = this.input.annotate
      ? await annotationOf(this.tab, region, scroll, scale * ratio, this.limits)
      : undefined;
    const png = notes && (await this.#capture({ format: 'png' }, format, scale));
    const bytes = png
      ? await drawAnnotation(this.tab, png, notes, { format, quality }, this.limits)
      : Buffer.from(await this.#capture(format === 'png' ? { format } : { format, quality }, format, scale), 'base64');
    return { bytes, format, quality, ...(dimensionsOf(bytes) ?? size), scale, notes };
  }

  /** In base64. */
  async #capture(
    encoding: Pick<Protocol.Page.CaptureScreenshotRequest, 'format' | 'quality'>,
    format: Format,
    scale: number,
  ): Promise<string> {
    const { tab, input, limits } = this;
    // The viewport as it is needs no second layout of the page.
    const isViewport = input.selector === undefined && !input.clip && !input.full_page && scale === 1;
    // A transparent picture that became a JPEG has a background.
    const isTransparent = input.omit_background === true && format !== 'jpeg';
    const setBackground = (params: Protocol.Emulation.SetDefaultBackgroundColorOverrideRequest) =>
      isTransparent && tab.send(limits, tab.main, 'Emulation.setDefaultBackgroundColorOverride', params);
    await setBackground({ color: { r: 0, g: 0, b: 0, a: 0 } });
    try {
      return await capturePicture(tab, limits, {
        ...encoding,
        ...(isViewport ? {} : { clip: { ...this.frame.region, scale }, captureBeyondViewport: true }),
      });
    } finally {
      await setBackground({});
    }
  }
}

/** Refuses arguments that exclude each other. */
function check({ selector, clip, full_page, omit_background, format }: ScreenshotInput): void {
  if (selector !== undefined && (clip || full_page))
    throw new Failure(
      'bad_input',
      `A picture shows either an element (selector) or ${clip ? 'a region (clip)' : 'the whole page (full_page)'}.`,
      'Leave one of them out.',
    );
  if (omit_background && format === 'jpeg')
    throw new Failure('bad_input', 'A JPEG cannot be transparent (omit_background).', 'Use format png or webp.');
}

/** Longest side that a format can hold, in pixels; Chrome gives an empty file beyond. */
const SIDES: Readonly<Record<Format, number>> = { png: 1_000_000, jpeg: 65_500, webp: 16_383 };

function checkSides(format: Format, { width, height }: Size): void {
  if (Math.max(width, height) <= SIDES[format]) return;
  throw new Failure(
    'bad_input',
    `A ${format} picture has at most ${SIDES[format]} pixels on a side; this one would be ${width}x${height}.`,
    'Use png, a smaller scale, or a clip.',
  );
}

interface Frame {
  /** In coordinates of the document. */
  region: Rect;
  /** The scroll position of the document. */
  scroll: Point;
  /** Device pixels per CSS pixel. */
  ratio: number;
}

/** The region to show. A clip counts from the top left of the viewport, or of the page with full_page. */
async function frameOf(tab: Tab, { selector, full_page, clip }: ScreenshotInput, limits: Limits): Promise<Frame> {
  const box = selector === undefined ? undefined : await elementBox(tab, selector, limits);
  const metrics = await tab.send(limits, tab.main, 'Page.getLayoutMetrics');
  const { cssVisualViewport: view, cssContentSize: page, visualViewport } = metrics;
  const real = view.clientWidth > 0 ? visualViewport.clientWidth / view.clientWidth : 1;
  // The metrics leave out an emulated scale, the screenshot does not.
  const ratio = tab.emulation.settings.screen?.scale ?? real;
  const scroll = { x: view.pageX, y: view.pageY };
  const inDocument = (rect: Rect): Rect => ({ ...rect, x: rect.x + scroll.x, y: rect.y + scroll.y });
  const viewport = { x: 0, y: 0, width: view.clientWidth, height: view.clientHeight };
  const whole = { x: 0, y: 0, width: page.width, height: page.height };
  return { region: full_page ? (clip ?? whole) : inDocument(box ?? clip ?? viewport), scroll, ratio };
}

async function elementBox(tab: Tab, selector: string, limits: Limits): Promise<Rect> {
  const late = () =>
    new Failure('timeout', `${selector} could not be seen in time.`, phrase`${capital(TAKE_SNAPSHOT)}.`);
  return bounded(limits, Math.min(tab.options.timeoutAction, remaining(limits)), late, async bound => {
    const element = await resolve(tab, { selector }, bound);
    await waitUntilActionable(element, {});
    const { width, height, x, y } = await element.call('boxOf');
    if (width < 1 || height < 1)
      throw new Failure(
        'not_actionable',
        phrase`${element.label} has no size to take a picture of.`,
        'Give an element that can be seen.',
      );
    return { ...(await toMainFrame(element, { x, y }, true)), width, height };
  });
}
