// The states of an element: checked, expanded, selected, disabled, its value and so on.
import { byId } from '../capture/id-lookup.ts';
import { isInside, once, type SnapDoc, type SnapNode, up } from '../capture/node.ts';
import { chosen, inputType, isCheckable, isDisabled, isInput } from './controls.ts';
import { nameOf } from './names.ts';
import { INTERACTIVE, NO_EXPAND, RANGES, wordSet } from './role-data.ts';
import { roleOf } from './roles.ts';

export interface States {
  level?: number;
  checked?: boolean | 'mixed';
  selected?: true;
  expanded?: boolean;
  pressed?: boolean | 'mixed';
  disabled?: true;
  readonly?: true;
  required?: true;
  invalid?: true;
  current?: true;
  sort?: string;
  value?: string;
  /** Only while the field is empty. */
  placeholder?: string;
}

/** A fixed length: the dots must not give away that of the secret. */
const DOTS = '••••';

const CHECKABLE = wordSet('checkbox radio switch menuitemcheckbox menuitemradio');
const SELECTABLE = wordSet('option tab treeitem gridcell row');
/** Besides headings; their level is told only where the page says it. */
const LEVELLED = wordSet('treeitem row');
const VALUELESS = wordSet('button submit reset image checkbox radio hidden');

export function statesOf(n: SnapNode): States {
  const { attrs } = n;
  const role = roleOf(n);
  const states: States = {};
  if (role === 'heading' || (LEVELLED.has(role) && Number(attrs['aria-level']) > 0)) states.level = levelOf(n);
  if (CHECKABLE.has(role)) states.checked = checkedOf(n, role);
  if (SELECTABLE.has(role) && (n.selected || (n.tag !== 'option' && isTrue(attrs['aria-selected']))))
    states.selected = true;
  const expanded = expandedOf(n, role);
  if (expanded !== undefined) states.expanded = expanded;
  if (attrs['aria-pressed']) states.pressed = tristate(attrs['aria-pressed']);
  if (isOff(n, role)) states.disabled = true;
  if (has(n, 'readonly')) states.readonly = true;
  if (has(n, 'required')) states.required = true;
  if (says(attrs['aria-invalid'])) states.invalid = true;
  if (says(attrs['aria-current'])) states.current = true;
  if (/^(a|de)scending$/.test(attrs['aria-sort'] ?? '')) states.sort = attrs['aria-sort'] as string;
  const value = valueIn(n, role);
  if (value !== undefined) states.value = value;
  const placeholder = attrs.placeholder || attrs['aria-placeholder'];
  if (placeholder && !value) states.placeholder = placeholder;
  return states;
}

const isTrue = (value: string | undefined): boolean => value === 'true';
const tristate = (value: string | undefined): boolean | 'mixed' => (value === 'mixed' ? 'mixed' : isTrue(value));
/** For attributes with more values than true and false. */
const says = (value: string | undefined): boolean => !!value && value !== 'false';

const FIELDS = new Set(['input', 'textarea', 'select']);
const has = (n: SnapNode, state: string): boolean =>
  isTrue(n.attrs[`aria-${state}`]) || (n.attrs[state] !== undefined && n.html && FIELDS.has(n.tag));

/** Radios and switches have no mixed state. */
function checkedOf(n: SnapNode, role: string): boolean | 'mixed' {
  const checked = isCheckable(n) ? n.checked : tristate(n.attrs['aria-checked']) || n.checked;
  return checked === 'mixed' && !role.endsWith('checkbox') ? false : checked;
}

function levelOf(n: SnapNode): number {
  return Number(n.attrs['aria-level']) || (/^h[1-6]$/.test(n.tag) ? Number(n.tag[1]) : 2);
}

function expandedOf(n: SnapNode, role: string): boolean | undefined {
  if (n.tag === 'summary') return up(n, p => p.tag === 'details')?.attrs.open !== undefined;
  const written = n.attrs['aria-expanded'];
  if ((written === 'true' || written === 'false') && !NO_EXPAND.has(role)) return written === 'true';
  if (n.tag === 'select' && role === 'combobox') return false;
  const popover =
    n.attrs.popovertarget && role === 'button' && !isDisabled(n) ? byId(n.attrs.popovertarget, n) : undefined;
  return popover && !isInside(n, popover) ? popover.rendered : undefined;
}

const isOff = (n: SnapNode, role: string): boolean =>
  isDisabled(n) ||
  isTrue(n.attrs['aria-disabled']) ||
  (INTERACTIVE.has(role) && hasDisabled(n.doc) && !!up(n, p => isTrue(p.attrs['aria-disabled'])));

/** Most documents have none, so that nothing above an element need be looked at. */
const hasDisabled = once(({ strings }: SnapDoc) => strings.includes('aria-disabled'));

function valueIn(n: SnapNode, role: string): string | undefined {
  if (isInput(n)) return inputValue(n);
  if (n.html && n.tag === 'textarea') return n.value ?? '';
  if (n.tag === 'select' && role === 'combobox') return chosen(n).map(nameOf).join(', ');
  if (!RANGES.has(role)) return undefined;
  return n.attrs['aria-valuetext'] || n.attrs['aria-valuenow'] || n.attrs.value;
}

function inputValue(n: SnapNode): string | undefined {
  const type = inputType(n);
  const value = n.value ?? '';
  if (VALUELESS.has(type)) return undefined;
  if (type === 'password') return value && DOTS;
  // Only the name of the file: the folder is invented by the browser.
  if (type === 'file') return value ? value.replace(/^.*[\\/]/, '') : undefined;
  return value;
}
