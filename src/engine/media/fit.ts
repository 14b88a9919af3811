// How a picture is kept within its bounds: a scale for its sides, then less quality, and fewer pixels only when that is not enough.
import type { Options } from '../../config/options.ts';
import type { Rect } from './annotate.ts';

export interface PictureBounds {
  width: number;
  height: number;
  bytes: number;
  /** Of a JPEG or WebP at first, and at least. */
  quality: number;
  leastQuality: number;
}

/** What a caller may ask for instead of the server's own bounds. */
export interface RequestedBounds {
  max_side?: number | undefined;
  max_bytes?: number | undefined;
  quality?: number | undefined;
  min_quality?: number | undefined;
}

export function boundsOf(wish: RequestedBounds, options: Options): PictureBounds {
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
export interface Compression {
  quality: number;
  /** Of the sides, against the picture as it was asked for. */
  scale: number;
}

/** The next smaller way, by how large the last one came out; undefined when there is none. */
export function smaller(
  way: Compression,
  bytes: number,
  longest: number,
  bounds: PictureBounds,
): Compression | undefined {
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

export interface Dimensions {
  width: number;
  height: number;
}

/** Undefined for anything but a PNG, JPEG or WebP that Chrome makes. */
export function dimensionsOf(bytes: Buffer): Dimensions | undefined {
  if (bytes.length < 30) return undefined;
  if (bytes.readUInt32BE(0) === 0x89504e47) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.readUInt16BE(0) === 0xffd8) return ofJpeg(bytes);
  return bytes.toString('latin1', 8, 12) === 'WEBP' ? ofWebp(bytes) : undefined;
}

/** Walks from marker to marker, up to the one that begins a frame. */
function ofJpeg(bytes: Buffer): Dimensions | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}

function ofWebp(bytes: Buffer): Dimensions | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
