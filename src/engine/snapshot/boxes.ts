// Boxes in the coordinates of the main viewport: frames added up, scrolling taken off.
import { css, type SnapDoc, type SnapNode } from './node.ts';

/** x, y, width, height in whole pixels; nothing for what is not laid out. */
export function boxOf(n: SnapNode): [number, number, number, number] | undefined {
  if (!n.box) return undefined;
  const [x = 0, y = 0, width = 0, height = 0] = n.box;
  const [left, top] = originOf(n.doc);
  return [Math.round(x + left), Math.round(y + top), Math.round(width), Math.round(height)];
}

/** Where the top left of a document's content stands in the main viewport. */
function originOf(doc: SnapDoc): [number, number] {
  const { owner } = doc;
  if (!owner) return [-doc.scrollX, -doc.scrollY];
  const [left, top] = originOf(owner.doc);
  const [x = 0, y = 0] = owner.box ?? [];
  const border = (side: 'border-left-width' | 'border-top-width'): number => Number.parseFloat(css(owner, side)) || 0;
  return [left + x + border('border-left-width') - doc.scrollX, top + y + border('border-top-width') - doc.scrollY];
}
