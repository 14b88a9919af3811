// Scroll: an element into view, or a container or the page by a direction or to a position.

import { defined } from '../../defined.ts';
import type { Phrase } from '../../text.ts';
import { Element } from '../elements/element.ts';
import type { Point } from '../geometry.ts';
import type { ScrollAsk } from '../inpage/fields.ts';
import { type Limits, remaining } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import type { FindResult } from '../text/find.ts';
import { checkUnchanged, resolveNamed, waitUntilActionable } from './actionability.ts';
import { act, type Effects } from './effects.ts';
import { Pointer, toMainFrame } from './pointer.ts';
import { seek } from './seek.ts';

export interface ScrollInput {
  selector?: string | undefined;
  /** The element at this point of the frame is scrolled, when no element is named. */
  coordinates?: Point | undefined;
  direction?: 'up' | 'down' | 'left' | 'right' | undefined;
  amount?: number | undefined;
  position?: { x?: number | undefined; y?: number | undefined } | undefined;
  /** Scroll on until this text is shown. */
  text?: string | undefined;
  into_view?: boolean;
  block?: 'start' | 'center' | 'end' | 'nearest';
  smooth?: boolean;
  /** By the mouse wheel over the element, so that listeners of wheel events get them: by so many ticks … */
  use_wheel?: boolean;
  /** … or by so many pixels. */
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
  /** The lines with the text that was to be shown. */
  found?: FindResult;
}

export async function scroll(tab: Tab, input: ScrollInput, limits: Limits): Promise<ScrollResult> {
  const { selector, frameId } = input;
  const element =
    selector === undefined
      ? await elementAt(tab, input.coordinates, frameId, limits)
      : await resolveNamed(tab, { selector, frameId }, limits);
  const { text } = input;
  const { value, effects } = await act(tab, limits, async () => {
    if (selector !== undefined) await checkUnchanged(element);
    if (text !== undefined) {
      const found = await seek(element, selector === undefined ? 'the page' : element.shownLabel, { ...input, text });
      return { ...(await element.call('scrollElement', STAY)), moved: true, found };
    }
    if (input.wheel || input.use_wheel) return turnWheel(element, input, input.wheel ?? ticksOf(input));
    return element.call('scrollElement', askOf(input));
  });
  const at = value ?? { what: 'page', x: 0, y: 0, maxX: 0, maxY: 0, moved: false };
  return { ...at, what: at.what === 'page' ? 'page' : element.shownLabel, ...effects };
}

/** How long, in ms, a page may go on moving after the wheel was turned. */
const MOVING_MS = 1_000;
const STAY: ScrollAsk = { by: { x: 0, y: 0 }, smooth: false };

/** Turns the wheel over the element, and reports the scroll position when nothing moves any more. */
async function turnWheel(element: Element, { selector, coordinates }: ScrollInput, wheel: Point) {
  const { tab, limits } = element;
  const look = () => element.call('scrollElement', STAY);
  const over =
    selector === undefined
      ? (coordinates ?? (await middleOf(tab, limits)))
      : await toMainFrame(element, await waitUntilActionable(element, { point: true }));
  const before = await look();
  const pointer = new Pointer(tab, limits);
  await pointer.moveTo(over);
  await pointer.turnWheel(over, wheel);
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

const DIRECTIONS: Record<NonNullable<ScrollInput['direction']>, Point> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
};

/** What Chrome scrolls for one tick of a usual mouse wheel. */
const TICK_PX = 100;

function ticksOf({ direction = 'down', amount = 1 }: ScrollInput): Point {
  const to = DIRECTIONS[direction];
  return { x: to.x * amount * TICK_PX, y: to.y * amount * TICK_PX };
}

/** An element alone is brought into view; with a direction or a position it is the container to scroll. */
function askOf(input: ScrollInput): ScrollAsk {
  const smooth = input.smooth === true;
  const isAlone = input.selector !== undefined && input.direction === undefined && input.position === undefined;
  if (input.into_view || isAlone) return { into: input.block ?? 'center', smooth };
  if (input.position) return { to: defined(input.position), smooth };
  const to = DIRECTIONS[input.direction ?? 'down'];
  // Most of a screen when no amount is given: a little overlap keeps the place.
  if (input.amount === undefined) return { pages: { x: to.x * 0.85, y: to.y * 0.85 }, smooth };
  return { by: { x: to.x * input.amount, y: to.y * input.amount }, smooth };
}

/** The element at that point; the page itself without one. */
async function elementAt(
  tab: Tab,
  at: Point | undefined,
  frameId: number | undefined,
  limits: Limits,
): Promise<Element> {
  const place = tab.frames.byNumber(frameId ?? 0, limits);
  const { cdp, id: frame } = place;
  const expression = `${at ? `document.elementFromPoint(${at.x}, ${at.y}) ?? ` : ''}tabwright.pageScroller()`;
  const [id = 0] = (await tab.race(limits, cdp.nodes(expression, await cdp.own(frame)))) ?? [];
  const description = at ? `what is at (${at.x}, ${at.y})` : 'the page';
  return new Element(tab, limits, { cdp, id, frame }, { description });
}
