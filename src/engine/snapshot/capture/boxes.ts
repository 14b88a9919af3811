// Boxes in the coordinates of the main viewport: frames added up, scrolling taken off.
import type { SnapDoc, SnapNode } from './node.ts';

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
  const [x = 0, y = 0, width = 0, height = 0] = owner.box ?? [];
  // The frame's border and padding: what its own viewport lacks, half of it on each side.
  const [, , innerWidth = width, innerHeight = height] = doc.nodes[0]?.box ?? [];
  return [left + x + (width - innerWidth) / 2 - doc.scrollX, top + y + (height - innerHeight) / 2 - doc.scrollY];
}
