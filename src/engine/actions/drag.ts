// Drag: press on the source, several moves, a little past the middle of the target, release.

import type { Phrase } from '../../text.ts';
import type { Point } from '../geometry.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { resolveNamed, waitUntilActionable } from './actionability.ts';
import { checkInView, type PointerTarget } from './click.ts';
import { act, type Effects } from './effects.ts';
import { Pointer, toMainFrame } from './pointer.ts';

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
  const { source, source_coordinates, target, target_coordinates, offset, frameId } = input;
  if (source === undefined && source_coordinates) await checkInView(tab, source_coordinates, limits);
  const from = await endOf(tab, { selector: source, coordinates: source_coordinates, frameId }, limits);
  const to = offset
    ? away(offset)
    : await endOf(tab, { selector: target, coordinates: target_coordinates, frameId }, limits);
  const steps = Math.max(2, input.steps ?? 10);
  const { effects } = await act(tab, limits, async () => {
    const start = await from.point({ x: 0, y: 0 });
    if (input.touch) return new Pointer(tab, limits).swipe(start, await to.point(start), steps);
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
      if (!offset) await tab.race(limits, mouse.move(past.x, past.y));
    } finally {
      await tab.race(limits, mouse.up());
    }
  });
  return { from: from.label, to: to.label, ...effects };
}

interface DragEnd {
  label: string | Phrase;
  /** `start` is where the drag began. */
  point(start: Point): Promise<Point>;
}

const away = ({ x, y }: Point): DragEnd => ({
  label: `${x}, ${y} from there`,
  point: async start => ({ x: start.x + x, y: start.y + y }),
});

async function endOf(tab: Tab, { selector, coordinates, frameId }: PointerTarget, limits: Limits): Promise<DragEnd> {
  if (selector === undefined) {
    const point = coordinates ?? { x: 0, y: 0 };
    return { label: `(${point.x}, ${point.y})`, point: async () => point };
  }
  const element = await resolveNamed(tab, { selector, frameId }, limits);
  const wants = { point: true, ...(coordinates && { force: true }) };
  return {
    label: element.shownLabel,
    point: async () => toMainFrame(element, await waitUntilActionable(element, wants)),
  };
}
