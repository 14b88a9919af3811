// Tools for form fields: checkboxes, lists, clearing, focus.
import { z } from 'zod';
import { clear as clearField, setCheck } from '../../engine/actions/fill.ts';
import { fieldLines, fillForm } from '../../engine/actions/fill-form.ts';
import { focus as focusElement } from '../../engine/actions/keyboard.ts';
import { select as selectOption } from '../../engine/actions/select.ts';
import type { Choice } from '../../engine/inpage/fields.ts';
import { joined, phrase } from '../../text.ts';
import { about, acting, off, selector, text, timeout, typedText } from '../arguments.ts';
import { caused, did } from '../effects-text.ts';
import { tool } from '../tool.ts';

export const fill_form = tool({
  core: true,
  summary: 'Fill many fields at once: text, lists by label, checkboxes by true or false.',
  example: ['[{"selector":"label:Email","value":"ann@example.com"}]'],
  effect: 'write',
  time: input => 5_000 + input.fields.length * 5_000,
  input: {
    fields: z
      .array(
        z.strictObject({
          selector,
          value: z.union([typedText(), z.number(), z.boolean(), z.array(typedText()).max(1_000)]),
        }),
      )
      .min(1)
      .max(100)
      .meta({ docs: 'The fields, and what each is to hold; {{secret:NAME}} and {{totp:NAME}} stand for secrets' }),
    ...acting,
  },
  run: (tab, input, limits) => fillForm(tab, input, limits),
  text: data =>
    joined(
      [
        phrase`Filled ${data.fields.length} of ${data.fields.length} fields${caused(data)}:`,
        ...fieldLines(data.fields),
        ...(data.receipt ?? []),
      ],
      '\n',
    ),
});

const force = about('Skip the checks whether a person could do it', off);

const toggle = (isOn: boolean, summary: string, deed: string) =>
  tool({
    summary,
    example: ['@e5'],
    captioned: true,
    effect: 'write',
    input: { selector, force, timeout: timeout(5_000), ...acting },
    run: (tab, input, limits) => setCheck(tab, input, isOn, limits),
    text: data => did(phrase`${deed} ${data.element}`, data),
  });

export const check = toggle(true, 'Check a checkbox, radio or switch.', 'Checked');
export const uncheck = toggle(false, 'Uncheck a checkbox or switch.', 'Unchecked');

const oneOrMore = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1).max(1_000)]).optional();

export const select = tool({
  summary: 'Choose options of a list by value, label or index.',
  example: ['@e5', 'label=Japan'],
  captioned: true,
  effect: 'write',
  input: {
    selector,
    value: about('The value of the option, or of several', oneOrMore(text(10_000))),
    label: about('Its text, or the path to it: Italy / Rome', oneOrMore(text(10_000))),
    index: about('Its place in the list, from 0', oneOrMore(z.int().min(0))),
    timeout: timeout(5_000),
    ...acting,
  },
  oneOf: [['value', 'label', 'index']],
  run: (tab, input, limits) => selectOption(tab, input, choiceOf(input), limits),
  text: data =>
    did(phrase`Selected ${data.selected.map(label => JSON.stringify(label)).join(', ')} in ${data.element}`, data),
});

type Some<T> = T | T[] | undefined;

function choiceOf(input: { value?: Some<string>; label?: Some<string>; index?: Some<number> }): Choice {
  const by = input.value !== undefined ? 'value' : input.label !== undefined ? 'label' : 'index';
  return { by, wanted: [input[by] ?? []].flat().map(String) };
}

export const clear = tool({
  summary: 'Empty a field.',
  example: ['@e5'],
  captioned: true,
  effect: 'write',
  input: { selector, timeout: timeout(5_000), ...acting },
  run: (tab, input, limits) => clearField(tab, input, limits),
  text: data => did(phrase`Cleared ${data.element}`, data),
});

export const focus = tool({
  summary: 'Put the focus on an element.',
  example: ['@e5'],
  captioned: true,
  effect: 'write',
  input: { selector, timeout: timeout(5_000), ...acting },
  run: (tab, input, limits) => focusElement(tab, input, limits),
  text: data => did(phrase`Focused ${data.element}`, data),
});
