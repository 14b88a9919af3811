// Formats one line of a snapshot: role, name, ref, states, text. Always a single line.
import { inputType, isDisabled, isInput, isListbox, optionsOf } from '../accessibility/controls.ts';
import { placeAmongAlike } from '../accessibility/drawings.ts';
import { isDraggable, isScrollable } from '../accessibility/interactive.ts';
import { nameOf } from '../accessibility/names.ts';
import { wordSet } from '../accessibility/role-data.ts';
import type { States } from '../accessibility/states.ts';
import { boxOf, Hidden, once, type SnapDoc } from '../capture/node.ts';
import { Handler } from '../handlers/kinds.ts';
import type { SnapshotView } from './filter.ts';
import { MAX_TARGET_NAME, type PrintNode } from './print-node.ts';
import { shortLine } from './short-line.ts';

export const MAX_TEXT = 1000;
export const MAX_VALUE = 500;
/** A longer list of options is counted, not printed. */
const MAX_OPTIONS = 10;

export interface Line {
  before: string;
  after: string;
}

/** The two sides of the ref. */
export function lineOf(
  entry: PrintNode,
  level: number,
  view: SnapshotView,
  frameOf: (doc: SnapDoc) => number | undefined,
): Line {
  const { shownName: name, text, states, role } = entry;
  const parts: LineParts = {
    indent: '  '.repeat(level),
    role,
    name: name && `"${quote(name, entry.kind === 'target' ? MAX_TARGET_NAME : MAX_TEXT)}"`,
    details: detailsOf(entry, view, frameOf),
    text: text && text !== states.value ? `"${quote(text, MAX_TEXT)}"` : '',
  };
  if (view.style === 'short') return shortLine(entry, parts, level);
  return view.style === 'list' ? listed(parts, linkOf(entry)) : inTree(parts);
}

export interface LineParts {
  indent: string;
  role: string;
  /** In quotes, as the text is; '' when there is none. */
  name: string;
  text: string;
  details: string[];
}

const inTree = ({ indent, role, name, text, details }: LineParts): Line => ({
  before: `${indent}- ${role}${name && ` ${name}`}`,
  after: details.map(detail => ` [${detail}]`).join('') + (text && `: ${text}`),
});

function listed({ indent, role, name, text, details }: LineParts, link: string): Line {
  const facts = details.map(detail => detail.replace(/^([\w-]+)=/, '$1: ')).join(', ');
  const said = name && text ? ` ${name}: ${text}` : name || text ? ` ${name || text}` : '';
  return {
    before: `${indent}-`,
    after: ` ${role}${said}${facts && ` (${facts})`}${link && ` → ${quote(link, MAX_VALUE)}`}`,
  };
}

function detailsOf(entry: PrintNode, view: SnapshotView, frameOf: (doc: SnapDoc) => number | undefined): string[] {
  const { name, states } = entry;
  const details = [
    ...placeOf(entry, frameOf),
    ...traits(entry),
    ...stateWords(entry, states, name),
    ...apartWords(entry),
    ...options(entry, view),
  ];
  if (entry.node === view.focused) details.push('active');
  const box = view.includeBounds && entry.kind !== 'root' && boxOf(entry.node);
  if (box) details.push(`box=${box.join(',')}`);
  if (entry.omitted) details.push(`${entry.omitted} inside`);
  return details;
}

function placeOf({ frame }: PrintNode, frameOf: (doc: SnapDoc) => number | undefined): string[] {
  const number = frame && frameOf(frame);
  return number === undefined ? [] : [`frame=${number}`];
}

const TYPES = wordSet('date month week time datetime-local color file password');

/** Traits that the role does not imply. */
export function traits(entry: PrintNode): string[] {
  const { node, interactivity } = entry;
  const control = entry.control ?? node;
  const list: string[] = [];
  if ((entry.kind !== 'target' && entry.kind !== 'box') || entry.item) return list;
  if (node.tag === 'canvas' && node.box) list.push(`size=${node.box.slice(2).map(Math.round).join('x')}`);
  if (isInput(control) && TYPES.has(inputType(control))) list.push(`type=${inputType(control)}`);
  if (control.html && control.attrs.multiple !== undefined) list.push('multiple');
  if (interactivity === 'edit' && entry.role !== 'editable' && entry.role !== 'textbox') list.push('editable');
  if (isDraggable(node) && entry.role !== 'draggable') list.push('draggable');
  else if (node.handlers & Handler.drop && entry.role !== 'droppable' && !node.editing) list.push('droppable');
  if (!node.clickable && !entry.children.length)
    for (const [word, kind] of PRESSES) if (node.handlers & kind) list.push(word);
  if (entry.role !== 'scrollable' && isScrollable(node)) list.push('scrollable');
  if (interactivity === 'shape' && !node.html && node.tag !== 'text' && COLOUR.test(node.attrs.fill ?? ''))
    list.push(`fill=${node.attrs.fill}`);
  const place = entry.kind === 'target' && !nameOf(node) && placeAmongAlike(node);
  if (place) list.push(place);
  if (node.hidden & Hidden.aria) list.push('aria-hidden');
  return list;
}

/** What does something where a click does nothing. */
const PRESSES = [
  ['dblclick', Handler.dblclick],
  ['contextmenu', Handler.menu],
] as const;

const COLOUR = /^(#[\da-f]{3,8}|(?!none)[a-z]{3,20}|(rgb|hsl)a?\([\d ,.%/]+\))$/i;

function stateWords(entry: PrintNode, states: States, name: string): string[] {
  const list: string[] = [];
  if (states.level) list.push(`level=${states.level}`);
  if (states.checked) list.push(states.checked === 'mixed' ? 'checked=mixed' : 'checked');
  if (states.pressed) list.push(states.pressed === 'mixed' ? 'pressed=mixed' : 'pressed');
  // A closed native drop-down says nothing by being closed.
  if (states.expanded !== undefined && entry.node.tag !== 'select')
    list.push(states.expanded ? 'expanded' : 'collapsed');
  for (const flag of FLAGS) if (states[flag]) list.push(flag);
  if (states.sort) list.push(`sort=${states.sort}`);
  if (states.value) list.push(`value="${quote(states.value, MAX_VALUE)}"`);
  if (states.placeholder && states.placeholder !== name)
    list.push(`placeholder="${quote(states.placeholder, MAX_VALUE)}"`);
  return list;
}

/** Longest description that is printed to tell elements apart. */
const MAX_APART = 60;

const apartWords = ({ apart }: PrintNode): string[] =>
  Object.entries(apart ?? {}).flatMap(([how, said]) =>
    said ? [`${how}${how === 'in' ? ' ' : '='}"${quote(said, MAX_APART)}"`] : [],
  );

const FLAGS = [
  'selected',
  'current',
  'disabled',
  'readonly',
  'required',
  'invalid',
] as const satisfies (keyof States)[];

function options({ control, node }: PrintNode, view: SnapshotView): string[] {
  const n = control ?? node;
  if (n.tag !== 'select' || !n.html || isListbox(n)) return [];
  const list = optionsOf(n);
  if (view.mode === 'interactive' || !list.length || list.length > MAX_OPTIONS) return [`options=${list.length}`];
  const words = list.map(
    option => `"${quote(nameOf(option), MAX_TARGET_NAME)}"${isDisabled(option) ? ' disabled' : ''}`,
  );
  return [`options: ${words.join(', ')}`];
}

const ESCAPES: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Cut at max characters, and escaped for one line in quotes. */
export const quote = (text: string, max: number): string =>
  cut(text, max).replace(
    /["\\\p{Cc}\u2028\u2029]/gu,
    c => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Never between the halves of a surrogate pair. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return `${text.slice(0, end)}…`;
}

/** The URL of a link; '' for other elements, a link without one, or a javascript: link. */
function linkOf({ nodeRole, node }: PrintNode): string {
  const href = nodeRole === 'link' ? (node.attrs.href ?? node.attrs['xlink:href']) : undefined;
  if (href === undefined || /^\s*javascript:/i.test(href)) return '';
  return resolveUrl(href, baseUrlOf(node.doc)) ?? href;
}

/** The URL that relative URLs of a document are resolved against. */
const baseUrlOf = once((doc: SnapDoc) => {
  const base = doc.nodes.find(({ tag, html, attrs }) => tag === 'base' && html && attrs.href !== undefined);
  return resolveUrl(base?.attrs.href ?? '', doc.url) ?? doc.url;
});

const resolveUrl = (url: string, base: string): string | undefined =>
  URL.canParse(url, base) ? new URL(url, base).href : undefined;
