// Real mouse and touch events, at points of the main frame's viewport.
import type { Protocol } from 'devtools-protocol';
import type { Element } from '../elements/element.ts';
import type { Point } from '../geometry.ts';
import { type Limits, remaining } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { trouble } from './actionability.ts';
import { pointOfMainFrame } from './frame-point.ts';

export const BUTTONS = ['left', 'right', 'middle'] as const;
export type Button = (typeof BUTTONS)[number];

/** A press of a mouse button, once or several times in a row. */
export interface MousePress {
  button: Button;
  count: number;
  modifiers: number;
}

/** The mouse and the finger of one call. */
export class Pointer {
  constructor(
    readonly tab: Tab,
    readonly limits: Limits,
  ) {}

  moveTo(point: Point, modifiers = 0): Promise<void> {
    return this.#mouse({ type: 'mouseMoved', ...point, modifiers });
  }

  turnWheel(point: Point, by: Point): Promise<void> {
    return this.#mouse({ type: 'mouseWheel', ...point, deltaX: by.x, deltaY: by.y });
  }

  /** Moves there, presses and releases, count times: all sent together. */
  async press(point: Point, { button, count, modifiers }: MousePress): Promise<void> {
    this.tab.events.emit('pressed', point);
    const events = [this.moveTo(point, modifiers)];
    for (let clickCount = 1; clickCount <= count; clickCount++)
      for (const type of ['mousePressed', 'mouseReleased'] as const)
        events.push(this.#mouse({ type, ...point, button, clickCount, modifiers }));
    await Promise.all(events);
  }

  async tap(point: Point): Promise<void> {
    this.tab.events.emit('pressed', point);
    await this.#touch(point, []);
  }

  /** In so many steps; what was thrown goes on moving, as it does under a real finger. */
  async swipe(from: Point, to: Point, steps: number): Promise<void> {
    this.tab.events.emit('dragged', from, to);
    const path = Array.from({ length: steps }, (_, at) => ({
      x: from.x + ((to.x - from.x) * (at + 1)) / steps,
      y: from.y + ((to.y - from.y) * (at + 1)) / steps,
    }));
    await this.#touch(from, path);
  }

  async #mouse(event: Protocol.Input.DispatchMouseEventRequest): Promise<void> {
    await this.tab.send(this.limits, this.tab.main, 'Input.dispatchMouseEvent', event);
  }

  /** Puts the finger down, moves it along the path, and lifts it again. */
  async #touch(start: Point, path: Point[]): Promise<void> {
    const { tab } = this;
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
      tab.send(this.limits, tab.main, 'Input.dispatchTouchEvent', { type, touchPoints });
    await send('touchStart', [start]);
    try {
      for (const point of path) await send('touchMove', [point]);
      await send('touchEnd', []);
    } catch (error) {
      // Else the finger would stay on the page. It fails when the page has gone.
      tab.main.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] }).catch(() => undefined);
      throw error;
    }
  }
}

/** A point of the element's own frame, as a point of the main frame; fails when something covers the frame there. */
export async function toMainFrame(element: Element, point: Point, force = false): Promise<Point> {
  const { x, y, by } = await pointOfMainFrame(element, point);
  if (by !== undefined && !force) throw trouble(element, { trouble: 'covered', by });
  return { x, y };
}

/** The same, with the mouse there when the element is in a frame of another process: else the press might go elsewhere. */
export async function aimAt(element: Element, point: Point, force = false): Promise<Point> {
  const at = await toMainFrame(element, point, force);
  if (!force && element.location.cdp !== element.tab.main) await moveOver(element, at);
  return at;
}

/** Left over of the call's time to say what is wrong. */
const RESERVE_MS = 200;

/** Moves the mouse until a frame in another process gets it: Chrome sends it there only when the frame is painted in its place. */
async function moveOver(element: Element, point: Point): Promise<void> {
  const { tab, limits } = element;
  const pointer = new Pointer(tab, limits);
  for (;;) {
    const [isThere] = await Promise.all([element.call('pointerArrives'), pointer.moveTo(point)]);
    if (isThere) return;
    if (remaining(limits) < RESERVE_MS)
      throw trouble(element, { trouble: 'covered', by: 'something outside its frame' });
  }
}
