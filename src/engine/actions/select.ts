// Select: chooses options of a list by value, label or index.
import { Failure } from '../../errors.ts';
import { phrase, TAKE_SNAPSHOT } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import type { ElementTarget } from '../elements/parse-target.ts';
import type { Choice } from '../inpage/fields.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, fieldOf, resolveNamed, waitUntilActionable } from './actionability.ts';
import { act } from './effects.ts';

export interface SelectResult extends ActionResult {
  selected: string[];
}

export async function select(tab: Tab, target: ElementTarget, choice: Choice, limits: Limits): Promise<SelectResult> {
  const element = await resolveNamed(tab, target, limits);
  const { kind } = await fieldOf(element);
  if (kind !== 'select')
    throw new Failure(
      'bad_input',
      phrase`${element.label} is not a native list.`,
      phrase`Click it to open its options, ${TAKE_SNAPSHOT}, then click the option.`,
    );
  const { value, effects } = await act(tab, limits, async () => {
    await waitUntilActionable(element, { enabled: true });
    return chooseIn(element, choice);
  });
  return { element: element.shownLabel, selected: value ?? [], ...effects };
}

export async function chooseIn(element: Element, choice: Choice): Promise<string[]> {
  const { chosen, missing, options, disabled, single } = await element.call('choose', choice);
  if (single) throw new Failure('bad_input', phrase`${element.label} takes one option only.`, 'Give a single value.');
  if (disabled !== undefined)
    throw new Failure(
      'not_actionable',
      phrase`The option ${JSON.stringify(disabled)} of ${element.label} is disabled.`,
      'Choose another one.',
    );
  if (missing !== undefined)
    throw new Failure(
      'not_found',
      phrase`${element.label} has no option ${JSON.stringify(missing.slice(0, 60))}. Options: ${(options ?? []).join(', ').slice(0, 600)}.`,
      'Use one of these by label or value.',
    );
  return chosen ?? [];
}
