// GIF: encodes frames, of each only the part that changed.
import { applyPalette, GIFEncoder, quantize } from 'gifenc/dist/gifenc.esm.js';
import type { Rect } from '../../geometry.ts';

/** The part of a frame that changed. */
export interface Patch extends Rect {
  rgba: Uint8Array<ArrayBuffer>;
}

/** With more colours than this, quantizing at the finer precision takes seconds. */
const MOST_SHADES = 2_000;
/** One of the 256 palette entries is transparent: the pixel stays as it was. */
const COLOURS = 255;
/** GIF disposal method: the frame stays under the next one. */
const DO_NOT_DISPOSE = 1;

export class Gif {
  readonly #encoder = GIFEncoder();

  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  /** The first patch is the whole frame; undefined means that nothing changed. The delay is in ms. */
  add(patch: Patch | undefined, delay: number): void {
    const format = patch ? precision(patch.rgba) : 'rgb444';
    const palette = patch ? quantize(patch.rgba, COLOURS, { format }) : [];
    const index = new Uint8Array(this.width * this.height).fill(palette.length);
    if (patch) this.#copy(applyPalette(patch.rgba, palette, format), patch, index);
    this.#encoder.writeFrame(index, this.width, this.height, {
      palette: [...palette, [0, 0, 0]],
      delay,
      transparent: true,
      transparentIndex: palette.length,
      dispose: DO_NOT_DISPOSE,
    });
  }

  #copy(part: Uint8Array, { x, y, width, height }: Patch, index: Uint8Array): void {
    for (let row = 0; row < height; row++)
      index.set(part.subarray(row * width, (row + 1) * width), (y + row) * this.width + x);
  }

  end(): Uint8Array {
    this.#encoder.finish();
    return this.#encoder.bytes();
  }
}

function precision(rgba: Uint8Array): 'rgb565' | 'rgb444' {
  const seen = new Uint8Array(1 << 16);
  let shades = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const shade = ((rgba[at]! >> 3) << 11) | ((rgba[at + 1]! >> 2) << 5) | (rgba[at + 2]! >> 3);
    if (seen[shade]) continue;
    seen[shade] = 1;
    if (++shades > MOST_SHADES) return 'rgb444';
  }
  return 'rgb565';
}
