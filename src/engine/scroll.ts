// Scroll: an element into view, or a container or the page by a direction or to a position.
import { stillThere } from './approach.ts';
import type { Effects } from './effects.ts';
import { act } from './effects.ts';
import { Element } from './element.ts';
import type { ScrollAsk } from './inpage/fields.ts';
import type { Limits } from './limits.ts';
import type { Point } from './mouse.ts';
import { resolve } from './resolve.ts';
import type { Tab } from './tab.ts';

export interface ScrollInput {
  selector?: string | undefined;
  /** What stands there, in the frame, is scrolled; for those who do not name an element. */
  coordinates?: Point | undefined;
  direction?: 'up' | 'down' | 'left' | 'right' | undefined;
  amount?: number | undefined;
  position?: { x?: number | undefined; y?: number | undefined } | undefined;
  into_view?: boolean;
  block?: 'start' | 'center' | 'end' | 'nearest';
  smooth?: boolean;
  frameId?: number | undefined;
}

export interface Scrolled extends Effects {
  what: string;
  x: number;
  y: number;
  maxX: number;
  maxY: number;
  moved: boolean;
}

export async function scroll(tab: Tab, input: ScrollInput, limits: Limits): Promise<Scrolled> {
  const element =
    input.selector === undefined
      ? await standingAt(tab, input.coordinates, input.frameId, limits)
      : await resolve(tab, input.selector, input.frameId, limits);
  const { value, effects } = await act(tab, limits, async () => {
    if (input.selector !== undefined) await stillThere(element, limits);
    return element.call(limits, 'scrollIt', askOf(input));
  });
  const at = value ?? { what: 'page', x: 0, y: 0, maxX: 0, maxY: 0, moved: false };
  return { ...at, what: at.what === 'page' ? 'page' : element.label, ...effects };
}

const WAYS: Record<NonNullable<ScrollInput['direction']>, Point> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
};

/** An element alone is brought into view; with a direction or a position it is the container to scroll. */
function askOf(input: ScrollInput): ScrollAsk {
  const smooth = input.smooth === true;
  const isAlone = input.selector !== undefined && input.direction === undefined && input.position === undefined;
  if (input.into_view || isAlone) return { into: input.block ?? 'center', smooth };
  if (input.position) {
    const { x, y } = input.position;
    return { to: { ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) }, smooth };
  }
  const way = WAYS[input.direction ?? 'down'];
  // Most of a screen when no amount is given: a little overlap keeps the place.
  if (input.amount === undefined) return { pages: { x: way.x * 0.85, y: way.y * 0.85 }, smooth };
  return { by: { x: way.x * input.amount, y: way.y * input.amount }, smooth };
}

/** The element at that point; the page itself without one. */
async function standingAt(
  tab: Tab,
  at: Point | undefined,
  frameId: number | undefined,
  limits: Limits,
): Promise<Element> {
  const place = await tab.frames.byNumber(frameId ?? 0, limits);
  const contextId = await place.wire.own(place.id);
  const { result } = await tab.send(limits, place.wire, 'Runtime.evaluate', {
    expression: `${at ? `document.elementFromPoint(${at.x}, ${at.y}) ?? ` : ''}document.documentElement`,
    contextId,
  });
  const { node } = await tab.send(limits, place.wire, 'DOM.describeNode', { objectId: result.objectId ?? '' });
  const said = at ? `what is at (${at.x}, ${at.y})` : 'the page';
  return new Element(tab, { wire: place.wire, id: node.backendNodeId, frame: place.id }, undefined, said);
}
