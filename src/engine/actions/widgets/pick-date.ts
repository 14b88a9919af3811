// Gives a date to a field that cannot be typed into: opens its calendar, turns it to the month, and clicks the day.
import { Failure } from '../../../errors.ts';
import { phrase, TAKE_SNAPSHOT, toolName } from '../../../text.ts';
import type { Element } from '../../elements/element.ts';
import { press } from '../../input/press-keys.ts';
import { remaining } from '../../limits.ts';
import { clickOn } from '../click.ts';

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
/** Left over of the call's time, so that the cause is reported before the call itself times out. */
const RESERVE_MS = 500;
/** A calendar that opens or turns in an animation shows its parts within this time. */
const SHOWN_MS = 1_000;

export const isDate = (value: string): boolean => ISO.test(value);

/** What the field holds then. */
export async function pickDate(element: Element, value: string): Promise<string> {
  const [, year, month, day] = ISO.exec(value) ?? [];
  const date = { year: Number(year), month: Number(month) - 1, day: Number(day) };
  await element.call('watchPopups');
  try {
    await clickOn(element);
    if (!(await element.call('opensCalendar'))) throw byHand(element, 'is read-only, and opened no calendar');
    const cell = await turnTo(element, date);
    await clickOn(cell);
    if (!(await element.call('closedCalendar'))) await press(element.tab, element.limits, 'Escape');
  } finally {
    await element.call('unwatchPopups');
  }
  return (await element.call('field')).value;
}

/** Month by month, until the day is there. */
async function turnTo(element: Element, date: { year: number; month: number; day: number }): Promise<Element> {
  const words = `${date.year}-${date.month + 1}-${date.day}`;
  let last = performance.now();
  for (;;) {
    const day = await element.find('calendarDay', phrase`the day ${words}`, date);
    if (day) return day;
    const turner = await element.find('calendarTurner', phrase`the button of the next month`, date);
    const isLate = !turner && performance.now() > last + SHOWN_MS;
    if (isLate || remaining(element.limits) < RESERVE_MS)
      throw byHand(element, `has a calendar in which ${words} was not found in time`);
    if (turner) {
      await clickOn(turner);
      last = performance.now();
    }
    await element.call('offers', 2);
  }
}

const byHand = (element: Element, what: string): Failure =>
  new Failure(
    'not_actionable',
    phrase`${element.label} ${what}.`,
    phrase`By hand: ${toolName('click')} it to open its calendar, ${TAKE_SNAPSHOT}, then ${toolName('click')} the month and the day.`,
  );
