// Keeps a picture within its bounds: a scale for its sides, then less quality, and fewer pixels only when that is not enough.
import type { Options } from '../../config/options.ts';
import type { Size } from '../geometry.ts';

export interface PictureBounds {
  width: number;
  height: number;
  bytes: number;
  /** The first and the lowest quality of a JPEG or WebP. */
  quality: number;
  leastQuality: number;
}

/** Bounds that a caller may give instead of the server's own. */
export interface RequestedBounds {
  max_side?: number | undefined;
  max_bytes?: number | undefined;
  quality?: number | undefined;
  min_quality?: number | undefined;
}

export function boundsOf(requested: RequestedBounds, options: Options): PictureBounds {
  const { pictureSize, pictureBytes, pictureQuality, pictureLeastQuality } = options;
  const quality = requested.quality ?? pictureQuality;
  return {
    width: requested.max_side ?? pictureSize.width,
    height: requested.max_side ?? pictureSize.height,
    bytes: requested.max_bytes ?? pictureBytes,
    quality,
    leastQuality: Math.min(quality, requested.min_quality ?? pictureLeastQuality),
  };
}

/** The scale at which the sides are within bounds. `ratio` is the pixels of the picture per pixel of the page, at scale 1. */
export const scaleWithin = ({ width, height }: Size, asked: number, ratio: number, bounds: PictureBounds): number =>
  Math.min(asked, bounds.width / (width * ratio), bounds.height / (height * ratio));

/** By how much quality is lowered at once, for the part of the bytes that may stay: a screenshot is slow, so few are tried. */
const STEPS: readonly [part: number, step: number][] = [
  [0.75, 10],
  [0.5, 20],
  [0.25, 30],
];
/** A smaller picture shows nothing. */
const LEAST_SIDE = 8;

/** What can be lowered for a picture that is too large. */
export interface Compression {
  quality: number;
  /** Of the sides, relative to the picture as requested. */
  scale: number;
}

/** The next stronger compression, by the bytes of the last picture; undefined when there is none. */
export function smaller(
  last: Compression,
  bytes: number,
  longest: number,
  bounds: PictureBounds,
): Compression | undefined {
  const part = bounds.bytes / bytes;
  const { leastQuality } = bounds;
  if (last.quality > leastQuality) {
    const [, step] = STEPS.find(([least]) => part >= least) ?? [0, 100];
    return { ...last, quality: Math.max(leastQuality, last.quality - step) };
  }
  if (longest * last.scale <= LEAST_SIDE) return undefined;
  // Bytes grow roughly with the area: a little below that estimate, and at most 0.9, so that few tries are needed.
  return { ...last, scale: last.scale * Math.min(Math.sqrt(part) * 0.95, 0.9) };
}

/** Undefined for anything but a PNG, JPEG or WebP that Chrome makes. */
export function dimensionsOf(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined;
  if (bytes.readUInt32BE(0) === 0x89504e47) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.readUInt16BE(0) === 0xffd8) return ofJpeg(bytes);
  return bytes.toString('latin1', 8, 12) === 'WEBP' ? ofWebp(bytes) : undefined;
}

/** Walks from marker to marker, up to the one that begins a frame. */
function ofJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}

function ofWebp(bytes: Buffer): Size | undefined {
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
