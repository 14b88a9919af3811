// Draws the number of each ref that can be visible onto a picture of the page. The page itself is not touched.
import { Failure } from '../../errors.ts';
import { refOf } from '../elements/describe.ts';
import { Element } from '../elements/element.ts';
import { formatRef, type Ref, roleAndName } from '../elements/refs.ts';
import type { Limits } from '../limits.ts';
import { captureTab, type TabCapture } from '../snapshot/capture/capture.ts';
import { boxOf, css, type SnapNode } from '../snapshot/capture/node.ts';
import { filterTree, type SnapshotView } from '../snapshot/print/filter.ts';
import type { PrintNode } from '../snapshot/print/print-node.ts';
import { CdpError, type CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';

/** One number on the picture, in its pixels. */
interface Mark {
  number: string;
  box: Rect;
  label: Rect;
}

export interface Annotation {
  marks: Mark[];
  /** Height of the numbers in pixels. */
  size: number;
  /** `@e5 button "Save"`, a line for each number. */
  lines: string[];
  /** Refs that got no number, because there are too many. */
  more: number;
}

/** More numbers than this can be read by nobody. */
const MOST = 250;
const LETTER = 13;

/**
 * The refs to be visible in a region of the page, with places for their numbers.
 * `scroll` is where the viewport stands on the page, `scale` the pixels of the picture per pixel of the page.
 */
export async function annotationOf(
  tab: Tab,
  region: Rect,
  scroll: { x: number; y: number },
  scale: number,
  limits: Limits,
): Promise<Annotation> {
  const shown = { ...region, x: region.x - scroll.x, y: region.y - scroll.y };
  const all = await visibleRefs(tab, shown, limits);
  const visible = all.slice(0, MOST);
  const size = LETTER * Math.max(1, Math.min(2, scale));
  const boxes = visible.map(({ box }) => ({
    x: (box.x - shown.x) * scale,
    y: (box.y - shown.y) * scale,
    width: box.width * scale,
    height: box.height * scale,
  }));
  const numbers = visible.map(({ ref }) => String(ref.number));
  const sizes = numbers.map(({ length }) => ({ width: (length + 1) * size * 0.62, height: size + 2 }));
  const labels = placeLabels(boxes, sizes, { width: region.width * scale, height: region.height * scale });
  return {
    size,
    marks: numbers.map((number, at) => ({ number, box: boxes[at]!, label: labels[at]! })),
    lines: visible.map(({ ref }) => `${formatRef(ref, limits)} ${roleAndName(ref)}`),
    more: all.length - visible.length,
  };
}

/** The picture (a PNG) with the numbers on it, in another format if asked. */
export async function drawAnnotation(
  tab: Tab,
  png: string,
  { marks, size }: Annotation,
  how: { format: string; quality?: number | undefined },
  limits: Limits,
): Promise<Buffer> {
  const { result, exceptionDetails } = await tab.send(limits, tab.main, 'Runtime.callFunctionOn', {
    // A canvas that is in no document, in our own script world: neither the page nor its scripts see it.
    executionContextId: await tab.main.own(tab.main.root),
    functionDeclaration: `(png, marks, size, type, quality) => { const __name = f => f; return (${paint})(png, marks, size, type, quality); }`,
    arguments: [png, marks, size, `image/${how.format}`, (how.quality ?? 80) / 100].map(value => ({ value })),
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) {
    const why = exceptionDetails.exception?.description ?? exceptionDetails.text;
    throw new Failure('internal', `The numbers could not be drawn: ${why}`);
  }
  return Buffer.from(String(result.value), 'base64');
}

/** Runs in the page. */
async function paint(png: string, marks: Mark[], size: number, type: string, quality: number): Promise<string> {
  const colours = ['#d4145a', '#0b63ce', '#0a7d33', '#a8480a', '#7a26c9', '#00707f'];
  const bytes = Uint8Array.from(atob(png), letter => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.drawImage(image, 0, 0);
  pen.lineWidth = size / 8;
  for (const [at, { box }] of marks.entries()) {
    pen.strokeStyle = colours[at % colours.length] ?? '';
    pen.strokeRect(box.x, box.y, box.width, box.height);
  }
  pen.font = `bold ${size}px monospace`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  for (const [
    at,
    {
      number,
      label: { x, y, width, height },
    },
  ] of marks.entries()) {
    pen.fillStyle = colours[at % colours.length] ?? '';
    pen.fillRect(x, y, width, height);
    pen.fillStyle = '#fff';
    pen.fillText(number, x + width / 2, y + height / 2 + 1, width);
  }
  const blob = await canvas.convertToBlob({ type, quality });
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

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

interface VisibleRef {
  ref: Ref;
  /** What can be visible of it, in the coordinates of the main viewport. */
  box: Rect;
}

interface Found {
  entry: PrintNode;
  box: Rect;
}

const VIEW: SnapshotView = { mode: 'interactive', compact: false, includeText: true, includeBounds: false };

/** What can be acted on and visible within the region of the main viewport's coordinates, in the order of the snapshot. */
async function visibleRefs(tab: Tab, region: Rect, limits: Limits): Promise<VisibleRef[]> {
  const capture = await captureTab(tab, limits);
  const found: Found[] = flat(filterTree(capture.page, VIEW).children).flatMap(entry => {
    const box = entry.ref && overlap(visibleBox(entry.node) ?? NOTHING, region);
    return box ? [{ entry, box }] : [];
  });
  const wires = (await tab.frames.wires(limits)).map(({ wire }) => wire);
  const uncovered = await Promise.all(found.map(item => isUncovered(tab, wires, capture, item, limits)));
  return found
    .filter((_, at) => uncovered[at])
    .map(({ entry, box }) => ({ ref: refOf(tab, capture, entry.control ?? entry.node, entry), box }));
}

const NOTHING: Rect = { x: 0, y: 0, width: 0, height: 0 };

const flat = (list: PrintNode[]): PrintNode[] => list.flatMap(entry => [entry, ...flat(entry.children)]);

/** The box without what its scrolling containers and frames cut off. */
function visibleBox(node: SnapNode): Rect | undefined {
  let box = rectOf(node);
  for (let at: SnapNode | undefined = node; at && box; at = at.parent ?? at.doc.owner) {
    const cuts = at !== node && (at.content !== undefined || isClipping(at));
    const frame = cuts && rectOf(at);
    if (frame) box = overlap(box, frame);
  }
  return box;
}

/** What html and body clip is the viewport's affair. */
const isClipping = (node: SnapNode): boolean =>
  node.tag !== 'html' && node.tag !== 'body' && !/^(visible)?$/.test(css(node, 'overflow'));

function rectOf(node: SnapNode): Rect | undefined {
  const [x, y, width = 0, height = 0] = boxOf(node) ?? [];
  return x === undefined || y === undefined ? undefined : { x, y, width, height };
}

/** Nothing lies on top of it. Outside of the viewport that cannot be asked. */
async function isUncovered(
  tab: Tab,
  wires: CdpSession[],
  { viewport }: TabCapture,
  { entry: { node }, box }: Found,
  limits: Limits,
) {
  if (!overlap(box, { x: 0, y: 0, ...viewport })) return true;
  const wire = wires.find(({ key }) => key === node.process);
  try {
    return (
      wire !== undefined &&
      (await new Element(tab, { wire, id: node.id, frame: node.doc.frame }).call(limits, 'isUncovered'))
    );
  } catch (error) {
    // It has gone since the capture.
    if (error instanceof CdpError || (error instanceof Failure && error.code === 'not_found')) return false;
    throw error;
  }
}
