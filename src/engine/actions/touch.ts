// Touch: the events of one finger, at points of the main frame's viewport.
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import type { Point } from './mouse.ts';

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
