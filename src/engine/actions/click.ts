// Click, double click and hover: one look, real input events, and the truth about where they landed.

import { Failure } from '../../errors.ts';
import type { Element } from '../elements/element.ts';
import type { Landing } from '../inpage/press-guard.ts';
import { type Limits, pause, remaining } from '../limits.ts';
import { CdpError } from '../tab/cdp-session.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, actOn, trouble, waitUntilActionable } from './actionability.ts';
import { act, unlessLeaving } from './effects.ts';
import { type Button, type Modifier, modifierBits, move, type Point, press, tap, toMainFrame } from './pointer.ts';

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

export async function click(tab: Tab, input: ClickInput, limits: Limits): Promise<ActionResult> {
  const how = {
    button: input.button ?? 'left',
    count: input.click_count ?? 1,
    modifiers: modifierBits(input.modifiers),
  };
  const waits = { wait: input.no_wait_after !== true, navigation: input.wait_for_navigation === true };
  const { selector, frameId, touch, force = false } = input;
  if (selector === undefined) {
    const point = pointOf(input);
    const hit = () => (touch ? tap(tab, point, limits) : press(tab, point, how, limits));
    return { element: `(${point.x}, ${point.y})`, ...(await act(tab, limits, hit, waits)).effects };
  }
  const hit = (element: Element) => (touch ? tapOn(element, force, limits) : clickOn(element, how, force, limits));
  return actOn(tab, { selector, frameId }, limits, hit, { ...waits, flushed: !force && !touch });
}

export async function hover(tab: Tab, input: PointerTarget, limits: Limits): Promise<ActionResult> {
  const { selector, frameId } = input;
  if (selector === undefined) {
    const point = pointOf(input);
    const { effects } = await act(tab, limits, () => move(tab, point, limits));
    return { element: `(${point.x}, ${point.y})`, ...effects };
  }
  return actOn(tab, { selector, frameId }, limits, async element => {
    const seen = await waitUntilActionable(element, { point: true }, limits);
    await move(tab, await toMainFrame(element, seen, limits), limits);
  });
}

/** The point asked for; the tool's schema makes sure that there is one when there is no selector. */
function pointOf({ coordinates }: PointerTarget): Point {
  if (!coordinates) throw new Failure('bad_input', 'Neither selector nor coordinates were given.', 'Give one of them.');
  return coordinates;
}

async function tapOn(element: Element, force: boolean, limits: Limits): Promise<void> {
  const seen = await waitUntilActionable(element, { point: true, enabled: true, force }, limits);
  await tap(element.tab, await toMainFrame(element, seen, limits, force), limits);
}

type How = Parameters<typeof press>[2];

/** Too little left of the call's time for another try. */
const RESERVE_MS = 200;

/**
 * One look that also puts up the guard, then the mouse events. Hover can move things: a press that would land elsewhere is
 * swallowed by the guard, and the next try looks again with the mouse in place.
 */
export async function clickOn(element: Element, how: How, force: boolean, limits: Limits): Promise<void> {
  const { tab } = element;
  for (;;) {
    const seen = await waitUntilActionable(element, { point: true, enabled: true, arm: !force, force }, limits);
    const pressing = press(tab, await toMainFrame(element, seen, limits, force), how, limits);
    if (force) return pressing;
    if (seen.saves) tab.events.emit('downloading');
    const { landed, by } = await landing(element, pressing, how.count, limits);
    if (landed !== false) return;
    if (remaining(limits) < RESERVE_MS) throw trouble(element, { trouble: 'covered', by });
  }
}

/** Chrome has dealt with the press, but our guard has not heard of it: a listener of the page keeps it to itself. */
const UNHEARD_MS = 100;
const TAKEN: Landing = { landed: true, by: '' };

/** Where the press landed. A document that has gone meanwhile, or begins to go, has taken the click. */
async function landing(element: Element, pressing: Promise<void>, count: number, limits: Limits): Promise<Landing> {
  const { tab } = element;
  let isTold = false;
  const told = element.call(limits, 'pressed', count).finally(() => {
    isTold = true;
  });
  const unheard = pressing.then(async () => {
    await pause(limits.signal, UNHEARD_MS);
    return isTold ? TAKEN : element.call(limits, 'disarm');
  });
  try {
    return (await unlessLeaving(tab, Promise.race([told, unheard]))) ?? TAKEN;
  } catch (error) {
    if (error instanceof CdpError || (error instanceof Failure && /stale_ref|not_found/.test(error.code))) return TAKEN;
    throw error;
  }
}
