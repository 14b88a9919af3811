// Gets an element ready for an action: checks it, waits by frames while it is not ready, and fails with the cause.
import { defined } from '../../defined.ts';
import { Failure } from '../../errors.ts';
import {
  advice,
  argumentName,
  capital,
  type Phrase,
  phrase,
  refName,
  TAKE_NEW_SNAPSHOT,
  TAKE_SNAPSHOT,
  toolName,
} from '../../text.ts';
import { describeElements, nameForAnswer } from '../elements/describe.ts';
import { Element } from '../elements/element.ts';
import type { ElementTarget } from '../elements/parse-target.ts';
import { roleAndName } from '../elements/refs.ts';
import { resolve } from '../elements/resolve.ts';
import type { Point } from '../geometry.ts';
import type { Field } from '../inpage/fields.ts';
import type { Look, Trouble, Wants } from '../inpage/look.ts';
import { type Limits, remaining, tryFor } from '../limits.ts';
import { itemsOf } from '../snapshot/drawn/ask-items.ts';
import type { Tab } from '../tab/tab.ts';
import { type Acted, type ActOptions, act, type Effects } from './effects.ts';
import { pointOfMainFrame } from './frame-point.ts';

export interface ActionResult extends Effects {
  /** The label of the element, or the point, that was acted on. */
  element: string | Phrase;
}

/** Runs an action on the element that the selector names, and gives what the action caused. */
export async function actOn(
  tab: Tab,
  target: ElementTarget,
  limits: Limits,
  run: (element: Element) => Promise<unknown>,
  options?: ActOptions,
): Promise<ActionResult> {
  const element = await resolveNamed(tab, target, limits);
  return actOnElement(element, () => run(element), options);
}

export async function actOnElement(
  element: Element,
  run: () => Promise<unknown>,
  options?: ActOptions,
): Promise<ActionResult> {
  const done = await act(element.tab, element.limits, run, { ...options, at: element.location, element });
  return { element: element.shownLabel, ...done.effects, ...(await newLabel(element, done)) };
}

/** How long, in ms, it may take to learn what an element is called now. */
const LABEL_MS = 1_000;

/**
 * What the element is called now, when the action on it has changed that. The answer tells it, so the ref goes on with the new
 * label; a label that changes without an action on the element is still refused once.
 */
export async function newLabel(element: Element, { effects, waited }: Acted<unknown>): Promise<Pick<Effects, 'nowIs'>> {
  const { tab, limits, markAfter } = element;
  const ref = element.ref ?? element.named;
  if (!ref?.mark || effects.navigated || tab.dialog || tab.pending) return {};
  const was = roleAndName(ref);
  const now = await tryFor(limits, Math.min(LABEL_MS, remaining(limits) / 2), async bound => {
    const present = new Element(tab, bound, element.location);
    const mark = waited || markAfter === undefined ? await present.call('elementFingerprint') : markAfter;
    return mark === ref.mark ? undefined : (await describeElements([present]))[0];
  });
  const nowIs = now && roleAndName(now);
  return nowIs === undefined || nowIs === was ? {} : { nowIs };
}

/** The one element that the target names, with what the answer will call it. */
export async function resolveNamed(tab: Tab, target: ElementTarget, limits: Limits): Promise<Element> {
  const element = await resolve(tab, target, limits);
  await nameForAnswer(element);
  return element;
}

/** Left over of the call's time, so that the cause is reported before the call itself times out. */
const RESERVE_MS = 150;

/** Troubles that waiting does not mend. */
const FINAL = new Set<Trouble>(['readonly', 'uneditable']);

/** Looks until the element is as wanted. When all is well that is one look. */
export async function waitUntilActionable(element: Element, wants: Wants): Promise<Look> {
  const at = wants.point ? await itemPoint(element) : undefined;
  const here = { ...wants, ...defined({ at }) };
  const first = await element.look('look', { ...here, mark: element.ref !== undefined && at === undefined });
  // A frame of another site does not know whether it is in view, and cannot bring itself there.
  if (first.trouble === 'covered' || first.trouble === 'outside')
    await pointOfMainFrame(element, { x: first.left, y: first.top });
  return untilReady(element, first, () => element.call('look', { ...here, frames: 2 }));
}

/** How long, in ms, it may take to learn where an item is. */
const ITEM_MS = 1_500;

/** Where the item of a drawing is now that the ref stands for; undefined for a whole element. */
export async function itemPoint(element: Element): Promise<Point | undefined> {
  const { tab, limits, location, ref } = element;
  if (ref?.item === undefined) return undefined;
  const items = await itemsOf(tab, location.cdp, location.id, limits, ITEM_MS);
  const item = items.find(({ key, name }) => key === ref.item && name === ref.name);
  if (!item) throw element.stale();
  return { x: item.x, y: item.y };
}

/** Goes on looking, a frame or two at a time, until there is no trouble; fails with the cause when the time is over. */
export async function untilReady(element: Element, first: Look, again: () => Promise<Look>): Promise<Look> {
  const { limits } = element;
  await checkMark(element, first.mark);
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

/** The element is still there and has the content that the caller was shown; whether it can be acted on is not checked. */
export async function checkUnchanged(element: Element): Promise<void> {
  const seen = await element.look('look', { mark: element.ref !== undefined });
  if (seen.trouble === 'gone') throw element.stale();
  await checkMark(element, seen.mark);
}

/** What kind of field it is, after making sure that it is the one the caller meant. */
export async function fieldOf(element: Element): Promise<Field> {
  await checkUnchanged(element);
  return element.call('field');
}

/** An element whose content is not what the caller was shown fails once, with its new description. */
export async function checkMark(element: Element, mark: string | undefined): Promise<void> {
  const { ref } = element;
  if (!ref || !mark || ref.mark === '' || mark === ref.mark) return;
  const was = { role: ref.role, name: ref.name };
  const [row] = await describeElements([element]);
  if (!row) throw element.stale();
  if (row.role === was.role && row.name === was.name) return;
  throw new Failure(
    'changed_ref',
    phrase`${refName(ref.number)} was ${roleAndName(was)} and is now ${roleAndName(row)}: the page has changed it. Nothing was done.`,
    phrase`If ${roleAndName(row)} is what you want, use ${refName(ref.number)} again; else ${TAKE_NEW_SNAPSHOT}.`,
  );
}

const orForce = (purpose: string) => advice(phrase`, or give ${argumentName('force')}: true${purpose}`);

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
    hint: phrase`Close or scroll away what covers it${orForce(' to click at that place anyway')}.`,
  },
  boxless: {
    is: () => 'has no box on the page, so there is no place to click',
    hint: 'Do first what shows it, or act on an element that is shown.',
  },
  outside: { is: () => 'cannot be scrolled into view', hint: 'Scroll its container first.' },
  moving: { is: () => 'keeps moving', hint: phrase`Wait until its animation is over${orForce('')}.` },
};

export function trouble(element: Element, { trouble: kind = 'gone', by = '' }: Pick<Look, 'trouble' | 'by'>): Failure {
  const { is, hint } = CAUSES[kind];
  return new Failure('not_actionable', phrase`${element.label} ${is(by)}. Nothing was done.`, hint);
}
