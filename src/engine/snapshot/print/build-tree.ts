// Builds the tree of everything worth printing: interactive elements, headings, containers and runs of text.
import { hasTabindex } from '../accessibility/controls.ts';
import { isDrawing } from '../accessibility/drawings.ts';
import { type Interactivity, isOnlyPressed } from '../accessibility/interactive.ts';
import { isOpaque, nameOf } from '../accessibility/names.ts';
import { wordSet } from '../accessibility/role-data.ts';
import { hasAriaName, roleOf } from '../accessibility/roles.ts';
import {
  css,
  DOCUMENT,
  ELEMENT,
  Hidden,
  isInline,
  keepsLines,
  kidsOf,
  pseudoText,
  type SnapNode,
  squash,
  TEXT,
  textOf,
  visibleText,
} from '../capture/node.ts';
import { isBlock, LineBuilder, type LinePart } from './line-builder.ts';
import { controlBehind, isField, kindOf, policyOf, printedInteractivity } from './node-policy.ts';
import { isPlain, MAX_TARGET_NAME, type Piece, PrintNode, printedRole } from './print-node.ts';

const GONE = Hidden.never | Hidden.inert | Hidden.unrendered;

export function buildTree(n: SnapNode): PrintNode[] {
  const builder = new LineBuilder();
  visit(n, builder);
  builder.flush();
  return builder.out;
}

function visit(n: SnapNode, builder: LineBuilder): void {
  if (n.hidden & GONE) return;
  if (n.type === TEXT) addText(n, textOf(n), builder);
  else if (n.type === DOCUMENT) visitKids(n, builder);
  else if (n.type !== ELEMENT) return;
  else if (n.pseudo) addText(n, pseudoText(n), builder);
  else if (n.tag === 'br') breakLine(n, builder);
  else if (n.hidden & ~Hidden.aria) pass(n, builder);
  else visitElement(n, builder);
}

function visitKids(n: SnapNode, builder: LineBuilder): void {
  for (const item of n.items) {
    builder.place(Object.assign(new PrintNode(n, 'target', 'generic', 'click'), { item }), 'apart');
    builder.targets++;
  }
  for (const kid of kidsOf(n)) visit(kid, builder);
}

/** Where lines matter, each is printed on its own. */
const hasLines = (n: SnapNode): boolean => keepsLines(n) || (n.parent?.editing ?? false);

function breakLine(n: SnapNode, builder: LineBuilder): void {
  if (hasLines(n)) builder.flush();
  else builder.space();
}

function addText(n: SnapNode, text: string, builder: LineBuilder): void {
  if (!text || n.hidden & ~Hidden.aria) return;
  const lines = text.includes('\n') && keepsLines(n) ? text.split('\n') : [text];
  lines.forEach((line, at) => {
    if (at) builder.flush();
    if (line) builder.text(n, line);
  });
}

function visitElement(n: SnapNode, builder: LineBuilder): void {
  const role = printedRole(n);
  const interactivity = printedInteractivity(n, role);
  const policy = policyOf(n, role, interactivity);
  if (policy === 'pass') pass(n, builder);
  else if (policy === 'quiet') passQuietly(n, builder);
  else ADD[policy](n, new PrintNode(n, kindOf(role, interactivity), role, interactivity), builder);
}

const ADD = { frame: addFrame, field: addField, named: addNamed, open: addOpen, box: addBox };

/** Walks through an element that gets no line of its own. */
function pass(n: SnapNode, builder: LineBuilder): void {
  if (isBlock(n)) {
    builder.flush();
    visitKids(n, builder);
    builder.flush();
  } else if (isInline(n)) visitKids(n, builder);
  else builder.inlineBox(n, () => visitKids(n, builder));
}

function passQuietly(n: SnapNode, builder: LineBuilder): void {
  const { quiet } = builder;
  builder.quiet = true;
  pass(n, builder);
  builder.quiet = quiet;
}

function inside(n: SnapNode): LineBuilder {
  const builder = new LineBuilder();
  visitKids(n, builder);
  builder.flush();
  return builder;
}

/** Smaller frames are trackers, not content. */
const LEAST = 4;

function addFrame(n: SnapNode, entry: PrintNode, builder: LineBuilder): void {
  if (n.content?.nodes[0]) {
    entry.frame = n.content;
    entry.children = buildTree(n.content.nodes[0]);
  }
  const [, , width = 0, height = 0] = n.box ?? [];
  if (!entry.children.length && (width < LEAST || height < LEAST)) return;
  builder.place(entry, 'apart');
  builder.targets++;
}

function addField(_n: SnapNode, entry: PrintNode, builder: LineBuilder): void {
  builder.place(entry, 'field');
  builder.targets++;
}

/** Lists only the interactive elements inside, unless the name leaves out some of the visible text. */
function addNamed(n: SnapNode, entry: PrintNode, builder: LineBuilder): void {
  if (entry.nodeRole === 'LabelText') entry.control = controlBehind(n);
  if (n.tag === 'text' && !n.html) entry.namedByContent = true;
  const inner = inside(n);
  if (entry.nodeRole === 'gridcell' && isEchoed(inner) && !n.clickable && !hasTabindex(n)) {
    adopt(inner.out, n, inner, builder);
    return;
  }
  const long = entry.kind === 'target' && inner.nameChars > MAX_TARGET_NAME;
  const hidden = long || (entry.kind === 'target' && hidesText(n, entry, inner));
  entry.children = withoutEcho(entry, hidden ? inner.out : targetsIn(inner.out), inner.chars);
  if (long && !hasAriaName(n)) {
    entry.nameIsContent = true;
    fold(entry, entry.children);
  }
  settle(entry, inner, builder);
}

/** The descendants that a name from content does not cover. */
function targetsIn(list: PrintNode[], into: PrintNode[] = []): PrintNode[] {
  for (const entry of list) {
    const apart =
      entry.kind === 'frame' || (entry.kind === 'target' && entry.interactivity !== 'shape') || isOpaqueBox(entry);
    if (apart) into.push(entry);
    else targetsIn(entry.children, into);
  }
  return into;
}

const isOpaqueBox = (entry: PrintNode): boolean => entry.kind === 'box' && isOpaque(entry.node, entry.nodeRole);

/** Roles whose name suffices, even where the visible text differs. */
const NAME_ENOUGH = wordSet('button tab option checkbox radio switch image menuitemcheckbox menuitemradio slider');

function hidesText(n: SnapNode, entry: PrintNode, inner: LineBuilder): boolean {
  if (!inner.chars || NAME_ENOUGH.has(entry.nodeRole) || !hasAriaName(n)) return false;
  const text = squash(visibleText(n)).toLowerCase();
  return /[\p{L}\p{N}]/u.test(text) && !nameOf(n).toLowerCase().includes(text);
}

/** A clickable element without a role that fills its interactive parent is the same target. */
function withoutEcho(entry: PrintNode, list: PrintNode[], chars: number): PrintNode[] {
  const [only] = list;
  const same =
    only &&
    !only.item &&
    list.length === 1 &&
    isPlain(only.nodeRole) &&
    isWeak(only.interactivity) &&
    only.chars === chars;
  return same && entry.kind === 'target' ? only.children : list;
}

const isWeak = (interactivity: Interactivity): boolean =>
  interactivity === 'click' || interactivity === 'cursor' || interactivity === 'focus' || interactivity === 'hover';

/** Short text without interactive elements becomes the name; other content is printed below. */
function addOpen(n: SnapNode, entry: PrintNode, builder: LineBuilder): void {
  const inner = inside(n);
  if (isWeak(entry.interactivity) && isPlain(entry.nodeRole) && isForContent(n, entry.interactivity, inner)) {
    adopt(inner.out, n, inner, builder);
    return;
  }
  fold(entry, inner.out);
  if (isNamedByText(n, entry, inner)) {
    entry.namedByContent = true;
    entry.children = [];
  }
  settle(entry, inner, builder);
}

/** What is in it is meant, not the element itself. */
function isForContent(n: SnapNode, interactivity: Interactivity, inner: LineBuilder): boolean {
  if (isEchoed(inner)) return true;
  if (interactivity === 'hover') return !inner.chars && !nameOf(n);
  return inner.targets > 0 && (isOnlyPressed(n) || isBackground(n, interactivity));
}

/** A single interactive element is the whole content. */
function isEchoed({ out, chars }: LineBuilder): boolean {
  const [only] = out;
  return (
    out.length === 1 && only?.kind === 'target' && !only.item && only.interactivity !== 'shape' && only.chars === chars
  );
}

/** Roots of frameworks and focus traps: they listen or take the focus on behalf of their content. */
function isBackground(n: SnapNode, interactivity: Interactivity): boolean {
  if (interactivity === 'focus') return Number(n.attrs.tabindex) < 0;
  if (interactivity !== 'click' || css(n, 'cursor') === 'pointer') return false;
  const [, , width = 0, height = 0] = n.box ?? [];
  const [, , viewWidth = 0, viewHeight = 0] = n.doc.nodes[0]?.box ?? [];
  return width * height * 2 >= viewWidth * viewHeight;
}

const NAMED_BY_TEXT = wordSet('listitem row cell columnheader rowheader definition group figure article');

function isNamedByText(n: SnapNode, entry: PrintNode, inner: LineBuilder): boolean {
  if (inner.targets || inner.drawings || entry.interactivity === 'scroll' || entry.interactivity === 'edit')
    return false;
  if (!isPlain(entry.nodeRole) && !NAMED_BY_TEXT.has(entry.nodeRole)) return false;
  if (inner.chars > inner.nameChars) return false;
  return (n.hidden ? inner.ariaHiddenChars : inner.chars) <= MAX_TARGET_NAME;
}

function addBox(n: SnapNode, entry: PrintNode, builder: LineBuilder): void {
  const inner = inside(n);
  fold(entry, inner.out);
  const content = entry.nodeRole === 'table' ? layoutContent(entry) : undefined;
  if (content) adopt(content, n, inner, builder);
  else settle(entry, inner, builder);
}

const FOLDS_FIRST = wordSet('listitem definition cell columnheader rowheader treeitem');

/** An element's only run of text is printed in the element's own line. */
function fold(entry: PrintNode, out: PrintNode[]): void {
  const [first, ...rest] = out;
  const alone = !rest.length || (FOLDS_FIRST.has(entry.nodeRole) && rest.every(other => other.kind !== 'run'));
  const folds = first?.kind === 'run' && alone;
  if (folds) entry.pieces = first.pieces;
  entry.children = folds ? [...first.children, ...rest] : out;
  if (entry.nodeRole === 'row') joinCells(entry);
}

/** Replaces an element by its content. */
function adopt(content: PrintNode[], n: SnapNode, inner: LineBuilder, builder: LineBuilder): void {
  if (isBlock(n)) builder.flush();
  for (const entry of content) builder.place(entry, partOf(entry));
  if (isBlock(n)) builder.flush();
  count(inner, builder);
}

function settle(entry: PrintNode, inner: LineBuilder, builder: LineBuilder): void {
  entry.chars = inner.chars;
  builder.place(entry, partOf(entry));
  count(inner, builder, isOpaqueBox(entry));
  if (entry.kind !== 'target') return;
  if (entry.interactivity !== 'shape') builder.targets++;
  else if (inner.chars && isDrawing(entry.node)) builder.drawings++;
}

function count(inner: LineBuilder, builder: LineBuilder, opaque = false): void {
  builder.chars += inner.chars;
  builder.nameChars += opaque ? 0 : inner.nameChars;
  builder.ariaHiddenChars += inner.ariaHiddenChars;
  builder.targets += inner.targets;
  builder.drawings += inner.drawings;
}

/** Links and plain words belong to the sentence around them. */
function partOf(entry: PrintNode): LinePart {
  if (entry.kind !== 'target') return 'apart';
  if (isField(entry.node)) return 'field';
  return entry.nodeRole === 'link' || isPlain(entry.nodeRole) ? 'words' : 'control';
}

const CELLS = wordSet('cell columnheader rowheader gridcell');

/** Turns a row of plain cells into one sentence, `A | B | C`, with the interactive elements of its cells below. */
function joinCells(row: PrintNode): void {
  const cells = row.children;
  if (!cells.length || !cells.every(isPlainCell) || !cells.some(cell => cell.pieces)) return;
  row.pieces = cells.flatMap((cell, i): Piece[] => [...(i ? [' | '] : []), ...(cell.pieces ?? namesIn(cell))]);
  row.children = cells.flatMap(cell => cell.children.filter(child => child.kind === 'target'));
}

/** Not interactive itself, and holds only text, interactive elements and pictures. */
const isPlainCell = (cell: PrintNode): boolean =>
  isBoxCell(cell) &&
  cell.children.every(child => child.kind === 'target' || child.kind === 'figure') &&
  !hasAriaName(cell.node);

const isBoxCell = (entry: PrintNode): boolean => entry.kind === 'box' && CELLS.has(entry.nodeRole);

/** A cell of links and pictures only shows their names. */
const namesIn = (cell: PrintNode): Piece[] =>
  cell.children
    .filter(child => child.nodeRole === 'link' || child.nodeRole === 'image')
    .flatMap(child => [nameOf(child.node), ' ']);

/** The content of a layout table; undefined for a data table. */
function layoutContent(table: PrintNode): PrintNode[] | undefined {
  if (roleOf(table.node) !== 'generic' && !isArrangement(table)) return undefined;
  return table.children.flatMap(row =>
    row.nodeRole === 'row' && row.kind === 'box' && !row.pieces ? row.children.flatMap(inCell) : [row],
  );
}

/** No name, no headers, and cells that hold more than text. */
function isArrangement(table: PrintNode): boolean {
  const cells = table.children.flatMap(row => row.children);
  if (nameOf(table.node) || cells.some(cell => cell.nodeRole.endsWith('header'))) return false;
  return cells.some(cell => isBoxCell(cell) && !isPlainCell(cell));
}

const inCell = (cell: PrintNode): PrintNode[] => (isBoxCell(cell) && !cell.pieces ? cell.children : [cell]);
