// Screenshot: of the viewport, the whole page, an element or a region; small enough for a chat unless it goes to a file.
import { writeFile } from 'node:fs/promises';
import type { Protocol } from 'devtools-protocol';
import { Failure } from '../../errors.ts';
import { capital, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import { waitUntilActionable } from '../actions/actionability.ts';
import { toMainFrame } from '../actions/pointer.ts';
import { resolve } from '../elements/resolve.ts';
import { writablePath } from '../files.ts';
import { type Limits, remaining, within } from '../limits.ts';
import { Picture, type SavedFile } from '../picture.ts';
import type { Tab } from '../tab/tab.ts';
import { type Annotation, annotationOf, drawAnnotation, type Rect } from './annotate.ts';
import {
  boundsOf,
  type Compression,
  dimensionsOf,
  type Fit,
  fitting,
  type PictureBounds,
  type RequestedBounds,
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
  /** Shrink all of it, however small that is. */
  whole?: boolean;
  save_path?: string | undefined;
  /** A picture of so many bytes is saved instead of shown. */
  save_above?: number | undefined;
}

export interface Screenshot {
  picture?: Picture;
  file?: SavedFile;
  width: number;
  height: number;
  /** How much smaller than the page, and how much of it is not shown. */
  scale?: number;
  missing?: number;
  /** It became a JPEG, because it was too large in the format asked for. */
  jpeg?: boolean;
  /** Its quality, when that was lowered to make it small enough. */
  quality?: number;
  /** The refs that are numbered on it, a line each, and how many more there are. */
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
  const fit = isShrunk
    ? fitting(frame.region, asked, frame.ratio, bounds, input.whole === true)
    : { region: frame.region, scale: asked };
  const most = path === undefined || input.max_bytes !== undefined ? bounds.bytes : Number.POSITIVE_INFINITY;
  const taken = await takeWithin(tab, input, { ...frame, ...fit }, { ...bounds, bytes: most }, limits);
  const told = factsOf(taken, input, bounds);
  if (path !== undefined) {
    await writeFile(path, taken.bytes);
    return { file: { path, bytes: taken.bytes.length }, ...told };
  }
  const large = await savedIfLarge(taken, input, roots);
  if (large) return { file: large, ...told };
  const missing = Math.round(frame.region.height - fit.region.height);
  return {
    picture: new Picture(`image/${taken.format}`, taken.bytes, taken.width, taken.height),
    ...told,
    ...(taken.scale < asked ? { scale: Math.max(0.01, Math.round(taken.scale * 100) / 100) } : {}),
    ...(missing > 0 ? { missing } : {}),
  };
}

async function savedIfLarge(
  { bytes, format }: Taken,
  { save_above = Number.POSITIVE_INFINITY }: ScreenshotInput,
  roots: readonly string[],
): Promise<SavedFile | undefined> {
  if (bytes.length < save_above) return undefined;
  const path = await writablePath(`screenshot-${new Date().toISOString().replaceAll(':', '-')}.${format}`, roots);
  await writeFile(path, bytes);
  return { path, bytes: bytes.length };
}

function factsOf({ width, height, format, quality, notes }: Taken, input: ScreenshotInput, bounds: PictureBounds) {
  const isJpeg = format === 'jpeg' && input.format !== 'jpeg';
  return {
    width,
    height,
    ...(isJpeg ? { jpeg: true } : {}),
    ...(quality < bounds.quality ? { quality } : {}),
    ...(notes && { refs: notes.lines, ...(notes.more > 0 && { more: notes.more }) }),
  };
}

interface Taken {
  bytes: Buffer;
  format: Format;
  quality: number;
  width: number;
  height: number;
  scale: number;
  notes: Annotation | undefined;
}

/** A picture of at most so many bytes: a PNG becomes a JPEG, then its quality falls, and its sides only at last. */
async function takeWithin(
  tab: Tab,
  input: ScreenshotInput,
  frame: Frame & Fit,
  bounds: PictureBounds,
  limits: Limits,
): Promise<Taken> {
  const longest = Math.max(frame.region.width, frame.region.height) * frame.scale * frame.ratio;
  let format = input.format ?? 'png';
  let way: Compression = { quality: bounds.quality, scale: 1 };
  for (;;) {
    const taken = await takeOnce(tab, { ...input, format }, frame, way, limits);
    if (taken.bytes.length <= bounds.bytes) return taken;
    const next = format === 'png' ? way : smaller(way, taken.bytes.length, longest, bounds);
    if (!next)
      throw new Failure('bad_input', `No picture is as small as ${bounds.bytes} bytes.`, 'Give a larger max_bytes.');
    way = next;
    if (format === 'png') format = 'jpeg';
  }
}

async function takeOnce(
  tab: Tab,
  input: ScreenshotInput & { format: Format },
  { region, scroll, ratio, scale: whole }: Frame & Fit,
  way: Compression,
  limits: Limits,
): Promise<Taken> {
  const { format } = input;
  const fit = { region, scale: whole * way.scale };
  const size = sizeOf(region, fit.scale * ratio);
  checkSides(format, size);
  const notes = input.annotate ? await annotationOf(tab, region, scroll, fit.scale * ratio, limits) : undefined;
  // What was to be transparent and became a JPEG is not.
  const omit_background = input.omit_background === true && format !== 'jpeg';
  const bytes = await capture(tab, { ...input, quality: way.quality, omit_background }, fit, notes, limits);
  return { bytes, format, quality: way.quality, ...(dimensionsOf(bytes) ?? size), scale: fit.scale, notes };
}

/** Wishes that exclude each other. */
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

function checkSides(format: Format, { width, height }: { width: number; height: number }): void {
  if (Math.max(width, height) <= SIDES[format]) return;
  throw new Failure(
    'bad_input',
    `A ${format} picture has at most ${SIDES[format]} pixels on a side; this one would be ${width}x${height}.`,
    'Use png, a smaller scale, or a clip.',
  );
}

const sizeOf = ({ width, height }: Rect, scale: number) => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
});

interface Frame {
  /** In coordinates of the document. */
  region: Rect;
  /** Where the viewport stands on the document. */
  scroll: { x: number; y: number };
  /** Device pixels per CSS pixel. */
  ratio: number;
}

/** Nothing but what the window shows: the picture that needs no second layout of the page. */
const isPlain = ({ selector, clip, full_page }: ScreenshotInput, { scale }: Fit): boolean =>
  selector === undefined && !clip && !full_page && scale === 1;

/** What the picture is to show. A clip counts from the top left of the viewport, or of the page when that is all shown. */
async function frameOf(tab: Tab, input: ScreenshotInput, limits: Limits): Promise<Frame> {
  const { selector, full_page, clip } = input;
  const box = selector === undefined ? undefined : await elementBox(tab, selector, limits);
  const {
    cssVisualViewport: view,
    cssContentSize: page,
    visualViewport,
  } = await tab.send(limits, tab.main, 'Page.getLayoutMetrics');
  const real = view.clientWidth > 0 ? visualViewport.clientWidth / view.clientWidth : 1;
  // The metrics do not know of an emulated scale, the picture does.
  const ratio = tab.emulation.settings.screen?.scale ?? real;
  const scroll = { x: view.pageX, y: view.pageY };
  const moved = (rect: Rect): Rect => ({ ...rect, x: rect.x + scroll.x, y: rect.y + scroll.y });
  const shown = { x: 0, y: 0, width: view.clientWidth, height: view.clientHeight };
  const whole = { x: 0, y: 0, width: page.width, height: page.height };
  return { region: full_page ? (clip ?? whole) : moved(box ?? clip ?? shown), scroll, ratio };
}

async function elementBox(tab: Tab, selector: string, limits: Limits): Promise<Rect> {
  const late = () =>
    new Failure('timeout', `${selector} could not be seen in time.`, phrase`${capital(TAKE_SNAPSHOT)}.`);
  const bound = within(limits, Math.min(tab.options.timeoutAction, remaining(limits)), late);
  const element = await resolve(tab, selector, undefined, bound);
  await waitUntilActionable(element, {}, bound).finally(() => bound.done());
  const { width, height, x, y } = await element.call(limits, 'boxOf');
  if (width < 1 || height < 1)
    throw new Failure(
      'not_actionable',
      phrase`${element.label} has no size to take a picture of.`,
      'Give an element that can be seen.',
    );
  return { ...(await toMainFrame(element, { x, y }, limits, true)), width, height };
}

async function capture(
  tab: Tab,
  input: ScreenshotInput,
  fit: Fit,
  notes: Annotation | undefined,
  limits: Limits,
): Promise<Buffer> {
  const { format = 'png', quality, omit_background } = input;
  const ask: Protocol.Page.CaptureScreenshotRequest = {
    format: notes ? 'png' : format,
    ...(quality === undefined || format === 'png' || notes ? {} : { quality }),
    ...(isPlain(input, fit) ? {} : { clip: { ...fit.region, scale: fit.scale }, captureBeyondViewport: true }),
    optimizeForSpeed: true,
  };
  if (omit_background)
    await tab.send(limits, tab.main, 'Emulation.setDefaultBackgroundColorOverride', {
      color: { r: 0, g: 0, b: 0, a: 0 },
    });
  try {
    const { data } = await tab.send(limits, tab.main, 'Page.captureScreenshot', ask);
    return notes ? await drawAnnotation(tab, data, notes, { format, quality }, limits) : Buffer.from(data, 'base64');
  } finally {
    if (omit_background) await tab.send(limits, tab.main, 'Emulation.setDefaultBackgroundColorOverride', {});
  }
}
