// Draws the number of each ref that can be seen onto a picture of the page. The page itself is not touched.
import { Failure } from '../../errors.ts';
import { formatRef, roleAndName } from '../elements/refs.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { placeLabels, type Rect } from './place-labels.ts';
import { seenRefs } from './visible-refs.ts';

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
 * The refs to be seen in a region of the page, with places for their numbers.
 * `scroll` is where the viewport stands on the page, `scale` the pixels of the picture per pixel of the page.
 */
export async function annotation(
  tab: Tab,
  region: Rect,
  scroll: { x: number; y: number },
  scale: number,
  limits: Limits,
): Promise<Annotation> {
  const shown = { ...region, x: region.x - scroll.x, y: region.y - scroll.y };
  const all = await seenRefs(tab, shown, limits);
  const seen = all.slice(0, MOST);
  const size = LETTER * Math.max(1, Math.min(2, scale));
  const boxes = seen.map(({ box }) => ({
    x: (box.x - shown.x) * scale,
    y: (box.y - shown.y) * scale,
    width: box.width * scale,
    height: box.height * scale,
  }));
  const numbers = seen.map(({ ref }) => String(ref.number));
  const sizes = numbers.map(({ length }) => ({ width: (length + 1) * size * 0.62, height: size + 2 }));
  const labels = placeLabels(boxes, sizes, { width: region.width * scale, height: region.height * scale });
  return {
    size,
    marks: numbers.map((number, at) => ({ number, box: boxes[at]!, label: labels[at]! })),
    lines: seen.map(({ ref }) => `${formatRef(ref, limits)} ${roleAndName(ref)}`),
    more: all.length - seen.length,
  };
}

/** The picture (a PNG) with the numbers on it, in another format if asked. */
export async function drawn(
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
