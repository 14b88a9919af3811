// One printed line of a snapshot, always a single line: word, name, ref, states, text.
import { boxOf } from './boxes.ts';
import { inputType, isDisabled, isInput, isListbox, optionsOf } from './controls.ts';
import type { View } from './keep.ts';
import type { Kept } from './kept.ts';
import { nameOf } from './names.ts';
import { Hidden, type SnapDoc, type SnapNode } from './node.ts';
import type { States } from './states.ts';

const MAX_TEXT = 1000;
const MAX_VALUE = 500;
const MAX_PLAIN_NAME = 200;
/** A longer list of options is counted, not printed. */
const MAX_OPTIONS = 10;

export interface Line {
  before: string;
  after: string;
}

/** The two sides of the ref. */
export function lineOf(kept: Kept, level: number, view: View, frameOf: (doc: SnapDoc) => number | undefined): Line {
  const name = kept.name;
  const text = kept.text;
  // Only what can be hit shows its content below when its name is cut.
  const shown = name && ` "${quote(name, kept.kind === 'hit' ? MAX_PLAIN_NAME : MAX_TEXT)}"`;
  return {
    before: `${'  '.repeat(level)}- ${kept.role}${shown}`,
    after: details(kept, name, view, frameOf).map(detail => ` [${detail}]`).join('') + (text && `: "${quote(text, MAX_TEXT)}"`),
  };
}

function details(kept: Kept, name: string, view: View, frameOf: (doc: SnapDoc) => number | undefined): string[] {
  const list: string[] = [];
  const frame = kept.frame && frameOf(kept.frame);
  if (frame !== undefined) list.push(`frame=${frame}`);
  if (kept.kind === 'hit' || kept.kind === 'heading' || kept.kind === 'box' || kept.kind === 'figure') {
    list.push(...traits(kept), ...stateWords(kept, name), ...options(kept.control ?? kept.node, view));
  }
  if (kept.node === view.focused) list.push('active');
  const box = view.includeBounds && kept.kind !== 'root' && boxOf(kept.node);
  if (box) list.push(`box=${box.join(',')}`);
  if (kept.inside) list.push(`${kept.inside} inside`);
  return list;
}

const TYPES = new Set(['date', 'month', 'week', 'time', 'datetime-local', 'color', 'file', 'password']);

/** What the word alone does not say. */
function traits(kept: Kept): string[] {
  const { node, hit } = kept;
  const control = kept.control ?? node;
  const list: string[] = [];
  if (isInput(control) && TYPES.has(inputType(control))) list.push(`type=${inputType(control)}`);
  if (control.html && control.attrs.multiple !== undefined) list.push('multiple');
  if (hit === 'edit' && kept.role !== 'editable' && kept.role !== 'textbox') list.push('editable');
  if (node.attrs.draggable === 'true' && kept.role !== 'draggable') list.push('draggable');
  if (hit === 'scroll' && kept.role !== 'scrollable') list.push('scrollable');
  if (hit === 'shape' && !node.html && COLOUR.test(node.attrs.fill ?? '')) list.push(`fill=${node.attrs.fill}`);
  if (node.hidden & Hidden.aria) list.push('aria-hidden');
  return list;
}

const COLOUR = /^(#[\da-f]{3,8}|(?!none)[a-z]{3,20}|(rgb|hsl)a?\([\d\s,.%/]+\))$/i;

function stateWords(kept: Kept, name: string): string[] {
  const states = kept.states;
  const list: string[] = [];
  if (states.level) list.push(`level=${states.level}`);
  if (states.checked) list.push(states.checked === 'mixed' ? 'checked=mixed' : 'checked');
  if (states.pressed) list.push(states.pressed === 'mixed' ? 'pressed=mixed' : 'pressed');
  // A closed native drop-down says nothing by being closed.
  if (states.expanded !== undefined && kept.node.tag !== 'select') list.push(states.expanded ? 'expanded' : 'collapsed');
  for (const flag of FLAGS) if (states[flag]) list.push(flag);
  if (states.sort) list.push(`sort=${states.sort}`);
  if (states.value) list.push(`value="${quote(states.value, MAX_VALUE)}"`);
  if (states.placeholder && states.placeholder !== name) list.push(`placeholder="${quote(states.placeholder, MAX_VALUE)}"`);
  return list;
}

const FLAGS = ['selected', 'current', 'disabled', 'readonly', 'required', 'invalid'] as const satisfies (keyof States)[];

function options(n: SnapNode, view: View): string[] {
  if (n.tag !== 'select' || !n.html || isListbox(n)) return [];
  const list = optionsOf(n);
  if (view.mode === 'interactive' || !list.length || list.length > MAX_OPTIONS) return [`options=${list.length}`];
  const words = list.map(option => `"${quote(nameOf(option), MAX_PLAIN_NAME)}"${isDisabled(option) ? ' disabled' : ''}`);
  return [`options: ${words.join(', ')}`];
}

const ESCAPES: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Cut at max characters, and escaped so that it stays one line and its quotes are its own. */
export function quote(text: string, max: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get into a line.
  return cut(text, max).replace(/["\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, c => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Never between the halves of a character. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}
