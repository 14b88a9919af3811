// From a point of a frame to the same point of the main frame, through all frames between, which are scrolled so that it is in view.
import { Element } from '../elements/element.ts';
import type { Point } from '../geometry.ts';

/** `by` is the innermost thing that covers a frame at the point. */
export async function pointOfMainFrame(element: Element, { x, y }: Point): Promise<Point & { by?: string }> {
  const { tab, limits, location } = element;
  let at: Point & { by?: string } = { x, y };
  if (location.frame === tab.main.root) return at;
  let { frame, id } = await tab.frames.byId(location.frame, limits);
  for (let parent = frame.parentFrame(); parent; parent = frame.parentFrame()) {
    const place = await tab.frames.place(parent, limits);
    const { backendNodeId } = await tab.send(limits, place.cdp, 'DOM.getFrameOwner', { frameId: id });
    const location = { cdp: place.cdp, id: backendNodeId, frame: place.id };
    const owner = new Element(tab, limits, location, { description: 'its frame' });
    at = { ...at, ...(await owner.call('frameOwnerPoint', { x: at.x, y: at.y })) };
    ({ frame, id } = place);
  }
  return at;
}
