// The parts of gifenc that we use; the package has no types of its own.
declare module 'gifenc/dist/gifenc.esm.js' {
  type Colour = number[];
  type Precision = 'rgb565' | 'rgb444';

  interface FrameOptions {
    palette: Colour[];
    /** In ms; GIF stores hundredths of a second. */
    delay: number;
    transparent?: boolean;
    transparentIndex?: number;
    /** The disposal method: with 1 the frame stays under the next one. */
    dispose?: number;
  }

  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  };
  export function quantize(rgba: Uint8Array, most: number, options: { format: Precision }): Colour[];
  export function applyPalette(rgba: Uint8Array, palette: Colour[], format: Precision): Uint8Array;
}
