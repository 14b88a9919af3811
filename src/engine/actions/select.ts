// Select: chooses options of a list by value, label or index.
import { Failure } from '../../errors.ts';
import { phrase } from '../../text.ts';
import type { Element } from '../elements/element.ts';
import type { ElementTarget } from '../elements/parse-target.ts';
import type { Choice } from '../inpage/fields.ts';
import type { Limits } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';
import { type ActionResult, fieldOf, resolveNamed, waitUntilActionable } from './actionability.ts';
import { act } from './effects.ts';
import { BY_HAND, chooseFrom } from './widgets/choose.ts';

export interface SelectResult extends ActionResult {
  selected: string[];
}

export async function select(tab: Tab, target: ElementTarget, choice: Choice, limits: Limits): Promise<SelectResult> {
  const element = await resolveNamed(tab, target, limits);
  const { kind, suggests } = await fieldOf(element);
  const isWidget = kind === 'choice' || suggests;
  if (kind !== 'select' && !isWidget)
    throw new Failure('bad_input', phrase`${element.label} is not a list, and opens none.`, BY_HAND);
  const { value, effects } = await act(
    tab,
    limits,
    async () => {
      if (isWidget) return chooseFrom(element, choice);
      await waitUntilActionable(element, { enabled: true });
      return chooseIn(element, choice);
    },
    { at: element.location, element: { isQuiet: false } },
  );
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
