// Drags with the keyboard, where a library offers that: takes the item up, moves it key by key, and puts it down.
import { Failure } from '../../../errors.ts';
import { phrase, theTool } from '../../../text.ts';
import type { Element } from '../../elements/element.ts';
import type { DropSide } from '../../inpage/drag.ts';
import { press } from '../../input/press-keys.ts';
import { remaining } from '../../limits.ts';

/** Keys that libraries take an item up with, and put it down. */
const LIFTING = ['Space', 'Enter'];
const MOST_MOVES = 200;
/** Left over of the call's time, to put the item back and say why. */
const RESERVE_MS = 500;

/** `beginDrag` has been called on the source. */
export async function dragByKeys(source: Element, target: Element, side: DropSide): Promise<void> {
  const { tab, limits } = source;
  const grip = await source.find('gripOf', phrase`the grip of ${source.label}`);
  const key = grip && (await lift(grip));
  if (!key)
    throw new Failure(
      'not_actionable',
      phrase`${source.label} is not taken up by Space or Enter: the page offers no drag with the keyboard.`,
      phrase`Use ${theTool('drag')} without keyboard.`,
    );
  for (let moves = 0; ; moves++) {
    const aim = await target.call('keyAim', side);
    if (aim.isRight) return press(tab, limits, aim.drop ?? key);
    if (moves >= MOST_MOVES || remaining(limits) < RESERVE_MS) {
      await press(tab, limits, 'Escape');
      throw new Failure(
        'not_taken',
        phrase`${source.label} did not come to ${target.label} by ${moves} keys, and was put back.`,
        phrase`Use ${theTool('drag')} without keyboard.`,
      );
    }
    await press(tab, limits, aim.key);
  }
}

/** The key that took it up. */
async function lift(grip: Element): Promise<string | undefined> {
  const before = await grip.call('announced');
  await grip.call('focusOn');
  for (const key of LIFTING) {
    await press(grip.tab, grip.limits, key);
    if (await grip.call('isLifted', before)) return key;
  }
  return undefined;
}
