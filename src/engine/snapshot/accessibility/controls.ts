// Facts about controls that roles, names, states and interactivity share: focusable, editable, disabled, chosen options.
import { descendants, type SnapNode, up } from '../capture/node.ts';

const FORM_CONTROLS = new Set(['button', 'input', 'select', 'textarea', 'optgroup', 'option']);

export const isInput = (n: SnapNode): boolean => n.html && n.tag === 'input';
export const inputType = (n: SnapNode): string => (n.attrs.type || 'text').toLowerCase();
export const isCheckable = (n: SnapNode): boolean => isInput(n) && /^(checkbox|radio)$/i.test(n.attrs.type ?? '');
export const hasTabindex = (n: SnapNode): boolean => /^\s*-?\d+/.test(n.attrs.tabindex ?? '');
export const isListbox = (select: SnapNode): boolean =>
  select.attrs.multiple !== undefined || Number(select.attrs.size) > 1;

/** The element where editing begins: contenteditable, or the body of a document in design mode. */
export const isEditable = (n: SnapNode): boolean =>
  n.editing && (n.parent?.tag === 'html' ? n.tag === 'body' : !n.parent?.editing && n.tag !== 'html');

export const isSvgLink = (n: SnapNode): boolean =>
  n.tag === 'a' && (n.attrs.href !== undefined || n.attrs['xlink:href'] !== undefined);

const has = (attribute: string) => (n: SnapNode) => n.attrs[attribute] !== undefined;
const isEnabled = (n: SnapNode): boolean => !isDisabled(n);

/** Whether an element is focusable without a tabindex, by its tag. */
const FOCUSABLE = new Map<string, (n: SnapNode) => boolean>([
  ['a', has('href')],
  ['area', has('href')],
  ['input', n => n.attrs.type !== 'hidden' && isEnabled(n)],
  ['button', isEnabled],
  ['select', isEnabled],
  ['textarea', isEnabled],
  ['summary', n => n.parent?.tag === 'details'],
  ['iframe', () => true],
  ['audio', has('controls')],
  ['video', has('controls')],
]);

export function isFocusable(n: SnapNode): boolean {
  if (hasTabindex(n)) return true;
  return n.html ? (FOCUSABLE.get(n.tag) ?? isEditable)(n) : isSvgLink(n);
}

export function isDisabled(n: SnapNode): boolean {
  if (!n.html || !FORM_CONTROLS.has(n.tag)) return false;
  // Chrome calls the options of a disabled group disabled, not the group.
  if (n.tag === 'optgroup') return false;
  if (n.attrs.disabled !== undefined) return true;
  if (n.tag === 'option') return isOptionDisabled(n);
  return inDisabledFieldset(n);
}

function isOptionDisabled(option: SnapNode): boolean {
  if (up(option, p => p.tag === 'optgroup' && p.attrs.disabled !== undefined)) return true;
  const select = up(option, p => p.tag === 'select');
  return !!select && isDisabled(select);
}

/** The first legend of a disabled fieldset stays enabled. */
function inDisabledFieldset(n: SnapNode): boolean {
  let below = n;
  for (let p = n.parent; p; below = p, p = p.parent) {
    if (p.tag !== 'fieldset' || p.attrs.disabled === undefined) continue;
    if (below.tag !== 'legend' || p.kids.find(kid => kid.tag === 'legend') !== below) return true;
  }
  return false;
}

export const optionsOf = (select: SnapNode): SnapNode[] => descendants(select, n => n.tag === 'option' && n.html);

/** The selected options; a drop-down shows its first when none is marked. */
export function chosen(select: SnapNode): SnapNode[] {
  const options = optionsOf(select);
  const selected = options.filter(option => option.selected);
  return selected.length || isListbox(select) ? selected : options.slice(0, 1);
}
