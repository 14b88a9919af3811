// Which refs of a page can be seen in a part of it, and where: the same refs as a snapshot's.
import { Failure } from '../../errors.ts';
import { refOf } from '../elements/describe.ts';
import { Element } from '../elements/element.ts';
import type { Ref } from '../elements/refs.ts';
import type { Limits } from '../limits.ts';
import { type Capture, captureTab } from '../snapshot/capture/capture.ts';
import { boxOf, css, type SnapNode } from '../snapshot/capture/node.ts';
import { filterTree, type PrintNode, type SnapshotView } from '../snapshot/print/filter.ts';
import { CdpError, type CdpSession } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { overlap, type Rect } from './place-labels.ts';

export interface SeenRef {
  ref: Ref;
  /** What can be seen of it, in the coordinates of the main viewport. */
  box: Rect;
}

interface Found {
  kept: PrintNode;
  box: Rect;
}

const VIEW: SnapshotView = { mode: 'interactive', compact: false, includeText: true, includeBounds: false };

/** What can be acted on and seen within the region of the main viewport's coordinates, in the order of the snapshot. */
export async function seenRefs(tab: Tab, region: Rect, limits: Limits): Promise<SeenRef[]> {
  const taken = await captureTab(tab, limits);
  const found: Found[] = flat(filterTree(taken.page, VIEW).children).flatMap(kept => {
    const box = kept.ref && overlap(visibleBox(kept.node) ?? NOTHING, region);
    return box ? [{ kept, box }] : [];
  });
  const wires = (await tab.frames.wires(limits)).map(({ wire }) => wire);
  const uncovered = await Promise.all(found.map(item => isUncovered(tab, wires, taken, item, limits)));
  return found
    .filter((_, at) => uncovered[at])
    .map(({ kept, box }) => ({ ref: refOf(tab, taken, kept.control ?? kept.node, kept), box }));
}

const NOTHING: Rect = { x: 0, y: 0, width: 0, height: 0 };

const flat = (list: PrintNode[]): PrintNode[] => list.flatMap(kept => [kept, ...flat(kept.children)]);

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
  { viewport }: Capture,
  { kept: { node }, box }: Found,
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
