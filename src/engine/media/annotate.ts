// Draws the numbers of the visible refs onto a screenshot. The page itself is not touched.

import { CdpError } from '../../cdp/errors.ts';
import { Failure } from '../../errors.ts';
import { refOf } from '../elements/describe.ts';
import { Element } from '../elements/element.ts';
import { formatRef, type Ref, roleAndName } from '../elements/refs.ts';
import { overlap, type Point, type Rect, type Size } from '../geometry.ts';
import { declarations } from '../inpage/declarations.ts';
import type { Limits } from '../limits.ts';
import type { CdpSession } from '../page/cdp-session.ts';
import { captureTab } from '../snapshot/capture/capture.ts';
import { boxOf, css, type SnapNode } from '../snapshot/capture/node.ts';
import { FULL_VIEW, filterTree, type SnapshotView } from '../snapshot/print/filter.ts';
import { descendantsOf, type PrintNode } from '../snapshot/print/print-node.ts';
import type { Tab } from '../tab/tab.ts';

/** The number of one ref, in pixels of the picture. */
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

/** More numbers would cover the picture. */
const MAX_MARKS = 250;
const FONT_SIZE = 13;

/**
 * The visible refs in a region of the page, with places for their numbers.
 * `scroll` is the scroll position of the page, `scale` the pixels of the picture per pixel of the page.
 */
export async function annotationOf(
  tab: Tab,
  region: Rect,
  scroll: Point,
  scale: number,
  limits: Limits,
): Promise<Annotation> {
  const shown = { ...region, x: region.x - scroll.x, y: region.y - scroll.y };
  const all = await visibleRefs(tab, shown, limits);
  const visible = all.slice(0, MAX_MARKS);
  const size = FONT_SIZE * Math.max(1, Math.min(2, scale));
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

/** Draws the numbers onto a PNG, and encodes it in the format asked for. */
export async function drawAnnotation(
  tab: Tab,
  png: string,
  { marks, size }: Annotation,
  encoding: { format: string; quality: number },
  limits: Limits,
): Promise<Buffer> {
  const { result, exceptionDetails } = await tab.send(limits, tab.main, 'Runtime.callFunctionOn', {
    // A canvas that is in no document, in our own script world: neither the page nor its scripts see it.
    executionContextId: await tab.main.own(tab.main.root),
    functionDeclaration: `(...args) => { ${declarations([paint])}\nreturn ${paint.name}(...args); }`,
    arguments: [png, marks, size, `image/${encoding.format}`, encoding.quality / 100].map(value => ({ value })),
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
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('no canvas');
  ctx.drawImage(image, 0, 0);
  ctx.lineWidth = size / 8;
  for (const [at, { box }] of marks.entries()) {
    ctx.strokeStyle = colours[at % colours.length] ?? '';
    ctx.strokeRect(box.x, box.y, box.width, box.height);
  }
  ctx.font = `bold ${size}px monospace`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  for (const [at, { number, label }] of marks.entries()) {
    ctx.fillStyle = colours[at % colours.length] ?? '';
    ctx.fillRect(label.x, label.y, label.width, label.height);
    ctx.fillStyle = '#fff';
    ctx.fillText(number, label.x + label.width / 2, label.y + label.height / 2 + 1, label.width);
  }
  const blob = await canvas.convertToBlob({ type, quality });
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Covering another number is worse than covering some of an element. */
const NUMBER_COST = 20;

/** A place for each label, given the boxes of the elements; both in pixels of the picture. */
export function placeLabels(boxes: readonly Rect[], sizes: readonly Size[], picture: Size): Rect[] {
  const placed: Rect[] = [];
  for (const [at, box] of boxes.entries()) {
    const size = sizes[at] ?? { width: 0, height: 0 };
    const others = boxes.filter(other => other !== box && !contains(other, box));
    placed.push(best(candidates(box, size, picture), placed, others));
  }
  return placed;
}

/** Outside first, where the element itself stays readable; then its corners. */
function candidates(box: Rect, size: Size, picture: Size) {
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
  const { width, height } = overlap(a, b) ?? NOTHING;
  return width * height;
}

const contains = (outer: Rect, inner: Rect): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;

interface VisibleRef {
  ref: Ref;
  /** The part of its box that is visible, in coordinates of the main viewport. */
  box: Rect;
}

interface Found {
  entry: PrintNode;
  box: Rect;
}

const VIEW: SnapshotView = { ...FULL_VIEW, mode: 'interactive' };

/** The visible interactive elements in a region of the main viewport, in the order of the snapshot. */
async function visibleRefs(tab: Tab, region: Rect, limits: Limits): Promise<VisibleRef[]> {
  const capture = await captureTab(tab, limits);
  const found: Found[] = descendantsOf(filterTree(capture.page, VIEW)).flatMap(entry => {
    const box = entry.ref && overlap(visibleBox(entry.node) ?? NOTHING, region);
    return box ? [{ entry, box }] : [];
  });
  const sessions = tab.frames.sessions().map(({ cdp }) => cdp);
  const isVisible = async ({ entry: { node }, box }: Found): Promise<boolean> => {
    // Outside of the viewport nothing can be hit-tested.
    if (!overlap(box, { x: 0, y: 0, ...capture.viewport })) return true;
    const cdp = sessions.find(({ key }) => key === node.process);
    return cdp !== undefined && isUncovered(tab, cdp, node, limits);
  };
  const visible = await Promise.all(found.map(isVisible));
  return found
    .filter((_, at) => visible[at])
    .map(({ entry, box }) => ({ ref: refOf(tab, capture, entry.control ?? entry.node, entry), box }));
}

const NOTHING: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** The box, clipped by its scrolling containers and frames. */
function visibleBox(node: SnapNode): Rect | undefined {
  let box = rectOf(node);
  for (let at: SnapNode | undefined = node; at && box; at = at.parent ?? at.doc.owner) {
    const clips = at !== node && (at.content !== undefined || isClipping(at));
    const clip = clips && rectOf(at);
    if (clip) box = overlap(box, clip);
  }
  return box;
}

/** The overflow of html and body belongs to the viewport. */
const isClipping = (node: SnapNode): boolean =>
  node.tag !== 'html' && node.tag !== 'body' && !/^(visible)?$/.test(css(node, 'overflow'));

function rectOf(node: SnapNode): Rect | undefined {
  const [x, y, width = 0, height = 0] = boxOf(node) ?? [];
  return x === undefined || y === undefined ? undefined : { x, y, width, height };
}

/** Some point of the element has nothing on top of it; false when the element has gone since the capture. */
async function isUncovered(tab: Tab, cdp: CdpSession, node: SnapNode, limits: Limits): Promise<boolean> {
  try {
    return await new Element(tab, limits, { cdp, id: node.id, frame: node.doc.frame }).call('isUncovered');
  } catch (error) {
    if (error instanceof CdpError || (error instanceof Failure && error.code === 'not_found')) return false;
    throw error;
  }
}
