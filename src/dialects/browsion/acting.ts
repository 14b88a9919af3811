// Mouse, keyboard, forms, refs and touch.
import type { Done } from '../definition.ts';
import { type BrowsionRow, DONE, first, onPage, selector, text } from './row.ts';

const aimed = { selector: first('selector') };
const ref = { ref_id: text('Ref from get_page_state or get_ax_tree, such as e5') };
const byRef = { selector: 'ref_id' };
const number = (description: string) => ({ type: 'number', description });
const direction = { type: 'string', enum: ['up', 'down', 'left', 'right'] };

/** A finger goes that way, and what is under it goes along. */
const SWIPES: Readonly<Record<string, { 'offset.x': number; 'offset.y': number }>> = {
  up: { 'offset.x': 0, 'offset.y': -1 },
  down: { 'offset.x': 0, 'offset.y': 1 },
  left: { 'offset.x': -1, 'offset.y': 0 },
  right: { 'offset.x': 1, 'offset.y': 0 },
};

const swipes = Object.entries(SWIPES).map(
  ([way, by]): Done => ({
    when: { direction: way },
    to: 'drag',
    set: { touch: true },
    args: {
      source: first('selector'),
      ...Object.fromEntries(
        Object.entries(by).map(([axis, times]) => [
          axis,
          { from: 'distance', as: (distance: unknown) => (typeof distance === 'number' ? distance * times : distance) },
        ]),
      ),
    },
  }),
);

export const ACTING: Readonly<Record<string, BrowsionRow>> = {
  click: onPage({
    category: 'Mouse',
    summary: 'Click an element with real mouse events.',
    takes: selector,
    required: ['selector'],
    at: 'POST click',
    cases: [{ to: 'click', args: aimed }],
    gives: DONE,
  }),
  hover: onPage({
    category: 'Mouse',
    summary: 'Move the mouse over an element.',
    takes: selector,
    required: ['selector'],
    at: 'POST hover',
    cases: [{ to: 'hover', args: aimed }],
    gives: DONE,
  }),
  double_click: onPage({
    category: 'Mouse',
    summary: 'Double-click an element.',
    takes: selector,
    required: ['selector'],
    at: 'POST double_click',
    cases: [{ to: 'dblclick', args: aimed }],
    gives: DONE,
  }),
  right_click: onPage({
    category: 'Mouse',
    summary: 'Click an element with the right button.',
    takes: selector,
    required: ['selector'],
    at: 'POST right_click',
    cases: [{ to: 'click', set: { button: 'right' }, args: aimed }],
    gives: DONE,
  }),
  click_at: onPage({
    category: 'Mouse',
    summary: 'Click a point of the viewport: a canvas, or what a picture shows.',
    takes: { x: number('CSS pixels from the left'), y: number('CSS pixels from the top') },
    required: ['x', 'y'],
    at: 'POST click_at',
    cases: [{ to: 'click', args: { 'coordinates.x': 'x', 'coordinates.y': 'y' } }],
    gives: DONE,
  }),
  drag: onPage({
    category: 'Mouse',
    summary: 'Drag an element onto another.',
    takes: { from_selector: text('What to drag'), to_selector: text('Where to drop it') },
    required: ['from_selector', 'to_selector'],
    at: 'POST drag',
    cases: [{ to: 'drag', args: { source: first('from_selector'), target: first('to_selector') } }],
    gives: DONE,
  }),
  type_text: onPage({
    category: 'Keyboard',
    summary: 'Put a text into a field, in place of what it holds.',
    takes: { ...selector, text: text('What the field shall hold') },
    required: ['selector', 'text'],
    at: 'POST type',
    cases: [{ to: 'fill', set: { change: true }, args: { ...aimed, value: 'text' } }],
    gives: DONE,
  }),
  slow_type: onPage({
    category: 'Keyboard',
    summary: 'Type key by key, for fields that look at every key.',
    takes: { ...selector, text: text('What to type'), delay_ms: { type: 'number', default: 50 } },
    required: ['selector', 'text'],
    at: 'POST slow_type',
    cases: [{ to: 'type', args: { ...aimed, text: 'text', delay: 'delay_ms' } }],
    gives: DONE,
  }),
  press_key: onPage({
    category: 'Keyboard',
    summary: 'Press a key or several at once.',
    takes: { key: text('Enter, Tab, ArrowDown, F5, Ctrl+A, Ctrl+Shift+I, …') },
    required: ['key'],
    at: 'POST press_key',
    cases: [{ to: 'press', args: { key: 'key' } }],
    gives: DONE,
  }),
  select_option: onPage({
    category: 'Forms',
    summary: 'Choose an option of a list.',
    takes: { ...selector, value: text('Its value, or else its label') },
    required: ['selector', 'value'],
    at: ['POST select_option', 'POST select'],
    cases: [{ to: 'select', args: { ...aimed, value: 'value' } }],
    gives: DONE,
  }),
  upload_file: onPage({
    category: 'Forms',
    summary: 'Put a file into a file field.',
    takes: { ...selector, file_path: text('Absolute path of the file, on the machine of the server') },
    required: ['selector', 'file_path'],
    at: ['POST upload_file', 'POST upload'],
    cases: [{ to: 'upload', args: { ...aimed, 'files.0': 'file_path' } }],
    gives: DONE,
  }),
  click_ref: onPage({
    category: 'AX-Ref',
    summary: 'Click an element by its ref.',
    takes: ref,
    required: ['ref_id'],
    at: 'POST click_ref',
    cases: [{ to: 'click', args: byRef }],
    gives: DONE,
  }),
  type_ref: onPage({
    category: 'AX-Ref',
    summary: 'Put a text into a field by its ref.',
    takes: { ...ref, text: text('What the field shall hold') },
    required: ['ref_id', 'text'],
    at: 'POST type_ref',
    cases: [{ to: 'fill', set: { change: true }, args: { ...byRef, value: 'text' } }],
    gives: DONE,
  }),
  focus_ref: onPage({
    category: 'AX-Ref',
    summary: 'Put the focus on an element by its ref.',
    takes: ref,
    required: ['ref_id'],
    at: 'POST focus_ref',
    cases: [{ to: 'focus', args: byRef }],
    gives: DONE,
  }),
  tap: onPage({
    category: 'Touch',
    summary: 'Tap an element with a finger.',
    takes: selector,
    required: ['selector'],
    at: 'POST tap',
    cases: [{ to: 'click', set: { touch: true }, args: aimed }],
    gives: DONE,
  }),
  swipe: onPage({
    category: 'Touch',
    summary: 'Swipe with a finger that starts on an element.',
    takes: {
      ...selector,
      direction: { ...direction, description: 'Where the finger goes' },
      distance: { type: 'number', default: 300, description: 'CSS pixels' },
    },
    required: ['selector', 'direction'],
    at: 'POST swipe',
    cases: swipes,
    gives: DONE,
  }),
};
