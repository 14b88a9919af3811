// The style `uids` of a snapshot: every line is an element with its ref, its role as Chrome names it, and its states.
import { isListbox, optionsOf } from '../accessibility/controls.ts';
import { RANGES, wordSet } from '../accessibility/role-data.ts';
import type { States } from '../accessibility/states.ts';
import { ELEMENT, type SnapNode, up } from '../capture/node.ts';
import { type Line, MAX_TEXT, MAX_VALUE, quote, traits } from './line.ts';
import { PrintNode } from './print-node.ts';

/** Our words for roles → the roles of Chrome's accessibility tree. Other words are the same. */
const ROLES: Readonly<Record<string, string>> = {
  document: 'RootWebArea',
  iframe: 'Iframe',
  img: 'image',
  label: 'LabelText',
  text: 'StaticText',
  paragraph: 'StaticText',
  caption: 'StaticText',
};

/** Words for interactive elements without a role: printed behind the name. */
const INTERACTIVITY_WORDS = wordSet('clickable focusable draggable droppable hoverable editable scrollable');

/** The two sides of the ref. */
export function uidLine(entry: PrintNode, level: number, focused: SnapNode | undefined): Line {
  const { role, shownName: name, text } = entry;
  const isWord = INTERACTIVITY_WORDS.has(role);
  const parts = [
    isWord ? 'generic' : (ROLES[role] ?? role),
    `"${quote(name || text, MAX_TEXT)}"`,
    ...(isWord ? [role] : []),
    ...(name && text && text !== entry.states.value ? [attribute('text', text)] : []),
    ...traits(entry).map(trait => trait.replace(/=(.*)$/s, '="$1"')),
    ...values(entry),
    ...flags(entry, entry.node === focused),
    ...tristates(entry.states),
  ];
  return { before: `${'  '.repeat(level)}uid=`, after: ` ${parts.join(' ')}` };
}

const attribute = (name: string, value: string | number): string => `${name}="${quote(String(value), MAX_VALUE)}"`;

/** ARIA attributes that are printed with their value. */
const WRITTEN = {
  'aria-valuetext': 'valuetext',
  'aria-autocomplete': 'autocomplete',
  'aria-haspopup': 'haspopup',
  'aria-orientation': 'orientation',
  'aria-description': 'description',
  'aria-keyshortcuts': 'keyshortcuts',
  'aria-roledescription': 'roledescription',
} as const;

function values({ node, nodeRole, kind, states, control }: PrintNode): string[] {
  if (kind === 'run' || kind === 'root') return [];
  const { attrs } = control ?? node;
  const bounds = RANGES.has(nodeRole)
    ? { valuemin: attrs['aria-valuemin'] ?? attrs.min, valuemax: attrs['aria-valuemax'] ?? attrs.max }
    : {};
  const written = Object.entries(WRITTEN).map(([from, to]) => [to, attrs[from]] as const);
  const all = [
    ['value', states.value],
    ...Object.entries(bounds),
    ['level', states.level],
    ...written,
    ['sort', states.sort],
    ['placeholder', states.placeholder],
    ['options', optionCount(control ?? node)],
  ] as const;
  const printed = all.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [attribute(name, value)]));
  return states.invalid ? [...printed, 'invalid="true"'] : printed;
}

/** Boolean states: that the element can have the state, and that it has it. */
function flags({ node, states, kind }: PrintNode, isFocused: boolean): string[] {
  if (kind === 'run' || kind === 'root') return [];
  const { attrs, tag } = node;
  return [
    ...(states.disabled ? ['disableable', 'disabled'] : []),
    ...(states.expanded === undefined || tag === 'select' ? [] : ['expandable']),
    ...(states.expanded ? ['expanded'] : []),
    ...(isFocused ? ['focusable', 'focused'] : []),
    ...(states.selected ? ['selectable', 'selected'] : []),
    ...(attrs['aria-modal'] === 'true' ? ['modal'] : []),
    ...(tag === 'textarea' || attrs['aria-multiline'] === 'true' ? ['multiline'] : []),
    ...(states.readonly ? ['readonly'] : []),
    ...(states.required ? ['required'] : []),
    ...(attrs['aria-multiselectable'] === 'true' ? ['multiselectable'] : []),
    ...(states.current ? ['current'] : []),
  ];
}

/** States with the value true or "mixed"; false is not printed. */
const tristates = ({ pressed, checked }: States): string[] =>
  Object.entries({ pressed, checked }).flatMap(([name, state]) => (state ? [name, `${name}="${state}"`] : []));

/** The element of a line's ref: for text the element around it, for a document its root element. */
export function elementOf({ control, node, kind }: PrintNode): SnapNode {
  if (kind === 'root') return node.kids.find(kid => kid.type === ELEMENT) ?? node;
  if (kind !== 'run') return control ?? node;
  return up(node, above => above.type === ELEMENT) ?? node;
}

/** More options are counted, not listed. */
const MOST_OPTIONS = 100;

const isDropDown = (n: SnapNode): boolean => n.tag === 'select' && n.html && !isListbox(n);

/** The number of options, when they are not listed. */
const optionCount = (n: SnapNode): number | undefined => {
  const count = isDropDown(n) ? optionsOf(n).length : 0;
  return count > MOST_OPTIONS ? count : undefined;
};

/** The options of a drop-down, a line each. */
export function optionLines({ control, node }: PrintNode): PrintNode[] {
  const n = control ?? node;
  const options = isDropDown(n) ? optionsOf(n) : [];
  if (options.length > MOST_OPTIONS) return [];
  return options.map(option => Object.assign(new PrintNode(option, 'target', 'option'), { ref: true }));
}
