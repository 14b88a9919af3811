// Where the numbers of an annotated picture stand.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { overlap } from '../../../src/engine/geometry.ts';
import { placeLabels, shared } from '../../../src/engine/media/annotate.ts';

const PICTURE = { width: 800, height: 600 };
const SIZE = { width: 20, height: 14 };
const box = fc.record({
  x: fc.integer({ min: 0, max: 760 }),
  y: fc.integer({ min: 0, max: 560 }),
  width: fc.integer({ min: 5, max: 300 }),
  height: fc.integer({ min: 5, max: 100 }),
});

it('stands above its element, where that covers nothing', () => {
  const [label] = placeLabels([{ x: 100, y: 100, width: 80, height: 30 }], [SIZE], PICTURE);
  expect(label).toEqual({ ...SIZE, x: 100, y: 86 });
});

it('stays in the picture', () => {
  fc.assert(
    fc.property(fc.array(box, { maxLength: 30 }), boxes => {
      const labels = placeLabels(
        boxes,
        boxes.map(() => SIZE),
        PICTURE,
      );
      return labels.every(
        ({ x, y, width, height }) => x >= 0 && y >= 0 && x + width <= PICTURE.width && y + height <= PICTURE.height,
      );
    }),
  );
});

it('no number on another in a form, a toolbar and a grid', () => {
  const form = Array.from({ length: 12 }, (_, row) => ({ x: 200, y: 20 + row * 34, width: 180, height: 22 }));
  const bar = Array.from({ length: 15 }, (_, column) => ({ x: 10 + column * 28, y: 500, width: 24, height: 24 }));
  const grid = Array.from({ length: 35 }, (_, cell) => ({
    x: 420 + (cell % 7) * 40,
    y: 50 + Math.floor(cell / 7) * 34,
    width: 36,
    height: 30,
  }));
  for (const boxes of [form, bar, grid, [...form, ...bar, ...grid]]) {
    const labels = placeLabels(
      boxes,
      boxes.map(() => SIZE),
      PICTURE,
    );
    const clashes = labels.flatMap((one, at) => labels.slice(at + 1).filter(other => shared(one, other) > 0));
    expect(clashes).toEqual([]);
  }
});

it('elements in the same place have their numbers side by side', () => {
  const boxes = Array.from({ length: 4 }, () => ({ x: 300, y: 200, width: 60, height: 30 }));
  const labels = placeLabels(
    boxes,
    boxes.map(() => SIZE),
    PICTURE,
  );
  expect(labels.flatMap((one, at) => labels.slice(at + 1).filter(other => shared(one, other) > 0))).toEqual([]);
});

it('overlap and shared agree', () => {
  fc.assert(
    fc.property(box, box, (one, other) => {
      const both = overlap(one, other);
      return shared(one, other) === (both ? both.width * both.height : 0);
    }),
  );
});
