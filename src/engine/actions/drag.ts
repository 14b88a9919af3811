// Drag: press on the source, several moves, a little past the middle of the target, release.

import type { Phrase } from '../../text.ts';
import { resolve } from '../elements/resolve.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { waitUntilActionable } from './actionability.ts';
import { act, type Effects } from './effects.ts';
import { type Point, swipe, toMainFrame } from './pointer.ts';

export interface DragInput {
  source?: string | undefined;
  source_coordinates?: Point | undefined;
  target?: string | undefined;
  target_coordinates?: Point | undefined;
  /** So far from the source. */
  offset?: Point | undefined;
  steps?: number;
  /** With a finger instead of the mouse. */
  touch?: boolean;
  frameId?: number | undefined;
}

export interface DragResult extends Effects {
  from: string | Phrase;
  to: string | Phrase;
}

export async function drag(tab: Tab, input: DragInput, limits: Limits): Promise<DragResult> {
  const from = await end(tab, input.source, input.source_coordinates, input.frameId, limits);
  const to = input.offset
    ? away(input.offset)
    : await end(tab, input.target, input.target_coordinates, input.frameId, limits);
  const steps = Math.max(2, input.steps ?? 10);
  const { effects } = await act(tab, limits, async () => {
    const start = await from.point({ x: 0, y: 0 });
    if (input.touch) return swipe(tab, start, await to.point(start), steps, limits);
    // Playwright's mouse follows native drags, where Chrome sends no mouse events of its own.
    const { mouse } = tab.page;
    await tab.race(limits, mouse.move(start.x, start.y));
    await tab.race(limits, mouse.down());
    try {
      const goal = await to.point(start);
      tab.events.emit('dragged', start, goal);
      await tab.race(limits, mouse.move(goal.x, goal.y, { steps }));
      // Some lists decide by the last movement, and only past the middle.
      const past = { x: goal.x + Math.sign(goal.x - start.x) * 3, y: goal.y + Math.sign(goal.y - start.y) * 3 };
      if (!input.offset) await tab.race(limits, mouse.move(past.x, past.y));
    } finally {
      await tab.race(limits, mouse.up());
    }
  });
  return { from: from.label, to: to.label, ...effects };
}

interface End {
  label: string | Phrase;
  /** `start` is where the drag began. */
  point(start: Point): Promise<Point>;
}

const away = ({ x, y }: Point): End => ({
  label: `${x}, ${y} from there`,
  point: async start => ({ x: start.x + x, y: start.y + y }),
});

async function end(
  tab: Tab,
  selector: string | undefined,
  at: Point | undefined,
  frameId: number | undefined,
  limits: Limits,
): Promise<End> {
  if (selector === undefined) {
    const point = at ?? { x: 0, y: 0 };
    return { label: `(${point.x}, ${point.y})`, point: async () => point };
  }
  const element = await resolve(tab, selector, frameId, limits);
  return {
    label: element.label,
    point: async () =>
      toMainFrame(
        element,
        await waitUntilActionable(element, { point: true, ...(at ? { force: true } : {}) }, limits),
        limits,
      ),
  };
}
