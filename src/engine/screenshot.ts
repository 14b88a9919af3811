// Screenshot: of the viewport, the whole page, an element or a region; small enough for a chat unless it goes to a file.
import { writeFile } from 'node:fs/promises';
import type { Protocol } from 'devtools-protocol';
import { Failure } from '../errors.ts';
import { approach } from './approach.ts';
import { writablePath } from './files.ts';
import { type Limits, remaining, within } from './limits.ts';
import { toMainFrame } from './mouse.ts';
import { resolve } from './resolve.ts';
import type { Tab } from './tab.ts';
import { Picture, type SavedFile } from './values.ts';

export const FORMATS = ['png', 'jpeg', 'webp'] as const;
type Format = (typeof FORMATS)[number];

export interface ScreenshotInput {
  selector?: string | undefined;
  full_page?: boolean;
  format?: Format;
  quality?: number | undefined;
  omit_background?: boolean;
  clip?: Region | undefined;
  scale?: number;
  save_path?: string | undefined;
}

interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Shot {
  picture?: Picture;
  file?: SavedFile;
  width: number;
  height: number;
  /** How much smaller than the page, and how much of it is not shown. */
  scale?: number;
  missing?: number;
}

/** Larger pictures break chats: longest side in pixels, and bytes. */
const LONGEST = 2_000;
const MOST_BYTES = 5_000_000;
/** A page shrunk further than this cannot be read: its top part is shown instead. */
const SMALLEST_SCALE = 0.4;

export async function screenshot(
  tab: Tab,
  input: ScreenshotInput,
  roots: readonly string[],
  limits: Limits,
): Promise<Shot> {
  const { region, ratio } = await regionOf(tab, input, limits);
  const asked = input.scale ?? 1;
  if (input.save_path !== undefined) {
    const path = await writablePath(input.save_path, roots);
    const bytes = await capture(tab, input, { region, scale: asked }, limits);
    await writeFile(path, bytes);
    return { file: { path, bytes: bytes.length }, ...sizeOf(region, asked * ratio) };
  }
  const fit = fitting(region, asked, ratio);
  const bytes = await capture(tab, input, fit, limits);
  const size = sizeOf(fit.region, fit.scale * ratio);
  const small =
    bytes.length > MOST_BYTES ? await capture(tab, { ...input, format: 'jpeg', quality: 70 }, fit, limits) : bytes;
  const format = small === bytes ? (input.format ?? 'png') : 'jpeg';
  const missing = Math.round(region.height - fit.region.height);
  return {
    picture: new Picture(`image/${format}`, small, size.width, size.height),
    ...size,
    ...(fit.scale < asked ? { scale: Math.round(fit.scale * 100) / 100 } : {}),
    ...(missing > 0 ? { missing } : {}),
  };
}

const sizeOf = ({ width, height }: Region, scale: number) => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
});

interface Fit {
  region: Region;
  scale: number;
}

/** The scale at which the picture is within bounds; of a very long page only the top part. */
function fitting(region: Region, asked: number, ratio: number): Fit {
  const scale = Math.min(asked, LONGEST / (Math.max(region.width, region.height) * ratio));
  if (scale >= SMALLEST_SCALE * asked) return { region, scale };
  const readable = Math.min(asked, SMALLEST_SCALE, LONGEST / (region.width * ratio));
  return {
    region: { ...region, height: Math.min(region.height, Math.floor(LONGEST / (readable * ratio))) },
    scale: readable,
  };
}

/** The region in coordinates of the document, and device pixels per CSS pixel. */
async function regionOf(tab: Tab, input: ScreenshotInput, limits: Limits): Promise<{ region: Region; ratio: number }> {
  const box = input.selector === undefined ? undefined : await elementBox(tab, input.selector, limits);
  const {
    cssVisualViewport: view,
    cssContentSize: page,
    visualViewport,
  } = await tab.send(limits, tab.main, 'Page.getLayoutMetrics');
  const ratio = view.clientWidth > 0 ? visualViewport.clientWidth / view.clientWidth : 1;
  if (box) return { region: { ...box, x: box.x + view.pageX, y: box.y + view.pageY }, ratio };
  if (input.full_page) return { region: { x: 0, y: 0, width: page.width, height: page.height }, ratio };
  const shown = { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight };
  if (!input.clip) return { region: shown, ratio };
  return { region: { ...input.clip, x: input.clip.x + view.pageX, y: input.clip.y + view.pageY }, ratio };
}

async function elementBox(tab: Tab, selector: string, limits: Limits): Promise<Region> {
  const late = () => new Failure('timeout', `${selector} could not be seen in time.`, 'Take a snapshot.');
  const bound = within(limits, Math.min(tab.options.timeoutAction, remaining(limits)), late);
  const element = await resolve(tab, selector, undefined, bound);
  await approach(element, {}, bound).finally(() => bound.done());
  const { width, height, x, y } = await element.call(limits, 'boxOf');
  if (width < 1 || height < 1)
    throw new Failure(
      'not_actionable',
      `${element.label} has no size to take a picture of.`,
      'Give an element that can be seen.',
    );
  return { ...(await toMainFrame(element, { x, y }, limits, true)), width, height };
}

async function capture(
  tab: Tab,
  { format = 'png', quality, omit_background }: ScreenshotInput,
  { region, scale }: Fit,
  limits: Limits,
): Promise<Buffer> {
  const clear = omit_background && format !== 'jpeg';
  const ask: Protocol.Page.CaptureScreenshotRequest = {
    format,
    ...(quality === undefined || format === 'png' ? {} : { quality }),
    clip: { ...region, scale },
    captureBeyondViewport: true,
    optimizeForSpeed: true,
  };
  if (clear)
    await tab.send(limits, tab.main, 'Emulation.setDefaultBackgroundColorOverride', {
      color: { r: 0, g: 0, b: 0, a: 0 },
    });
  try {
    return Buffer.from((await tab.send(limits, tab.main, 'Page.captureScreenshot', ask)).data, 'base64');
  } finally {
    if (clear) await tab.send(limits, tab.main, 'Emulation.setDefaultBackgroundColorOverride', {});
  }
}
