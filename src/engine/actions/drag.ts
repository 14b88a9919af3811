// Drag: presses on the source, moves in steps to the target, and follows it while the page makes room; then says where things ended up.

import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { capital, type Phrase, phrase, TAKE_SNAPSHOT } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import type { Point } from '../geometry.ts';
import type { DragOutcome, DropAim, DropAsk, DropSide } from '../inpage/drag.ts';
import { HeldMouse } from '../input/held-mouse.ts';
import { type Limits, remaining, tryFor } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { itemPoint, resolveNamed, waitUntilActionable } from './actionability.ts';
import { checkInView, type PointerTarget } from './click.ts';
import { act, type Effects } from './effects.ts';
import { pointOfMainFrame } from './frame-point.ts';
import { aimAt, Pointer, toMainFrame } from './pointer.ts';
import { dragByKeys } from './widgets/drag-by-keys.ts';

export const SIDES = ['onto', 'before', 'after'] as const satisfies DropSide[];

export interface DragInput {
  source?: string | undefined;
  source_coordinates?: Point | undefined;
  target?: string | undefined;
  target_coordinates?: Point | undefined;
  /** So far from the source. */
  offset?: Point | undefined;
  position?: DropSide;
  steps?: number;
  /** With a finger instead of the mouse. */
  touch?: boolean;
  /** With keys, where the page takes them. */
  keyboard?: boolean;
  frameId?: number | undefined;
}

export interface DragResult extends Effects {
  from: string | Phrase;
  to: string | Phrase;
  /** It was where it was to go: nothing was dragged. */
  isThere?: true;
  /** What came of it, where the source was an element of a page that is still there. */
  outcome?: DragOutcome;
}

export async function drag(tab: Tab, input: DragInput, limits: Limits): Promise<DragResult> {
  const { source, source_coordinates, target, target_coordinates, offset, frameId, position = 'onto' } = input;
  if (source === undefined && source_coordinates) await checkInView(tab, source_coordinates, limits);
  const from = await endOf(tab, { selector: source, coordinates: source_coordinates, frameId }, limits, aimAt);
  const to = offset
    ? away(offset)
    : await endOf(tab, { selector: target, coordinates: target_coordinates, frameId }, limits);
  const steps = Math.max(2, input.steps ?? 10);
  const move = new Drag(tab, limits, from, to, position, steps);
  const ends = { from: from.label, to: to.label };
  const start = await move.begin(input.keyboard === true);
  if (!start) return { ...ends, isThere: true };
  const { effects } = await act(
    tab,
    limits,
    () => (input.keyboard ? move.runByKeys() : input.touch ? move.swipe(start) : move.run(start)),
    defined({ at: from.element?.location }),
  );
  const outcome = effects.navigated || effects.dialog ? undefined : await move.outcome();
  return { ...ends, ...effects, ...(outcome && { outcome }) };
}

/** Where the pointer goes, tried until the page makes room there. */
const AIMS: Record<'on' | 'beside', readonly Omit<DropAsk, 'side'>[]> = {
  on: [{ part: 0.5 }, { part: 0.5 }],
  beside: [
    { part: 0.25 },
    { part: 0.5 },
    { part: 0.25, over: true },
    { part: 0.1 },
    { part: 0.5, over: true },
    { part: 0.75 },
    { part: 0.25 },
  ],
};
/** How long, in ms, it may take to learn what came of it. */
const OUTCOME_MS = 1_500;

class Drag {
  /** Where the source was, when it is an item of a drawing. */
  #itemWas: Point | undefined;

  constructor(
    readonly tab: Tab,
    readonly limits: Limits,
    readonly from: DragEnd,
    readonly to: DragEnd,
    readonly side: DropSide,
    readonly steps: number,
  ) {}

  async swipe(start: Point): Promise<void> {
    return new Pointer(this.tab, this.limits).swipe(start, await this.to.point(start), this.steps);
  }

  async run(start: Point): Promise<void> {
    const { tab, limits, to } = this;
    const mouse = new HeldMouse(tab, limits, start);
    try {
      await mouse.press();
      const seen = await to.point(start);
      const goal = to.element && this.side !== 'onto' ? await this.#aim(to.element, { part: 0.25 }) : seen;
      tab.events.emit('dragged', start, goal);
      await mouse.moveTo(goal, this.steps);
      // An item of a drawing does not move away.
      if (to.element && to.element.ref?.item === undefined) await this.#findPlace(mouse, to.element, start, goal);
      await mouse.release();
    } finally {
      mouse.leave();
    }
  }

  async runByKeys(): Promise<void> {
    const { from, to, side } = this;
    if (!from.element || !to.element)
      throw new Failure(
        'bad_input',
        'A drag with the keyboard goes from one element to another.',
        'Give source and target.',
      );
    await dragByKeys(from.element, to.element, side);
  }

  /** Where to press; nothing when the source is where it is to go already. */
  async begin(byKeys: boolean): Promise<Point | undefined> {
    const { from, to, side } = this;
    const start = byKeys ? { x: 0, y: 0 } : await from.point({ x: 0, y: 0 });
    await from.element?.call('beginDrag');
    this.#itemWas = from.element && (await itemPoint(from.element));
    const isThere = from.element && side !== 'onto' && (await to.element?.call('isThere', side));
    return isThere ? undefined : start;
  }

  async #aim(target: Element, ask: Omit<DropAsk, 'side'>): Promise<DropAim> {
    const aim = await target.call('dropAim', { side: this.side, ...ask });
    return { ...(await pointOfMainFrame(target, aim)), isRight: aim.isRight };
  }

  /** Lists that make room move the target away: goes after it until what is dragged is on the right side of it. */
  async #findPlace(mouse: HeldMouse, target: Element, start: Point, goal: Point): Promise<void> {
    let last = goal;
    // Some lists decide by the last movement, and only past the middle.
    const past = { x: Math.sign(goal.x - start.x) * 3, y: Math.sign(goal.y - start.y) * 3 };
    for (const ask of AIMS[this.side === 'onto' ? 'on' : 'beside']) {
      const next = await this.#aim(target, ask);
      if (next.isRight) return;
      await mouse.moveTo(next, Math.hypot(next.x - last.x, next.y - last.y) > 20 ? 4 : 2);
      if (this.side === 'onto') await mouse.moveTo({ x: next.x + past.x, y: next.y + past.y }, 1);
      last = next;
    }
  }

  /** Fails when the source was to be beside the target and is not. */
  async outcome(): Promise<DragOutcome | undefined> {
    const { from, to, side, limits } = this;
    if (!from.element) return undefined;
    const [source, target] = [from.element, to.element];
    if (this.#itemWas) return itemOutcome(source, this.#itemWas);
    const time = Math.min(OUTCOME_MS, remaining(limits) / 2);
    const isAsked = side === 'onto' || !target || (await tryFor(limits, time, () => target.call('isDropped', side)));
    const outcome = await tryFor(limits, time, () => source.call('dragOutcome'));
    if (!outcome || isAsked) return outcome;
    throw new Failure(
      'not_taken',
      phrase`${from.label} was dragged, but is not ${side} ${to.label}${outcomeWords(outcome)}.`,
      phrase`${capital(TAKE_SNAPSHOT)} to see the order, or drag it to another place.`,
    );
  }
}

/** Of an item of a drawing; it is gone when its library does not tell of it any more. */
async function itemOutcome(source: Element, was: Point): Promise<DragOutcome> {
  const now = await itemPoint(source).catch(error => {
    if (error instanceof Failure && error.code === 'stale_ref') return undefined;
    throw error;
  });
  if (!now) return { isGone: true, changed: true };
  const moved = { x: Math.round(now.x - was.x), y: Math.round(now.y - was.y) };
  return moved.x === 0 && moved.y === 0 ? { changed: false } : { moved, changed: true };
}

const quote = (text: string): string => JSON.stringify(text);

/** Where the thing ended up, after the words of what was done. */
export function outcomeWords({ place, moved, value, isGone, changed }: DragOutcome): string {
  if (place) {
    const list = place.list === undefined ? '' : ` in ${place.list}`;
    const beside = place.after
      ? `, after ${quote(place.after)}`
      : place.before
        ? `, before ${quote(place.before)}`
        : '';
    return `; it is now ${place.at} of ${place.of}${list}${beside}`;
  }
  if (isGone) return '; it is no longer shown there';
  const far = moved && `it moved by ${moved.x}, ${moved.y}`;
  const set = value && `its value is now ${quote(value.is)}, it was ${quote(value.was)}`;
  if (far || set) return `; ${[set, far].filter(Boolean).join(', ')}`;
  return changed
    ? '; it is where it was, though the page has changed'
    : '; it is where it was: the page did not take it';
}

interface DragEnd {
  label: string | Phrase;
  element?: Element;
  /** `start` is where the drag began. */
  point(start: Point): Promise<Point>;
}

const away = ({ x, y }: Point): DragEnd => ({
  label: `${x}, ${y} from there`,
  point: async start => ({ x: start.x + x, y: start.y + y }),
});

async function endOf(
  tab: Tab,
  { selector, coordinates, frameId }: PointerTarget,
  limits: Limits,
  toPoint = toMainFrame,
): Promise<DragEnd> {
  if (selector === undefined) {
    const point = coordinates ?? { x: 0, y: 0 };
    return { label: `(${point.x}, ${point.y})`, point: async () => point };
  }
  const element = await resolveNamed(tab, { selector, frameId }, limits);
  const wants = { point: true, ...(coordinates && { force: true }) };
  return {
    label: element.shownLabel,
    element,
    point: async () => toPoint(element, await waitUntilActionable(element, wants)),
  };
}
