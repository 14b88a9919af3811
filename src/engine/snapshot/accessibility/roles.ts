// The role of a node as in Chrome's accessibility tree (some names are our own: file, date, image, dl, summary).
import { byId, referenced } from '../capture/id-lookup.ts';
import { css, DOCUMENT, ELEMENT, find, isInline, type SnapNode, TEXT, up } from '../capture/node.ts';
import { inputType, isFocusable, isListbox, isSvgLink } from './controls.ts';
import { CONCRETE, GLOBAL_ARIA, INPUT_ROLES, SECTIONING, SECTIONING_ROLES, SHAPES, TAG_ROLES } from './role-data.ts';

export function roleOf(n: SnapNode): string {
  n.role ??= computeRole(n);
  return n.role;
}

/** Chrome honours the misspelling aria-labeledby too. */
export const labelledBy = (n: SnapNode): SnapNode[] =>
  referenced(n, n.attrs['aria-labelledby'] ? 'aria-labelledby' : 'aria-labeledby');

export const ariaLabel = (n: SnapNode): string => (n.attrs['aria-label'] ?? '').trim();

export const hasAriaName = (n: SnapNode): boolean => !!ariaLabel(n) || labelledBy(n).length > 0;

const hasAuthorName = (n: SnapNode): boolean => hasAriaName(n) || !!(n.attrs.title ?? '').trim();

const hasGlobalAria = (n: SnapNode): boolean => GLOBAL_ARIA.some(attribute => n.attrs[attribute]);

function computeRole(n: SnapNode): string {
  if (n.type === DOCUMENT) return 'document';
  if (n.type === TEXT) return 'text';
  if (n.type !== ELEMENT) return 'none';
  if (n.pseudo) return n.pseudo === 'marker' ? 'marker' : 'generic';
  const written = writtenRole(n);
  if (written) return written;
  const role = n.html ? htmlRole(n) : foreignRole(n);
  return TABLE_PARTS.has(role) ? partRole(n, role) : role === 'listitem' && !inList(n) ? 'none' : role;
}

export const RENAMED: Readonly<Record<string, string>> = {
  presentation: 'none',
  img: 'image',
  directory: 'list',
  text: 'generic',
};

/** The first usable token of the role attribute. */
function writtenRole(n: SnapNode): string | undefined {
  if (!n.attrs.role) return undefined;
  for (const token of n.attrs.role.toLowerCase().split(/\s+/)) {
    if (!CONCRETE.has(token)) continue;
    const role = RENAMED[token] ?? token;
    if (role === 'none' && (isFocusable(n) || hasGlobalAria(n))) return undefined;
    if ((role === 'region' || role === 'form') && !hasAuthorName(n)) continue;
    return role;
  }
  return undefined;
}

const TABLE_PARTS = new Set(['row', 'cell', 'gridcell', 'columnheader', 'rowheader', 'rowgroup']);

/** Parts of a layout table have no table roles either. */
function partRole(n: SnapNode, role: string): string {
  const table = tableOf(n);
  const whole = table ? roleOf(table) : role;
  return whole === 'none' || whole === 'generic' ? whole : role;
}

/** A list with another role takes away the role of its items. */
function inList(n: SnapNode): boolean {
  const list = up(n, p => p.tag !== 'slot' && p.tag !== 'div');
  return !list?.attrs.role || !/^(ul|ol|menu)$/.test(list.tag) || writtenRole(list) === 'list';
}

/** The nearest table, by role, is a grid. */
export function inGrid(n: SnapNode): boolean {
  const table = up(n, p => p.type === ELEMENT && TABLES.has(roleOf(p)));
  return !!table && roleOf(table) !== 'table';
}
const TABLES = new Set(['table', 'grid', 'treegrid']);

const tableOf = (n: SnapNode): SnapNode | undefined => up(n, p => p.tag === 'table');

/** SVG and MathML. */
function foreignRole(n: SnapNode): string {
  const { tag } = n;
  if (tag === 'svg') return n.parent?.html === false && n.parent.type === ELEMENT ? 'generic' : 'image';
  if (tag === 'a') return isSvgLink(n) ? 'link' : 'generic';
  if (tag === 'math') return 'math';
  if (tag === 'image') return 'image';
  if (tag === 'text' || !(SHAPES.has(tag) || tag === 'g') || !isMarkedShape(n)) return 'generic';
  return tag === 'g' ? 'group' : 'image';
}

const isMarkedShape = (n: SnapNode): boolean =>
  !!(n.attrs['aria-label'] || n.attrs['aria-labelledby']) ||
  n.attrs.tabindex !== undefined ||
  n.clickable ||
  n.kids.some(kid => kid.tag === 'title' && kid.kids.length > 0);

const HTML_RULES: Record<string, (n: SnapNode) => string> = {
  a: n => (n.attrs.href !== undefined || n.clickable ? 'link' : 'generic'),
  area: n => (n.attrs.href !== undefined ? 'link' : 'generic'),
  img: n => (isDecorative(n) ? 'none' : 'image'),
  input: inputRole,
  select: n => (isListbox(n) ? 'listbox' : 'combobox'),
  section: n => (hasAuthorName(n) ? 'region' : 'generic'),
  header: n => (inSection(n) ? 'sectionheader' : 'banner'),
  footer: n => (inSection(n) ? 'sectionfooter' : 'contentinfo'),
  aside: n =>
    up(n, p => /^(article|aside|nav|section)$/.test(p.tag)) && !hasAuthorName(n) ? 'generic' : 'complementary',
  table: n => (isLayoutTable(n) ? 'generic' : 'table'),
  td: n => (inGrid(n) ? 'gridcell' : 'cell'),
  th: headerRole,
  summary: n => (n.parent?.tag === 'details' || n.parent?.parent?.tag === 'details' ? 'summary' : 'generic'),
  canvas: n => (isSilent(n) ? 'none' : 'canvas'),
  div: n => (n.attrs.draggable !== undefined || n.attrs.autofocus !== undefined ? 'group' : ''),
  span: n => (n.attrs.draggable !== undefined && !isInline(n) ? 'group' : ''),
};
const RULES = new Map(Object.entries(HTML_RULES));

/** Chrome calls it a group for an attribute that says nothing of groups: draggable or autofocus. */
export const isBareGroup = (n: SnapNode, role: string): boolean =>
  role === 'group' && (n.tag === 'div' || n.tag === 'span') && !n.attrs.role && n.attrs.popover === undefined;

function htmlRole(n: SnapNode): string {
  const role = RULES.get(n.tag)?.(n) || TAG_ROLES.get(n.tag);
  if (role) return role;
  if (n.attrs.popover !== undefined) return 'group';
  if (css(n, 'display') === 'list-item') return 'listitem';
  // content: url() on an element replaces it by a picture.
  return /^(url|image-set)\(/.test(css(n, 'content')) ? 'image' : 'generic';
}

const isDecorative = (n: SnapNode): boolean =>
  n.attrs.alt === '' && !n.attrs.title && !isFocusable(n) && !hasGlobalAria(n);

/** Chrome leaves out a canvas without content, listener or name. */
const isSilent = (n: SnapNode): boolean => !n.kids.length && !n.clickable && !isFocusable(n) && !hasAuthorName(n);

const WITH_LIST = new Set(['textbox', 'searchbox', 'spinbutton', 'date']);

function inputRole(n: SnapNode): string {
  const role = INPUT_ROLES.get(inputType(n)) ?? 'textbox';
  const suggests = n.attrs.list !== undefined && WITH_LIST.has(role) && byId(n.attrs.list, n);
  return suggests ? 'combobox' : role;
}

/** A role attribute decides over the tag. */
const inSection = (n: SnapNode): boolean =>
  !!up(n, p => {
    const written = writtenRole(p);
    return written ? SECTIONING_ROLES.has(written) : SECTIONING.has(p.tag);
  });

function headerRole(n: SnapNode): string {
  const { scope } = n.attrs;
  if (scope) return scope === 'row' || scope === 'rowgroup' ? 'rowheader' : 'columnheader';
  const row = n.parent;
  if (row?.tag !== 'tr') return 'columnheader';
  // Without scope, a header beside a filled data cell heads its row. Chrome takes the ends of a row as neighbours.
  const cells = cellsOf(row);
  const at = cells.indexOf(n);
  const beside = [cells.at(at - 1), cells[(at + 1) % cells.length]];
  return beside.some(cell => cell?.tag === 'td' && cell.kids.length > 0) ? 'rowheader' : 'columnheader';
}

/** A table with this many rows holds data. */
const MANY_ROWS = 20;
const HEADS = new Set(['caption', 'thead', 'tfoot', 'col', 'colgroup']);
const CELL_MARKS = ['headers', 'abbr', 'axis', 'scope'];
/** Inline elements that a data cell may hold. */
const WORDS = new Set('b i em strong small span font br code sub sup u s abbr time'.split(' '));

/** Tells layout tables from data tables like Chrome, but without looking at borders and colours. */
function isLayoutTable(table: SnapNode): boolean {
  const { attrs, kids, editing } = table;
  if (editing || attrs.summary || attrs.rules || Number(attrs.border) > 0 || kids.some(kid => HEADS.has(kid.tag)))
    return false;
  const rows = rowsOf(table);
  if (rows.length >= MANY_ROWS) return false;
  const cells = rows.flatMap(cellsOf);
  if (cells.some(isMarked) || areColoured(cells, table)) return false;
  return cells.length < 2 || cells.some(holdsMore);
}

const rowsOf = (n: SnapNode): SnapNode[] =>
  n.kids.flatMap(kid => (kid.tag === 'tr' ? [kid] : kid.tag === 'tbody' ? rowsOf(kid) : []));

const cellsOf = (row: SnapNode): SnapNode[] => row.kids.filter(kid => kid.tag === 'td' || kid.tag === 'th');

const isMarked = (cell: SnapNode): boolean => cell.tag === 'th' || CELL_MARKS.some(mark => cell.attrs[mark]);

/** Half of the cells stand out by their colour. */
const areColoured = (cells: SnapNode[], { attrs }: SnapNode): boolean =>
  cells.length > 1 &&
  attrs.cellspacing !== '0' &&
  cells.filter(cell => cell.attrs.bgcolor && cell.attrs.bgcolor !== attrs.bgcolor).length >=
    Math.floor(cells.length / 2);

/** A cell with more than inline text: the table is used for layout. */
const holdsMore = (cell: SnapNode): boolean => !!find(cell, n => n.type === ELEMENT && !n.pseudo && !WORDS.has(n.tag));
