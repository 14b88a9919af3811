// Tools for form fields: checkboxes, lists, clearing, focus.
import { z } from 'zod';
import { clear as clearField, setCheck } from '../../engine/actions/fill.ts';
import { fieldLines, fillForm } from '../../engine/actions/fill-form.ts';
import { focus as focusElement } from '../../engine/actions/keyboard.ts';
import { select as selectOption } from '../../engine/actions/select.ts';
import type { Choice } from '../../engine/inpage/fields.ts';
import { joined, phrase } from '../../text.ts';
import { on, pageText, selector, target, timeout } from '../arguments.ts';
import { caused, did } from '../effects-text.ts';
import { tool } from '../tool.ts';

export const fill_form = tool({
  name: 'fill_form',
  group: 'forms',
  core: true,
  summary: 'Fill many fields at once: text, lists by label, checkboxes by true or false.',
  on: 'tab',
  effect: 'write',
  time: input => 5_000 + input.fields.length * 5_000,
  input: {
    fields: z
      .array(
        z.strictObject({
          selector,
          value: z.union([pageText, z.number(), z.boolean(), z.array(pageText).max(1_000)]),
        }),
      )
      .min(1)
      .max(100),
    ...on,
  },
  run: (tab, input, limits) => fillForm(tab, input, limits),
  text: data =>
    joined(
      [
        phrase`Filled ${data.fields.length} of ${data.fields.length} fields${caused(data)}:`,
        ...fieldLines(data.fields),
      ],
      '\n',
    ),
});

const toggling = { selector: target, force: z.boolean().default(false), timeout: timeout(5_000), ...on };

export const check = tool({
  name: 'check',
  group: 'forms',
  summary: 'Check a checkbox, radio or switch.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: toggling,
  run: (tab, input, limits) => setCheck(tab, input, true, limits),
  text: data => did(phrase`Checked ${data.element}`, data),
});

export const uncheck = tool({
  name: 'uncheck',
  group: 'forms',
  summary: 'Uncheck a checkbox or switch.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: toggling,
  run: (tab, input, limits) => setCheck(tab, input, false, limits),
  text: data => did(phrase`Unchecked ${data.element}`, data),
});

const oneOrMore = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1).max(1_000)]).optional();

export const select = tool({
  name: 'select',
  group: 'forms',
  summary: 'Choose options of a list by value, label or index.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    selector: target,
    value: oneOrMore(z.string()),
    label: oneOrMore(z.string()),
    index: oneOrMore(z.int().min(0)),
    timeout: timeout(5_000),
    ...on,
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
  name: 'clear',
  group: 'forms',
  summary: 'Empty a field.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: { selector: target, timeout: timeout(5_000), ...on },
  run: (tab, input, limits) => clearField(tab, input, limits),
  text: data => did(phrase`Cleared ${data.element}`, data),
});

export const focus = tool({
  name: 'focus',
  group: 'forms',
  summary: 'Put the focus on an element.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: { selector: target, timeout: timeout(5_000), ...on },
  run: (tab, input, limits) => focusElement(tab, input, limits),
  text: data => did(phrase`Focused ${data.element}`, data),
});
