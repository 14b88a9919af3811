// Gets an element ready for an action: checks it, waits by frames while it is not ready, and fails with the cause.
import { Failure } from '../../errors.ts';
import { capital, type Phrase, phrase, refName, TAKE_NEW_SNAPSHOT, TAKE_SNAPSHOT, toolName } from '../../text.ts';
import { describeElements } from '../elements/describe.ts';
import type { Element } from '../elements/element.ts';
import { roleAndName } from '../elements/refs.ts';
import { resolve } from '../elements/resolve.ts';
import type { Field } from '../inpage/fields.ts';
import type { Look, Trouble, Wants } from '../inpage/look.ts';
import { type Limits, remaining } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActOptions, act, type Effects } from './effects.ts';

export interface ElementTarget {
  selector: string;
  frameId?: number | undefined;
}

export interface ActionResult extends Effects {
  /** The label of the element, or the point, that was acted on. */
  element: string | Phrase;
}

/** Runs an action on the element that the selector names, and gives what the action caused. */
export async function actOn(
  tab: Tab,
  { selector, frameId }: ElementTarget,
  limits: Limits,
  run: (element: Element) => Promise<unknown>,
  options?: ActOptions,
): Promise<ActionResult> {
  const element = await resolve(tab, selector, frameId, limits);
  const { effects } = await act(tab, limits, () => run(element), options);
  return { element: element.label, ...effects };
}

/** Left over of the call's time, so that the cause is told before the call itself times out. */
const RESERVE_MS = 150;

/** Troubles that waiting does not mend. */
const FINAL = new Set<Trouble>(['readonly', 'uneditable']);

/** Looks until the element is as wanted. When all is well that is one look. */
export async function waitUntilActionable(element: Element, wants: Wants, limits: Limits): Promise<Look> {
  const first = await element.call(limits, 'look', { ...wants, mark: element.ref !== undefined });
  return untilReady(element, first, limits, () => element.call(limits, 'look', { ...wants, frames: 2 }));
}

/** Goes on looking, a frame or two at a time, until there is no trouble; fails with the cause when the time is over. */
export async function untilReady(
  element: Element,
  first: Look,
  limits: Limits,
  again: () => Promise<Look>,
): Promise<Look> {
  await checkMark(element, first.mark, limits);
  let seen = first;
  while (seen.trouble || seen.animated) {
    if (seen.trouble === 'gone') throw element.stale();
    if (seen.trouble && (FINAL.has(seen.trouble) || remaining(limits) < RESERVE_MS)) throw trouble(element, seen);
    limits.waiting();
    seen = await again().catch(error => {
      // The time is over in the middle of a look: the cause is what was seen last.
      throw error === limits.signal.reason && seen.trouble ? trouble(element, seen) : error;
    });
  }
  return seen;
}

/** The element is still there and says what the caller was told; whether it can be acted on is not asked. */
export async function checkUnchanged(element: Element, limits: Limits): Promise<void> {
  const seen = await element.call(limits, 'look', { mark: element.ref !== undefined });
  if (seen.trouble === 'gone') throw element.stale();
  await checkMark(element, seen.mark, limits);
}

/** What kind of field it is, after making sure that it is the one the caller meant. */
export async function fieldOf(element: Element, limits: Limits): Promise<Field> {
  await checkUnchanged(element, limits);
  return element.call(limits, 'field');
}

/** The element says something else than the caller was told: fail once and tell what it is now. */
export async function checkMark(element: Element, mark: string | undefined, limits: Limits): Promise<void> {
  const { ref, tab, location } = element;
  if (!ref || !mark || ref.mark === '' || mark === ref.mark) return;
  const was = { role: ref.role, name: ref.name };
  const [row] = await describeElements(tab, [location], limits);
  if (!row) throw element.stale();
  if (row.role === was.role && row.name === was.name) return;
  throw new Failure(
    'changed_ref',
    phrase`${refName(ref.number)} was ${roleAndName(was)} and is now ${roleAndName(row)}: the page has changed it. Nothing was done.`,
    phrase`If ${roleAndName(row)} is what you want, use ${refName(ref.number)} again; else ${TAKE_NEW_SNAPSHOT}.`,
  );
}

const CAUSES: Record<Trouble, { is: (by: string) => string; hint: string | Phrase }> = {
  gone: { is: () => 'is gone', hint: phrase`${capital(TAKE_NEW_SNAPSHOT)}.` },
  hidden: {
    is: () => 'is hidden',
    hint: phrase`Do first what shows it (open its menu, tab or dialog), then ${TAKE_SNAPSHOT}.`,
  },
  inert: { is: () => 'is inert: a dialog or the page holds it back', hint: 'Close what is open in front of it.' },
  disabled: { is: () => 'is disabled', hint: 'Do first what enables it (often: fill the required fields).' },
  readonly: { is: () => 'is read-only', hint: 'It cannot be edited; a button beside it may open a picker.' },
  uneditable: {
    is: by => `is no field that takes text (${by})`,
    hint: phrase`Use ${toolName('click')}, ${toolName('select')} or ${toolName('check')}, or ${toolName('fill')} the field inside it.`,
  },
  covered: {
    is: by => `is covered by ${by}`,
    hint: 'Close or scroll away what covers it, or give force: true to click at that place anyway.',
  },
  outside: { is: () => 'cannot be scrolled into view', hint: 'Scroll its container first.' },
  moving: { is: () => 'keeps moving', hint: 'Wait until its animation is over, or give force: true.' },
};

export function trouble(element: Element, { trouble: kind = 'gone', by = '' }: Pick<Look, 'trouble' | 'by'>): Failure {
  const { is, hint } = CAUSES[kind];
  return new Failure('not_actionable', phrase`${element.label} ${is(by)}. Nothing was done.`, hint);
}
