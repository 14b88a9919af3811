// The bounds of a picture: its sides by a scale, its bytes by less quality and then by less of both sides.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  type Compression,
  dimensionsOf,
  type PictureBounds,
  scaleWithin,
  smaller,
} from '../../../src/engine/media/fit.ts';
import { optionsIn } from '../../call/stand-in.ts';

const BOUNDS: PictureBounds = { width: 2_000, height: 2_000, bytes: 5_000_000, quality: 85, leastQuality: 35 };
const side = fc.integer({ min: 1, max: 20_000 });

describe('S3-12 the sides', () => {
  it('are within bounds for every page', () => {
    fc.assert(
      fc.property(side, side, fc.constantFrom(1, 1.5, 2, 3), (width, height, ratio) => {
        const scale = scaleWithin({ width, height }, 1, ratio, BOUNDS);
        expect(Math.round(width * scale * ratio)).toBeLessThanOrEqual(2_000);
        expect(Math.round(height * scale * ratio)).toBeLessThanOrEqual(2_000);
      }),
    );
  });

  it('of a long page are those of all of it', () => {
    expect(scaleWithin({ width: 1_280, height: 20_000 }, 1, 1, BOUNDS)).toBe(0.1);
    expect(scaleWithin({ width: 1_280, height: 720 }, 1, 1, BOUNDS)).toBe(1);
  });
});

describe('S3-12 the bytes', () => {
  /** What is tried for a picture that is too large by these factors. */
  function tried(sizes: number[]): Compression[] {
    const ways: Compression[] = [{ quality: 85, scale: 1 }];
    for (const bytes of sizes) {
      const next = smaller(ways.at(-1)!, bytes, 2_000, BOUNDS);
      if (next) ways.push(next);
    }
    return ways;
  }

  it('are lowered by quality, 85 to 35 in steps, and by the sides only then', () => {
    const ways = tried([6e6, 6e6, 6e6, 6e6, 6e6, 9e6, 7e6]);
    expect(ways.map(({ quality }) => quality)).toEqual([85, 75, 65, 55, 45, 35, 35, 35]);
    expect(ways.slice(0, 6).every(({ scale }) => scale === 1)).toBe(true);
    expect(ways[6]!.scale).toBeCloseTo(Math.sqrt(5 / 9) * 0.95);
    expect(ways[7]!.scale).toBeLessThan(ways[6]!.scale);
  });

  it('take larger steps the further they are off', () => {
    expect(tried([8e6, 8e6, 8e6]).map(({ quality }) => quality)).toEqual([85, 65, 45, 35]);
    expect(tried([15e6, 12e6]).map(({ quality }) => quality)).toEqual([85, 55, 35]);
    expect(tried([50e6]).map(({ quality }) => quality)).toEqual([85, 35]);
  });

  it('come to an end, whatever the picture', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5_000_001, max: 2e9 }), { minLength: 200, maxLength: 200 }), sizes => {
        const ways = tried(sizes);
        expect(ways.length).toBeLessThan(80);
        expect(2_000 * ways.at(-1)!.scale).toBeLessThanOrEqual(8);
      }),
      { numRuns: 20 },
    );
  });

  it('and sides are those of the options, or those that the caller names', () => {
    const options = optionsIn('/tmp', { pictureSize: { width: 800, height: 600 }, pictureQuality: 60 });
    expect(boundsOf({}, options)).toEqual({ width: 800, height: 600, bytes: 5_000_000, quality: 60, leastQuality: 35 });
    expect(boundsOf({ max_side: 100, max_bytes: 20_000, quality: 30, min_quality: 50 }, options)).toEqual({
      ...{ width: 100, height: 100, bytes: 20_000, quality: 30, leastQuality: 30 },
    });
  });
});

describe('the size of a picture, read from its bytes', () => {
  it('is undefined for what is no picture', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
        const found = dimensionsOf(Buffer.from(bytes));
        if (found) expect(Number.isInteger(found.width)).toBe(true);
      }),
    );
    expect(dimensionsOf(Buffer.alloc(100))).toBeUndefined();
    expect(dimensionsOf(Buffer.from('ffd8ffd9', 'hex'))).toBeUndefined();
  });
});
