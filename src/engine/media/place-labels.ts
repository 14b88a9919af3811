// Where the numbers of an annotated picture stand: beside their elements, in the picture, and on top of nothing if that can be.

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Covering another number is worse than covering some of an element. */
const NUMBER_COST = 20;

/** A place for each label, given the boxes of the elements; both in pixels of the picture. */
export function placeLabels(
  boxes: readonly Rect[],
  sizes: readonly { width: number; height: number }[],
  picture: { width: number; height: number },
): Rect[] {
  const placed: Rect[] = [];
  for (const [at, box] of boxes.entries()) {
    const size = sizes[at] ?? { width: 0, height: 0 };
    const others = boxes.filter(other => other !== box && !contains(other, box));
    placed.push(best(candidates(box, size, picture), placed, others));
  }
  return placed;
}

/** Outside first, where the element itself stays readable; then its corners. */
function candidates(box: Rect, size: { width: number; height: number }, picture: { width: number; height: number }) {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const corners: [number, number][] = [
    [box.x, box.y - size.height],
    [box.x - size.width, box.y],
    [right, box.y],
    [right - size.width, box.y - size.height],
    [box.x, bottom],
    [right - size.width, bottom],
    [box.x, box.y],
    [right - size.width, box.y],
    [box.x, bottom - size.height],
    [right - size.width, bottom - size.height],
  ];
  return corners.map(([x, y]) => ({
    ...size,
    x: clamp(x, picture.width - size.width),
    y: clamp(y, picture.height - size.height),
  }));
}

const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most));

function best(list: Rect[], placed: readonly Rect[], others: readonly Rect[]): Rect {
  const cost = (rect: Rect): number =>
    NUMBER_COST * sum(placed, other => shared(rect, other)) + sum(others, other => shared(rect, other));
  const costs = list.map(cost);
  return list[costs.indexOf(Math.min(...costs))]!;
}

const sum = (list: readonly Rect[], value: (rect: Rect) => number): number =>
  list.reduce((total, rect) => total + value(rect), 0);

/** Pixels that both cover. */
export function shared(a: Rect, b: Rect): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

export function overlap(a: Rect, b: Rect): Rect | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

const contains = (outer: Rect, inner: Rect): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;
