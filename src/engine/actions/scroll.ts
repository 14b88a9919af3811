// Scroll: an element into view, or a container or the page by a direction or to a position.

import type { Phrase } from '../../text.ts';
import { Element } from '../elements/element.ts';
import { resolve } from '../elements/resolve.ts';
import type { ScrollAsk } from '../inpage/fields.ts';
import { type Limits, remaining } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { checkUnchanged, waitUntilActionable } from './actionability.ts';
import type { Effects } from './effects.ts';
import { act } from './effects.ts';
import { move, type Point, toMainFrame } from './pointer.ts';

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
  /** By the mouse wheel over the element, so far: what listens to the wheel hears it. */
  wheel?: Point | undefined;
  frameId?: number | undefined;
}

export interface ScrollResult extends Effects {
  what: string | Phrase;
  x: number;
  y: number;
  maxX: number;
  maxY: number;
  moved: boolean;
}

export async function scroll(tab: Tab, input: ScrollInput, limits: Limits): Promise<ScrollResult> {
  const element =
    input.selector === undefined
      ? await standingAt(tab, input.coordinates, input.frameId, limits)
      : await resolve(tab, input.selector, input.frameId, limits);
  const { value, effects } = await act(tab, limits, async () => {
    if (input.selector !== undefined) await checkUnchanged(element, limits);
    if (input.wheel) return turnWheel(element, input, input.wheel, limits);
    return element.call(limits, 'scrollIt', askOf(input));
  });
  const at = value ?? { what: 'page', x: 0, y: 0, maxX: 0, maxY: 0, moved: false };
  return { ...at, what: at.what === 'page' ? 'page' : element.label, ...effects };
}

/** How long, in ms, a page may go on moving after the wheel was turned. */
const MOVING_MS = 1_000;
const STAY: ScrollAsk = { by: { x: 0, y: 0 }, smooth: false };

/** Turns the wheel over the element, and tells where it stands when nothing moves any more. */
async function turnWheel(element: Element, { selector, coordinates }: ScrollInput, wheel: Point, limits: Limits) {
  const { tab } = element;
  const look = () => element.call(limits, 'scrollIt', STAY);
  const over =
    selector === undefined
      ? (coordinates ?? (await middleOf(tab, limits)))
      : await toMainFrame(element, await waitUntilActionable(element, { point: true }, limits), limits);
  const before = await look();
  await move(tab, over, limits);
  const turned = { type: 'mouseWheel' as const, ...over, deltaX: wheel.x, deltaY: wheel.y };
  await tab.send(limits, tab.main, 'Input.dispatchMouseEvent', turned);
  const until = performance.now() + Math.min(MOVING_MS, remaining(limits));
  let last = before;
  let now = await look();
  // Chrome moves the page in some of the next frames, not at once.
  while (performance.now() < until && (isSame(now, before) || !isSame(now, last))) {
    last = now;
    now = await look();
  }
  return { ...now, moved: !isSame(now, before) };
}

const isSame = (one: Point, other: Point): boolean => one.x === other.x && one.y === other.y;

async function middleOf(tab: Tab, limits: Limits): Promise<Point> {
  const { cssVisualViewport: view } = await tab.send(limits, tab.main, 'Page.getLayoutMetrics');
  return { x: view.clientWidth / 2, y: view.clientHeight / 2 };
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
