// Tools that act on elements with mouse and keyboard.
import { z } from 'zod';
import { click as clickElement, hover as hoverElement } from '../../engine/actions/click.ts';
import { drag as dragElement, outcomeWords, SIDES } from '../../engine/actions/drag.ts';
import { fill as fillField, offerText } from '../../engine/actions/fill.ts';
import { keysOf, pressKey, typeText } from '../../engine/actions/keyboard.ts';
import { BUTTONS, type Button } from '../../engine/actions/pointer.ts';
import { scroll as scrollPage } from '../../engine/actions/scroll.ts';
import { upload as uploadFiles } from '../../engine/actions/upload.ts';
import { hasHandle } from '../../policy/secrets/handles.ts';
import { consequence, phrase } from '../../text.ts';
import {
  about,
  acting,
  int,
  modifiers,
  number,
  off,
  on,
  ownTimeout,
  path,
  place,
  point,
  rare,
  selector,
  someText,
  sourceUrl,
  text,
  timeout,
  typedText,
} from '../arguments.ts';
import { did } from '../effects-text.ts';
import { tool } from '../tool.ts';

/** How an element is named: said in the list where a model meets it first. */

const aim = { selector: selector.optional(), coordinates: point.optional() };
const oneAim = [['selector', 'coordinates']] as ['selector', 'coordinates'][];
const touch = off.meta({ docs: 'With a finger instead of the mouse', unlisted: true });

export const click = tool({
  core: true,
  summary: 'Click an element or a point.',
  example: ['@e5'],
  captioned: true,
  effect: 'write',
  input: {
    ...aim,
    selector: selector.optional().describe('@e5, role:button, text:Save, CSS or xpath=…'),
    button: about('Which mouse button', z.enum(BUTTONS).default('left')),
    click_count: about('2 is a double click', int(1, 10).default(1)),
    modifiers,
    force: about('Even if covered or disabled', off),
    no_wait_after: about('Do not wait for its effects', off),
    wait_for_navigation: rare('Wait for another page, and fail without one', off),
    touch,
    timeout: timeout(5_000),
    ...acting,
  },
  oneOf: oneAim,
  inOrder: true,
  run: (tab, input, limits) => clickElement(tab, input, limits),
  text: (data, input) => did(phrase`${clicked(input)} ${data.element}`, data),
});

const OFTEN = ['', 'Clicked', 'Double-clicked', 'Triple-clicked'];
const LEFT_TWICE = { button: 'left', click_count: 2, touch: false } as const;
const WITH_BUTTON = { left: 'Clicked', middle: 'Middle-clicked', right: 'Right-clicked' } as const;

/** What kind of click it was: `Right-clicked`, `Clicked with Control`. */
function clicked(input: {
  button: Button;
  click_count: number;
  modifiers?: readonly string[] | undefined;
  touch: boolean;
}) {
  const { button, click_count: count, modifiers: keys = [], touch } = input;
  const isPlural = count > 1 && (touch || button !== 'left' || count >= OFTEN.length);
  const verb = touch ? 'Tapped' : button === 'left' && !isPlural ? OFTEN[count] : WITH_BUTTON[button];
  return `${verb}${isPlural ? ` ${count} times` : ''}${keys.length > 0 && !touch ? ` with ${keys.join('+')}` : ''}`;
}

export const dblclick = tool({
  summary: 'Double-click an element or a point.',
  example: ['@e5'],
  captioned: true,
  effect: 'write',
  input: { ...aim, modifiers, timeout: timeout(5_000), ...acting },
  oneOf: oneAim,
  inOrder: true,
  run: (tab, input, limits) => clickElement(tab, { ...input, click_count: 2 }, limits),
  text: (data, input) => did(phrase`${clicked({ ...LEFT_TWICE, ...input })} ${data.element}`, data),
});

export const hover = tool({
  summary: 'Move the mouse over an element or a point.',
  example: ['@e5'],
  captioned: true,
  effect: 'write',
  input: { ...aim, timeout: timeout(5_000), ...acting },
  oneOf: oneAim,
  inOrder: true,
  run: (tab, input, limits) => hoverElement(tab, input, limits),
  text: data => did(phrase`Hovered ${data.element}`, data),
});

export const fill = tool({
  core: true,
  summary: 'Set a field of any kind: text, date, list, checkbox, rich editor.',
  example: ['@e5', 'Ann'],
  captioned: true,
  effect: 'write',
  input: {
    selector,
    value: about(
      'What the field is to hold; of a list the label or value, of a checkbox true or false. {{secret:NAME}} and {{totp:NAME}} stand for secrets',
      typedText(),
    ),
    clear: about('false: add to what is there', on),
    force: about('Even if not editable', off),
    change: rare('Fire change at once, as when the field is left', off),
    timeout: timeout(5_000),
    ...acting,
  },
  run: (tab, input, limits) => fillField(tab, input, limits),
  text: data =>
    did(
      phrase`Filled ${data.element}${data.set === undefined ? '' : `: ${data.set}`}${data.holds === undefined ? '' : consequence(phrase`; the page made it ${data.holds}`)}${data.offered ? offerText(data.offered) : ''}`,
      data,
    ),
});

export const type = tool({
  core: true,
  summary: 'Type key by key. For a plain field, fill is faster.',
  example: ['Hello'],
  captioned: true,
  effect: 'write',
  time: input => 10_000 + input.text.length * (input.delay + 20),
  input: {
    selector: about('The element to type into; what has the focus if left out', selector.optional()),
    text: about(
      'What to type; a line break is the key Enter. {{secret:NAME}} and {{totp:NAME}} stand for secrets',
      typedText(),
    ),
    delay: number(0, 5_000).default(50).describe('ms between keys'),
    timeout: ownTimeout,
    ...acting,
  },
  run: (tab, input, limits) => typeText(tab, input, limits),
  text: (data, input) =>
    did(
      phrase`Typed ${hasHandle(input.text) ? 'a text with secrets' : `${[...input.text].length} characters`}${data.element === undefined ? (data.focused ? ' into what has the focus' : '; no field had the focus') : phrase` into ${data.element}`}`,
      data,
    ),
});

export const press = tool({
  core: true,
  summary: 'Press keys: Enter, Control+a; with spaces, one after the other.',
  example: ['Enter'],
  captioned: true,
  effect: 'write',
  time: input => 10_000 + input.repeat * keysOf(input.key).length * (input.delay + 20),
  input: {
    selector: about('The element that gets the keys; what has the focus if left out', selector.optional()),
    key: about('Names of keys: Enter, ArrowDown, a, Control+Shift+P; several are separated by spaces', someText(100)),
    repeat: about('How many times', int(1, 1_000).default(1)),
    delay: number(0, 5_000).default(0).describe('ms between presses'),
    timeout: ownTimeout,
    ...acting,
  },
  run: (tab, input, limits) => pressKey(tab, input, limits),
  text: (data, input) =>
    did(
      phrase`Pressed ${input.key}${input.repeat > 1 ? ` ${input.repeat} times` : ''}${data.element === undefined ? '' : phrase` in ${data.element}`}`,
      data,
    ),
});

export const drag = tool({
  summary: 'Drag an element or point onto another, or before or after it in a list.',
  example: ['@e3', '@e8'],
  captioned: true,
  effect: 'write',
  input: {
    source: about('The element to drag', selector.optional()),
    source_coordinates: about('The point to drag from, in CSS pixels of the viewport', point.optional()),
    target: about('The element to drop it on', selector.optional()),
    target_coordinates: about('The point to drop it at', point.optional()),
    position: about(
      'Where to drop it: on the target, or in its list before or after it',
      z.enum(SIDES).default('onto'),
    ),
    offset: rare('How far to drag it, in CSS pixels', point.optional()),
    steps: about('How many moves of the mouse lie between', int(1, 200).default(10)),
    touch,
    keyboard: rare('With keys instead of the mouse, where the page takes an item up by Space or Enter', off),
    timeout: timeout(5_000),
    ...acting,
  },
  oneOf: [
    ['source', 'source_coordinates'],
    ['target', 'target_coordinates', 'offset'],
  ],
  run: (tab, input, limits) => dragElement(tab, input, limits),
  text(data, { position }) {
    if (data.isThere) return phrase`${data.from} is right ${position} ${data.to} already: nothing was dragged.`;
    const came = data.outcome ? consequence(phrase`${outcomeWords(data.outcome)}`) : '';
    return did(phrase`Dragged ${data.from} ${position === 'onto' ? 'to' : position} ${data.to}${came}`, data);
  },
});

export const scroll = tool({
  summary: 'Scroll the page or an element, or into view.',
  example: ['down', '500'],
  captioned: true,
  effect: 'write',
  time: input => (input.text === undefined ? 'action' : 30_000),
  input: {
    selector: about('The element to scroll, or to scroll into view; the page if left out', selector.optional()),
    direction: about('Where to scroll', z.enum(['up', 'down', 'left', 'right']).optional()),
    amount: about('How far, in pixels; most of what is seen if left out', number(0, 10_000_000).optional(), 'Pixels'),
    position: about(
      'Scroll to this place, in pixels from the top left',
      z.strictObject({ x: z.number().optional(), y: z.number().optional() }).optional(),
    ),
    text: about('Scroll on until this text is shown, also in a list that loads its items then', text(1_000).optional()),
    coordinates: rare('Scroll what is at this point of the viewport', point.optional()),
    into_view: about('Scroll until the element can be seen', off),
    block: about(
      'Where it then stands in what is seen',
      z.enum(['start', 'center', 'end', 'nearest']).default('center'),
    ),
    smooth: about('Scroll in an animation', off),
    use_wheel: about('Turn the mouse wheel; amount then counts its ticks, one if left out', off),
    wheel: rare('Turn the mouse wheel, by so many pixels', point.optional()),
    ...place,
  },
  run: (tab, input, limits) => scrollPage(tab, input, limits),
  text: data =>
    data.found
      ? phrase`${did(phrase`Scrolled to it`, data)}\n${data.found.text.trimEnd()}`
      : did(
          phrase`${data.moved ? 'Scrolled' : 'Nothing to scroll:'} ${data.what} at ${data.x},${data.y} of ${data.maxX},${data.maxY}`,
          data,
        ),
});

const file = z.strictObject({
  path: path.optional(),
  url: sourceUrl.max(5_000).optional(),
  base64: typedText(70_000_000).optional(),
  name: text(255).optional(),
  mime_type: text(255).optional(),
});

export const upload = tool({
  summary: 'Put files into a file field or chooser.',
  example: ['@e5', 'photo.png'],
  captioned: true,
  effect: 'write',
  time: 30_000,
  input: {
    selector: about('The file field, or the button that opens the chooser', selector),
    files: about(
      'Paths, or {path|url|base64, name, mime_type}',
      z
        .array(z.union([path, file]))
        .min(1)
        .max(50),
    ),
    timeout: timeout(30_000),
    ...acting,
  },
  run: (tab, input, limits) => uploadFiles(tab, input, limits),
  text: data => did(phrase`Put ${data.files.join(', ')} into ${data.element}`, data),
});
