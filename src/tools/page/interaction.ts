// Tools that act on elements with mouse and keyboard.
import { z } from 'zod';
import { click as clickElement, hover as hoverElement } from '../../engine/actions/click.ts';
import { drag as dragElement } from '../../engine/actions/drag.ts';
import { fill as fillField } from '../../engine/actions/fill.ts';
import { keysOf, pressKey, typeText } from '../../engine/actions/keyboard.ts';
import { BUTTONS } from '../../engine/actions/pointer.ts';
import { scroll as scrollPage } from '../../engine/actions/scroll.ts';
import { upload as uploadFiles } from '../../engine/actions/upload.ts';
import { consequence, phrase } from '../../text.ts';
import {
  frameId,
  modifiers,
  on,
  pageText,
  path,
  point,
  selector,
  sourceUrl,
  tabId,
  target,
  timeout,
} from '../arguments.ts';
import { did } from '../effects-text.ts';
import { tool } from '../tool.ts';

const aim = { selector: target.optional(), coordinates: point.optional() };
const oneAim = [['selector', 'coordinates']] as ['selector', 'coordinates'][];

export const click = tool({
  name: 'click',
  group: 'interaction',
  core: true,
  summary: 'Click an element or a point.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    ...aim,
    button: z.enum(BUTTONS).default('left'),
    click_count: z.int().min(1).max(10).default(1),
    modifiers,
    force: z.boolean().default(false).describe('Even if covered or disabled'),
    no_wait_after: z.boolean().default(false).describe('Do not wait for its effects'),
    wait_for_navigation: z.boolean().default(false).describe('Wait for another page, and fail without one'),
    touch: z.boolean().default(false).describe('Tap with a finger'),
    timeout: timeout(5_000),
    ...on,
  },
  oneOf: oneAim,
  run: (tab, input, limits) => clickElement(tab, input, limits),
  text: data => did(phrase`Clicked ${data.element}`, data),
});

export const dblclick = tool({
  name: 'dblclick',
  group: 'interaction',
  summary: 'Double-click an element or a point.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: { ...aim, modifiers, timeout: timeout(5_000), ...on },
  oneOf: oneAim,
  run: (tab, input, limits) => clickElement(tab, { ...input, click_count: 2 }, limits),
  text: data => did(phrase`Double-clicked ${data.element}`, data),
});

export const hover = tool({
  name: 'hover',
  group: 'interaction',
  summary: 'Move the mouse over an element or a point.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: { ...aim, timeout: timeout(5_000), ...on },
  oneOf: oneAim,
  run: (tab, input, limits) => hoverElement(tab, input, limits),
  text: data => did(phrase`Hovered ${data.element}`, data),
});

export const fill = tool({
  name: 'fill',
  group: 'interaction',
  core: true,
  summary: 'Set a field of any kind: text, date, list, checkbox, rich editor.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    selector: target,
    value: pageText,
    clear: z.boolean().default(true).describe('false: add to what is there'),
    force: z.boolean().default(false).describe('Even if not editable'),
    change: z.boolean().default(false).describe('Fire change at once, as when the field is left'),
    timeout: timeout(5_000),
    ...on,
  },
  run: (tab, input, limits) => fillField(tab, input, limits),
  text: data =>
    did(
      phrase`Filled ${data.element}${data.set === undefined ? '' : `: ${data.set}`}${data.holds === undefined ? '' : consequence(phrase`; the page made it ${data.holds}`)}`,
      data,
    ),
});

export const type = tool({
  name: 'type',
  group: 'interaction',
  core: true,
  summary: 'Type key by key. For a plain field, fill is faster.',
  on: 'tab',
  effect: 'write',
  time: input => 10_000 + input.text.length * (input.delay + 20),
  input: {
    selector: target.optional(),
    text: pageText,
    delay: z.number().min(0).max(5_000).default(50).describe('ms between keys'),
    ...on,
  },
  run: (tab, input, limits) => typeText(tab, input, limits),
  text: (data, input) =>
    did(
      phrase`Typed ${[...input.text].length} characters${data.element === undefined ? (data.focused ? ' into what has the focus' : '; no field had the focus') : phrase` into ${data.element}`}`,
      data,
    ),
});

export const press = tool({
  name: 'press',
  group: 'interaction',
  core: true,
  summary: 'Press keys: Enter, Control+a; with spaces, one after the other.',
  on: 'tab',
  effect: 'write',
  time: input => 10_000 + input.repeat * keysOf(input.key).length * (input.delay + 20),
  input: {
    selector: target.optional(),
    key: z.string().min(1).max(100),
    repeat: z.int().min(1).max(1_000).default(1),
    delay: z.number().min(0).max(5_000).default(0).describe('ms between presses'),
    ...on,
  },
  run: (tab, input, limits) => pressKey(tab, input, limits),
  text: (data, input) =>
    did(
      phrase`Pressed ${input.key}${input.repeat > 1 ? ` ${input.repeat} times` : ''}${data.element === undefined ? '' : phrase` in ${data.element}`}`,
      data,
    ),
});

export const drag = tool({
  name: 'drag',
  group: 'interaction',
  summary: 'Drag an element or point onto another.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    source: selector.optional(),
    source_coordinates: point.optional(),
    target: selector.optional(),
    target_coordinates: point.optional(),
    offset: point.optional().describe('From there:'),
    steps: z.int().min(1).max(200).default(10),
    touch: z.boolean().default(false),
    timeout: timeout(5_000),
    ...on,
  },
  oneOf: [
    ['source', 'source_coordinates'],
    ['target', 'target_coordinates', 'offset'],
  ],
  run: (tab, input, limits) => dragElement(tab, input, limits),
  text: data => did(phrase`Dragged ${data.from} to ${data.to}`, data),
});

export const scroll = tool({
  name: 'scroll',
  group: 'interaction',
  summary: 'Scroll the page or an element, or into view.',
  on: 'tab',
  effect: 'write',
  time: 'action',
  input: {
    selector: target.optional(),
    direction: z.enum(['up', 'down', 'left', 'right']).optional(),
    amount: z.number().min(0).max(10_000_000).optional().describe('Pixels'),
    position: z.strictObject({ x: z.number().optional(), y: z.number().optional() }).optional(),
    coordinates: point.optional().describe('What is there scrolls:'),
    into_view: z.boolean().default(false),
    block: z.enum(['start', 'center', 'end', 'nearest']).default('center'),
    smooth: z.boolean().default(false),
    wheel: point.optional().describe('By the mouse wheel, so many pixels:'),
    ...on,
  },
  run: (tab, input, limits) => scrollPage(tab, input, limits),
  text: data =>
    did(
      phrase`${data.moved ? 'Scrolled' : 'Nothing to scroll:'} ${data.what} at ${data.x},${data.y} of ${data.maxX},${data.maxY}`,
      data,
    ),
});

const file = z.strictObject({
  path: path.optional(),
  url: sourceUrl.max(5_000).optional(),
  base64: z.string().max(70_000_000).optional(),
  name: z.string().max(255).optional(),
  mime_type: z.string().max(255).optional(),
});

export const upload = tool({
  name: 'upload',
  group: 'interaction',
  summary: 'Put files into a file field or chooser.',
  on: 'tab',
  effect: 'write',
  time: 30_000,
  input: {
    selector: target,
    files: z
      .array(z.union([path, file]))
      .min(1)
      .max(50)
      .describe('Paths, or {path|url|base64, name, mime_type}'),
    timeout: timeout(30_000),
    tabId,
    frameId,
  },
  run: (tab, input, limits) => uploadFiles(tab, input, limits),
  text: data => did(phrase`Put ${data.files.join(', ')} into ${data.element}`, data),
});
