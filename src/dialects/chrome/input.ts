// The old tools that act on the page with mouse and keyboard, fill fields and answer dialogs.
import { at } from '../decode.ts';
import type { NativeStep, Source, ToolMapping, When } from '../definition.ts';
import { onFrame, onTab, onWindow, pressed, scaled, selected } from './sources.ts';

const NAMED =
  'Enter|Return|Tab|Esc(?:ape)?|Backspace|Del(?:ete)?|Ins(?:ert)?|Space|(?:Arrow)?(?:Up|Down|Left|Right)|Home|End|Page(?:Up|Down)|F(?:[1-9]|1\\d|2[0-4])';
const HELD = 'Ctrl|Control|Alt|Option|Shift|Meta|Cmd|Command|Win';
const KEY = `(?:(?:${HELD})\\+)*(?:${NAMED}|${HELD}|[^\\s,])`;
/** Keys and combinations, with commas between several; anything else is text to type. */
const KEYS = new RegExp(`^\\s*${KEY}(?:\\s*,\\s*${KEY})*\\s*$`, 'i');

const target = [{ selector: 'ref' }, { coordinates: 'coordinates' }];
const clicked = { oneOf: [target], args: { modifiers: pressed, ...onTab } };
const waitForText: NativeStep = { tool: 'wait', args: { text: 'text', timeout: 'timeout', ...onTab } };

/** `value` is text, a number or true and false. */
const value: Source = {
  from: 'value',
  convert: given => (typeof given === 'number' || typeof given === 'boolean' ? String(given) : given),
};

/** How far one corner of the region is from the other. */
const side = (from: string, to: string): Source => ({
  from: to,
  convert: (corner, { given }) => (typeof corner === 'number' ? corner - Number(at(given, from)) : corner),
});

/** What each action of chrome_computer is done by. */
const ACTIONS: Readonly<Record<string, NativeStep | readonly (NativeStep & { when?: When })[]>> = {
  left_click: { tool: 'click', ...clicked },
  right_click: { tool: 'click', constants: { button: 'right' }, ...clicked },
  double_click: { tool: 'dblclick', ...clicked },
  triple_click: { tool: 'click', constants: { click_count: 3 }, ...clicked },
  left_click_drag: {
    tool: 'drag',
    oneOf: [
      [{ source: 'startRef' }, { source_coordinates: 'startCoordinates' }],
      [{ target: 'ref' }, { target_coordinates: 'coordinates' }],
    ],
    args: onTab,
  },
  scroll: {
    tool: 'scroll',
    oneOf: [target],
    args: { direction: ['scrollDirection', { value: 'down' }], amount: scaled('scrollAmount', 100), ...onTab },
  },
  scroll_to: { tool: 'scroll', constants: { into_view: true }, args: { selector: 'ref', ...onTab } },
  type: { tool: 'type', args: { selector: 'ref', text: 'text', ...onTab } },
  key: { tool: 'press', args: { selector: 'ref', key: 'text', repeat: 'repeat', ...onTab } },
  fill: { tool: 'fill', args: { selector: ['ref', 'selector'], value, ...onTab } },
  fill_form: {
    tool: 'fill_form',
    args: { fields: { each: 'elements', args: { selector: 'ref', value: 'value' } }, ...onTab },
  },
  hover: { tool: 'hover', oneOf: [target], args: onTab },
  wait: [
    { when: { text: { is: 'given' }, appear: false }, ...waitForText, constants: { for: 'text_hidden' } },
    { when: { text: { is: 'given' } }, ...waitForText, constants: { for: 'text' } },
    {
      tool: 'wait',
      constants: { for: 'timeout' },
      args: { duration: scaled('duration', 1_000), timeout: { value: 31_000 }, ...onTab },
    },
  ],
  resize_page: { tool: 'viewport', args: { width: 'width', height: 'height', ...onTab } },
  zoom: {
    tool: 'screenshot',
    args: {
      'clip.x': 'region.x0',
      'clip.y': 'region.y0',
      'clip.width': side('region.x0', 'region.x1'),
      'clip.height': side('region.y0', 'region.y1'),
      ...onTab,
    },
  },
  screenshot: { tool: 'screenshot', args: onTab },
};

export const input = {
  chrome_click_element: {
    tool: 'click',
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
  chrome_fill_or_select: { tool: 'fill', args: { selector: ['ref', selected], value, ...onFrame } },
  chrome_keyboard: {
    cases: [
      {
        when: { keys: KEYS },
        tool: 'press',
        args: {
          key: { from: 'keys', convert: keys => (typeof keys === 'string' ? keys.split(/\s*,\s*/).join(' ') : keys) },
          selector: selected,
          delay: 'delay',
          ...onFrame,
        },
      },
      { tool: 'type', args: { text: 'keys', selector: selected, delay: 'delay', ...onFrame } },
    ],
  },
  chrome_computer: {
    cases: Object.entries(ACTIONS).flatMap(([action, steps]) =>
      [steps].flat().map(step => ({ ...step, when: { action, ...('when' in step && step.when) } })),
    ),
  },
  chrome_upload_file: {
    tool: 'upload',
    oneOf: [[{ 'files.0.path': 'filePath' }, { 'files.0.url': 'fileUrl' }, { 'files.0.base64': 'base64Data' }]],
    args: {
      selector: 'selector',
      'files.0.name': { from: 'fileName', when: { filePath: { is: 'missing' } } },
      ...onWindow,
    },
  },
  chrome_handle_dialog: { tool: 'dialog', args: { action: 'action', prompt_text: 'promptText' } },
  chrome_request_element_selection: {
    tool: 'query',
    args: { requests: 'requests', timeout: 'timeoutMs', ...onWindow },
  },
} as const satisfies Record<string, ToolMapping>;
