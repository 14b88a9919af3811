// From a point of a frame to the same point of the main frame, through all frames between, which are scrolled so that it is in view.
import { Element } from '../elements/element.ts';
import type { Point } from '../geometry.ts';

/** `by` is the innermost thing that covers a frame at the point. */
export async function pointOfMainFrame(element: Element, { x, y }: Point): Promise<Point & { by?: string }> {
  const { tab, limits, location } = element;
  let at: Point & { by?: string } = { x, y };
  if (location.frame === tab.main.root) return at;
  let { frame } = tab.frames.byId(location.frame);
  for (let { parent } = frame; parent; { parent } = frame) {
    const { cdp } = parent;
    const { backendNodeId } = await tab.send(limits, cdp, 'DOM.getFrameOwner', { frameId: frame.id });
    const location = { cdp, id: backendNodeId, frame: parent.id };
    const owner = new Element(tab, limits, location, { description: 'its frame' });
    at = { ...at, ...(await owner.call('frameOwnerPoint', { x: at.x, y: at.y })) };
    frame = parent;
  }
  return at;
}
