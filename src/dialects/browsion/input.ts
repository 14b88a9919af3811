// Mouse, keyboard, forms, refs, touch and scrolling.
import type { NativeCase } from '../definition.ts';
import { first, firstMatch, onElement } from './sources.ts';
import { ACTION, type BrowsionMapping } from './template.ts';

const template = ACTION;
const byRef = { selector: 'ref_id' };

/** The direction in which the finger moves, and the page with it. */
const SWIPES = { up: { x: 0, y: -1 }, down: { x: 0, y: 1 }, left: { x: -1, y: 0 }, right: { x: 1, y: 0 } };

const distance = (factor: number) => ({
  from: 'distance',
  convert: (pixels: unknown) => (typeof pixels === 'number' ? pixels * factor : pixels),
});

const swipes = Object.entries(SWIPES).map(
  ([direction, { x, y }]): NativeCase => ({
    when: { direction },
    tool: 'drag',
    constants: { touch: true },
    args: { source: first('selector'), 'offset.x': distance(x), 'offset.y': distance(y) },
  }),
);

export const input = {
  click: { tool: 'click', args: onElement, template },
  hover: { tool: 'hover', args: onElement, template },
  double_click: { tool: 'dblclick', args: onElement, template },
  right_click: { tool: 'click', constants: { button: 'right' }, args: onElement, template },
  click_at: { tool: 'click', args: { 'coordinates.x': 'x', 'coordinates.y': 'y' }, template },
  drag: { tool: 'drag', args: { source: first('from_selector'), target: first('to_selector') }, template },
  type_text: { tool: 'fill', constants: { change: true }, args: { ...onElement, value: 'text' }, template },
  slow_type: { tool: 'type', args: { ...onElement, text: 'text', delay: 'delay_ms' }, template },
  press_key: { tool: 'press', args: { key: 'key' }, template },
  select_option: { tool: 'select', args: { ...onElement, value: 'value' }, template },
  upload_file: { tool: 'upload', args: { ...onElement, 'files.0': 'file_path' }, template },
  click_ref: { tool: 'click', args: byRef, template },
  type_ref: { tool: 'fill', constants: { change: true }, args: { ...byRef, value: 'text' }, template },
  focus_ref: { tool: 'focus', args: byRef, template },
  tap: { tool: 'click', constants: { touch: true }, args: onElement, template },
  swipe: { cases: swipes, template },
  scroll: { tool: 'scroll', args: { direction: 'direction', amount: 'amount' }, template },
  scroll_element: {
    tool: 'scroll',
    args: {
      selector: { from: 'selector', values: { window: undefined }, convert: firstMatch },
      'wheel.x': 'delta_x',
      'wheel.y': 'delta_y',
    },
    template,
  },
  scroll_into_view: {
    tool: 'scroll',
    constants: { into_view: true, block: 'center' },
    args: onElement,
    template,
  },
} as const satisfies Record<string, BrowsionMapping>;
