// Real mouse events, at points of the main frame's viewport.
import type { Protocol } from 'devtools-protocol';
import { Element } from '../elements/element.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { trouble } from './actionability.ts';

export interface Point {
  x: number;
  y: number;
}

export const BUTTONS = ['left', 'right', 'middle'] as const;
export type Button = (typeof BUTTONS)[number];

export const MODIFIERS = ['Alt', 'Control', 'Meta', 'Shift'] as const;
export type Modifier = (typeof MODIFIERS)[number];

export const modifierBits = (modifiers: readonly Modifier[] = []): number =>
  modifiers.reduce((bits, modifier) => bits | (1 << MODIFIERS.indexOf(modifier)), 0);

/** CDP counts Alt 1, Control 2, Meta 4, Shift 8: the order of MODIFIERS. */
export const move = (tab: Tab, point: Point, limits: Limits, modifiers = 0): Promise<void> =>
  dispatch(tab, limits, { type: 'mouseMoved', ...point, modifiers });

async function dispatch(tab: Tab, limits: Limits, event: Protocol.Input.DispatchMouseEventRequest): Promise<void> {
  await tab.send(limits, tab.main, 'Input.dispatchMouseEvent', event);
}

/** Moves there, presses and releases, count times: all sent together. */
export async function press(
  tab: Tab,
  point: Point,
  how: { button: Button; count: number; modifiers: number },
  limits: Limits,
): Promise<void> {
  tab.events.emit('pressed', point);
  const events = [move(tab, point, limits, how.modifiers)];
  for (let clickCount = 1; clickCount <= how.count; clickCount++)
    for (const type of ['mousePressed', 'mouseReleased'] as const)
      events.push(dispatch(tab, limits, { type, ...point, button: how.button, clickCount, modifiers: how.modifiers }));
  await Promise.all(events);
}

/** A point of the element's own frame, as a point of the main frame; fails when something covers the frame there. */
export async function toMainFrame(element: Element, point: Point, limits: Limits, force = false): Promise<Point> {
  const { tab, location } = element;
  if (location.frame === tab.main.root) return { x: point.x, y: point.y };
  let at: Point = point;
  let { frame, id } = await tab.frames.byId(location.frame, limits);
  for (let parent = frame.parentFrame(); parent; parent = frame.parentFrame()) {
    const place = await tab.frames.place(parent, limits);
    const { backendNodeId } = await tab.send(limits, place.wire, 'DOM.getFrameOwner', { frameId: id });
    const owner = new Element(tab, { wire: place.wire, id: backendNodeId, frame: place.id }, undefined, 'its frame');
    const seen = await owner.call(limits, 'frameOwnerPoint', at);
    if (seen.by !== undefined && !force) throw trouble(element, { trouble: 'covered', by: seen.by });
    at = { x: seen.x, y: seen.y };
    ({ frame, id } = place);
  }
  return at;
}

/** Puts the finger down, moves it along the way, and lifts it again. */
async function touch(tab: Tab, [start, ...way]: [Point, ...Point[]], limits: Limits): Promise<void> {
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    tab.send(limits, tab.main, 'Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [start]);
  try {
    for (const point of way) await send('touchMove', [point]);
    await send('touchEnd', []);
  } catch (error) {
    // Else the finger would stay on the page; one that is gone needs no end.
    tab.main.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] }).catch(() => undefined);
    throw error;
  }
}

export async function tap(tab: Tab, point: Point, limits: Limits): Promise<void> {
  tab.events.emit('pressed', point);
  await touch(tab, [point], limits);
}

/** In so many steps; what was thrown goes on moving, as it does under a real finger. */
export async function swipe(tab: Tab, from: Point, to: Point, steps: number, limits: Limits): Promise<void> {
  tab.events.emit('dragged', from, to);
  const way = Array.from({ length: steps }, (_, at) => ({
    x: from.x + ((to.x - from.x) * (at + 1)) / steps,
    y: from.y + ((to.y - from.y) * (at + 1)) / steps,
  }));
  await touch(tab, [from, ...way], limits);
}
