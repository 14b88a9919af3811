// The old tools that act on the page with mouse and keyboard, fill fields and answer dialogs.
import { at } from '../decode.ts';
import type { DialectTool, Source } from '../definition.ts';
import {
  anyValue,
  choice,
  flag,
  list,
  modifiers,
  NO_FOCUS,
  number,
  object,
  onFrame,
  onPlace,
  onTab,
  place,
  point,
  pressed,
  ref,
  scaled,
  selected,
  selectorKind,
  tab,
  text,
  where,
} from './arguments.ts';

const NAMED =
  'Enter|Return|Tab|Esc(?:ape)?|Backspace|Del(?:ete)?|Ins(?:ert)?|Space|(?:Arrow)?(?:Up|Down|Left|Right)|Home|End|Page(?:Up|Down)|F(?:[1-9]|1\\d|2[0-4])';
const HELD = 'Ctrl|Control|Alt|Option|Shift|Meta|Cmd|Command|Win';
const KEY = `(?:(?:${HELD})\\+)*(?:${NAMED}|${HELD}|[^\\s,])`;
/** Keys and combinations, with commas between several; anything else is text to type. */
const KEYS = new RegExp(`^\\s*${KEY}(?:\\s*,\\s*${KEY})*\\s*$`, 'i');

const aimed = [{ selector: 'ref' }, { coordinates: 'coordinates' }];
const clicked = { oneOf: [aimed], args: { modifiers: pressed, ...onTab } };

/** `value` is text, a number or true and false. */
const value: Source = {
  from: 'value',
  as: given => (typeof given === 'number' || typeof given === 'boolean' ? String(given) : given),
};

/** How far one corner of the region is from the other. */
const side = (from: string, to: string): Source => ({
  from: to,
  as: (value, { given }) => (typeof value === 'number' ? value - Number(at(given, from)) : value),
});

const ACTIONS = [
  ...['left_click', 'right_click', 'double_click', 'triple_click', 'left_click_drag', 'scroll', 'scroll_to', 'type'],
  ...['key', 'fill', 'fill_form', 'hover', 'wait', 'resize_page', 'zoom', 'screenshot'],
];

const computer: DialectTool = {
  summary: 'Use mouse and keyboard, wait, or look at the page. Refs come from chrome_read_page.',
  takes: {
    action: choice(ACTIONS),
    ref: text('Goes before coordinates'),
    coordinates: point,
    startRef: text('For left_click_drag'),
    startCoordinates: point,
    scrollDirection: choice(['up', 'down', 'left', 'right']),
    scrollAmount: number(3, '100 pixels each'),
    text: text('To type or wait for; for key: "Backspace Enter", "cmd+a"'),
    repeat: number(1),
    modifiers,
    region: object({ x0: number(), y0: number(), x1: number(), y1: number() }, ['x0', 'y0', 'x1', 'y1']),
    selector: text('For fill'),
    value: anyValue,
    elements: list(object({ ref, value: text() }, ['ref', 'value']), 'For fill_form'),
    width: number(),
    height: number(),
    appear: flag(true, 'false: wait until the text is gone'),
    timeout: number(10_000, 'ms, for wait'),
    duration: number(undefined, 'Seconds to wait'),
    ...tab,
    background: flag(true),
  },
  required: ['action'],
  ignored: { background: NO_FOCUS },
  cases: [
    { when: { action: 'left_click' }, to: 'click', ...clicked },
    { when: { action: 'right_click' }, to: 'click', set: { button: 'right' }, ...clicked },
    { when: { action: 'double_click' }, to: 'dblclick', ...clicked },
    { when: { action: 'triple_click' }, to: 'click', set: { click_count: 3 }, ...clicked },
    {
      when: { action: 'left_click_drag' },
      to: 'drag',
      oneOf: [
        [{ source: 'startRef' }, { source_coordinates: 'startCoordinates' }],
        [{ target: 'ref' }, { target_coordinates: 'coordinates' }],
      ],
      args: onTab,
    },
    {
      when: { action: 'scroll' },
      to: 'scroll',
      oneOf: [aimed],
      args: {
        direction: ['scrollDirection', { value: 'down' }],
        amount: scaled('scrollAmount', 100),
        ...onTab,
      },
    },
    { when: { action: 'scroll_to' }, to: 'scroll', set: { into_view: true }, args: { selector: 'ref', ...onTab } },
    { when: { action: 'type' }, to: 'type', args: { selector: 'ref', text: 'text', ...onTab } },
    {
      when: { action: 'key' },
      to: 'press',
      args: { selector: 'ref', key: 'text', repeat: 'repeat', ...onTab },
    },
    { when: { action: 'fill' }, to: 'fill', args: { selector: ['ref', 'selector'], value, ...onTab } },
    {
      when: { action: 'fill_form' },
      to: 'fill_form',
      args: { fields: { each: 'elements', args: { selector: 'ref', value: 'value' } }, ...onTab },
    },
    { when: { action: 'hover' }, to: 'hover', oneOf: [aimed], args: onTab },
    {
      when: { action: 'wait', text: { is: 'given' }, appear: false },
      to: 'wait',
      set: { for: 'text_hidden' },
      args: { text: 'text', timeout: 'timeout', ...onTab },
    },
    {
      when: { action: 'wait', text: { is: 'given' } },
      to: 'wait',
      set: { for: 'text' },
      args: { text: 'text', timeout: 'timeout', ...onTab },
    },
    {
      when: { action: 'wait' },
      to: 'wait',
      set: { for: 'timeout' },
      args: {
        duration: scaled('duration', 1_000),
        timeout: { value: 31_000 },
        ...onTab,
      },
    },
    { when: { action: 'resize_page' }, to: 'viewport', args: { width: 'width', height: 'height', ...onTab } },
    {
      when: { action: 'zoom' },
      to: 'screenshot',
      args: {
        'clip.x': 'region.x0',
        'clip.y': 'region.y0',
        'clip.width': side('region.x0', 'region.x1'),
        'clip.height': side('region.y0', 'region.y1'),
        ...onTab,
      },
    },
    { when: { action: 'screenshot' }, to: 'screenshot', args: onTab },
  ],
};

export const acting: Readonly<Record<string, DialectTool>> = {
  chrome_click_element: {
    summary: 'Click an element or a point.',
    takes: {
      ...selectorKind,
      ref,
      coordinates: point,
      double: flag(false),
      button: choice(['left', 'right', 'middle'], 'left'),
      modifiers,
      waitForNavigation: flag(undefined, 'false: do not wait for what the click starts'),
      timeout: number(5_000),
      ...where,
    },
    cases: [
      {
        to: 'click',
        oneOf: [[{ selector: 'ref' }, { coordinates: 'coordinates' }, { selector: selected }]],
        args: {
          click_count: { from: 'double', values: { true: 2, false: 1 } },
          button: 'button',
          modifiers: pressed,
          no_wait_after: { from: 'waitForNavigation', values: { true: false, false: true } },
          timeout: 'timeout',
          ...onFrame,
        },
      },
    ],
  },
  chrome_fill_or_select: {
    summary: 'Set a field: text, list, checkbox, radio button. Replaces what is there.',
    takes: { ...selectorKind, ref, value: anyValue, ...where },
    required: ['value'],
    cases: [{ to: 'fill', args: { selector: ['ref', selected], value, ...onFrame } }],
  },
  chrome_keyboard: {
    summary: 'Press keys (Enter, Ctrl+C; with commas one after the other) or type text.',
    takes: { keys: text(), ...selectorKind, delay: number(50, 'ms between keys'), ...where },
    required: ['keys'],
    cases: [
      {
        when: { keys: KEYS },
        to: 'press',
        args: {
          key: { from: 'keys', as: keys => (typeof keys === 'string' ? keys.split(/\s*,\s*/).join(' ') : keys) },
          selector: selected,
          delay: 'delay',
          ...onFrame,
        },
      },
      { to: 'type', args: { text: 'keys', selector: selected, delay: 'delay', ...onFrame } },
    ],
  },
  chrome_computer: computer,
  chrome_upload_file: {
    summary: 'Put a file into a file field.',
    takes: {
      selector: text(),
      filePath: text(),
      fileUrl: text(),
      base64Data: text(),
      fileName: { ...text('With fileUrl or base64Data'), default: 'uploaded-file' },
      multiple: flag(false),
      ...place,
    },
    required: ['selector'],
    ignored: { multiple: 'the field itself says how many files it takes' },
    cases: [
      {
        to: 'upload',
        oneOf: [[{ 'files.0.path': 'filePath' }, { 'files.0.url': 'fileUrl' }, { 'files.0.base64': 'base64Data' }]],
        args: {
          selector: 'selector',
          'files.0.name': { from: 'fileName', when: { filePath: { is: 'missing' } } },
          ...onPlace,
        },
      },
    ],
  },
  chrome_handle_dialog: {
    summary: 'Answer an alert, confirm, prompt or beforeunload dialog.',
    takes: { action: choice(['accept', 'dismiss']), promptText: text() },
    required: ['action'],
    cases: [{ to: 'dialog', args: { action: 'action', prompt_text: 'promptText' } }],
  },
  chrome_request_element_selection: {
    summary: 'Ask the person at the screen to point at elements; gives their refs.',
    takes: {
      requests: list(object({ id: text(), name: text(), description: text() }, ['name'])),
      timeoutMs: number(180_000, 'At most 600000'),
      ...place,
    },
    required: ['requests'],
    cases: [{ to: 'query', args: { requests: 'requests', timeout: 'timeoutMs', ...onPlace } }],
  },
};
