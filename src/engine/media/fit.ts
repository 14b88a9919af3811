// How a picture is kept within its bounds: a scale for its sides, then less quality, and fewer pixels only when that is not enough.
import type { Options } from '../../config/options.ts';
import type { Rect } from './place-labels.ts';

export interface PictureBounds {
  width: number;
  height: number;
  bytes: number;
  /** Of a JPEG or WebP at first, and at least. */
  quality: number;
  leastQuality: number;
}

/** What a caller may ask for instead of the server's own bounds. */
export interface BoundsWish {
  max_side?: number | undefined;
  max_bytes?: number | undefined;
  quality?: number | undefined;
  min_quality?: number | undefined;
}

export function boundsOf(wish: BoundsWish, options: Options): PictureBounds {
  const { pictureSize, pictureBytes, pictureQuality, pictureLeastQuality } = options;
  const quality = wish.quality ?? pictureQuality;
  return {
    width: wish.max_side ?? pictureSize.width,
    height: wish.max_side ?? pictureSize.height,
    bytes: wish.max_bytes ?? pictureBytes,
    quality,
    leastQuality: Math.min(quality, wish.min_quality ?? pictureLeastQuality),
  };
}

export interface Fit {
  region: Rect;
  scale: number;
}

/** A page shrunk further than this cannot be read: unless all of it is asked for, its top part is shown instead. */
const SMALLEST_SCALE = 0.4;

/** The scale at which the sides are within bounds. `ratio` is the pixels of the picture per pixel of the page, at scale 1. */
export function fitting(region: Rect, asked: number, ratio: number, bounds: PictureBounds, whole: boolean): Fit {
  const across = bounds.width / (region.width * ratio);
  const scale = Math.min(asked, across, bounds.height / (region.height * ratio));
  if (whole || scale >= SMALLEST_SCALE * asked) return { region, scale };
  const readable = Math.min(asked, SMALLEST_SCALE, across);
  const height = Math.min(region.height, Math.floor(bounds.height / (readable * ratio)));
  return { region: { ...region, height }, scale: readable };
}

/** How far quality falls at once, by how much of the bytes may stay: a picture takes its time, so that few are tried. */
const STEPS: readonly [part: number, step: number][] = [
  [0.75, 10],
  [0.5, 20],
  [0.25, 30],
];
/** A smaller picture shows nothing. */
const LEAST_SIDE = 8;

/** What can be changed about a picture that is too large. */
export interface Way {
  quality: number;
  /** Of the sides, against the picture as it was asked for. */
  scale: number;
}

/** The next smaller way, by how large the last one came out; undefined when there is none. */
export function smaller(way: Way, bytes: number, longest: number, bounds: PictureBounds): Way | undefined {
  const part = bounds.bytes / bytes;
  const { leastQuality } = bounds;
  if (way.quality > leastQuality) {
    const [, step] = STEPS.find(([least]) => part >= least) ?? [0, 100];
    return { ...way, quality: Math.max(leastQuality, way.quality - step) };
  }
  if (longest * way.scale <= LEAST_SIDE) return undefined;
  // Bytes grow with the area, roughly: a little less than the guess, and never so little that it takes many tries.
  return { ...way, scale: way.scale * Math.min(Math.sqrt(part) * 0.95, 0.9) };
}
