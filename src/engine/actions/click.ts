// Click, double click and hover: one look, real input events, and the truth about where they landed.

import { CdpError } from '../../cdp/errors.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import { Element } from '../elements/element.ts';
import type { ElementTarget } from '../elements/parse-target.ts';
import { quoteSelector, resolve } from '../elements/resolve.ts';
import type { Point } from '../geometry.ts';
import type { Landing } from '../inpage/press-guard.ts';
import { type Modifier, modifierBits } from '../input/keys.ts';
import { bounded, type Limits, pause, remaining } from '../limits.ts';
import { viewportOf } from '../snapshot/capture/capture.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, actOn, actOnElement, trouble, waitUntilActionable } from './actionability.ts';
import { type ActOptions, act, unlessLeaving } from './effects.ts';
import { aimAt, type Button, type MousePress, Pointer } from './pointer.ts';

/** An element, or a point of the viewport. */
export interface PointerTarget {
  selector?: string | undefined;
  coordinates?: Point | undefined;
  frameId?: number | undefined;
}

export interface ClickInput extends PointerTarget {
  button?: Button;
  click_count?: number;
  modifiers?: Modifier[] | undefined;
  force?: boolean;
  no_wait_after?: boolean;
  wait_for_navigation?: boolean;
  /** With a finger instead of the mouse. */
  touch?: boolean;
}

export function click(tab: Tab, input: ClickInput, limits: Limits): Promise<ActionResult> {
  const { button = 'left', click_count: count = 1, touch, force = false, selector } = input;
  const press = { button, count, modifiers: modifierBits(input.modifiers) };
  const pointer = new Pointer(tab, limits);
  const run: PointerAction = {
    at: point => (touch ? pointer.tap(point) : pointer.press(point, press)),
    on: element => (touch ? tapOn(element, force) : clickOn(element, press, force)),
  };
  return actAt(tab, input, limits, run, {
    wait: input.no_wait_after !== true,
    navigation: input.wait_for_navigation === true,
    flushed: selector !== undefined && !force && !touch,
  });
}

export function hover(tab: Tab, input: PointerTarget, limits: Limits): Promise<ActionResult> {
  const pointer = new Pointer(tab, limits);
  return actAt(tab, input, limits, {
    at: point => pointer.moveTo(point),
    on: hoverOn,
  });
}

export async function hoverOn(element: Element): Promise<void> {
  const seen = await waitUntilActionable(element, { point: true });
  await new Pointer(element.tab, element.limits).moveTo(await aimAt(element, seen));
}

/** What the mouse or the finger does at a point, and on an element. */
interface PointerAction {
  at(point: Point): Promise<void>;
  on(element: Element): Promise<void>;
}

async function actAt(
  tab: Tab,
  { selector, coordinates, frameId }: PointerTarget,
  limits: Limits,
  run: PointerAction,
  options?: ActOptions,
): Promise<ActionResult> {
  const target = selector === undefined ? undefined : { selector, frameId };
  if (target && !coordinates) return actOn(tab, target, limits, element => run.on(element), options);
  // The tool's schema makes sure that there is a point when there is no selector.
  if (!coordinates) throw new Failure('bad_input', 'Neither selector nor coordinates were given.', 'Give one of them.');
  const element = target && (await ifFound(tab, target, limits));
  if (element) return actOnElement(element, () => run.on(element), options);
  await checkInView(tab, coordinates, limits);
  const { effects } = await act(tab, limits, () => run.at(coordinates), options);
  const point = `(${coordinates.x}, ${coordinates.y})`;
  return { element: target ? `${point}, as ${quoteSelector(target.selector)} is not there` : point, ...effects };
}

/** Chrome takes mouse events anywhere, but outside the viewport nothing gets them. */
export async function checkInView(tab: Tab, { x, y }: Point, limits: Limits): Promise<void> {
  const { width, height } = await viewportOf(tab, limits);
  if (x >= 0 && y >= 0 && x < width && y < height) return;
  throw new Failure(
    'bad_input',
    `The point (${x}, ${y}) is outside the viewport, which is ${width} x ${height} CSS pixels.`,
    'Scroll what you mean into view, and give the point where it is then.',
  );
}

/** The element, if it comes within half of the time that is left. */
async function ifFound(tab: Tab, target: ElementTarget, limits: Limits): Promise<Element | undefined> {
  const late = () => new Failure('not_found', 'late');
  return bounded(limits, remaining(limits) / 2, late, bound => resolve(tab, target, bound)).then(
    ({ location, ref, description }) => new Element(tab, limits, location, defined({ ref, description })),
    error => {
      if (error instanceof Failure && error.code === 'not_found') return undefined;
      throw error;
    },
  );
}

async function tapOn(element: Element, force: boolean): Promise<void> {
  const seen = await waitUntilActionable(element, { point: true, enabled: true, force });
  await new Pointer(element.tab, element.limits).tap(await aimAt(element, seen, force));
}

const LEFT_CLICK: MousePress = { button: 'left', count: 1, modifiers: 0 };
/** Too little left of the call's time for another try. */
const RESERVE_MS = 200;

/**
 * One look that also puts up the guard, then the mouse events. Hover can move things: a press that would land elsewhere is
 * swallowed by the guard, and the next try looks again with the mouse in place.
 */
export async function clickOn(element: Element, press = LEFT_CLICK, force = false): Promise<void> {
  const { tab, limits } = element;
  for (;;) {
    const seen = await waitUntilActionable(element, { point: true, enabled: true, arm: !force, force });
    const pressing = new Pointer(tab, limits).press(await aimAt(element, seen, force), press);
    if (force) return pressing;
    if (seen.saves) tab.events.emit('downloading');
    const { landed, by, mark, quiet = false } = await landing(element, pressing, press.count);
    element.markAfter = mark;
    element.isQuiet = quiet;
    if (landed !== false) return;
    if (remaining(limits) < RESERVE_MS) throw trouble(element, { trouble: 'covered', by });
  }
}

/** Chrome has dealt with the press, but our guard has not seen it: a listener of the page has stopped the event. */
const UNREPORTED_MS = 100;
const TAKEN: Landing = { landed: true, by: '' };

/** Where the press landed. A document that has gone meanwhile, or begins to go, has taken the click. */
async function landing(element: Element, pressing: Promise<void>, count: number): Promise<Landing> {
  let isReported = false;
  const reported = element.call('pressed', count).finally(() => {
    isReported = true;
  });
  const unreported = pressing.then(async () => {
    await pause(element.limits.signal, UNREPORTED_MS);
    return isReported ? TAKEN : element.call('disarm');
  });
  try {
    return (await unlessLeaving(element.tab, Promise.race([reported, unreported]))) ?? TAKEN;
  } catch (error) {
    if (error instanceof CdpError || (error instanceof Failure && /stale_ref|not_found/.test(error.code))) return TAKEN;
    throw error;
  }
}
