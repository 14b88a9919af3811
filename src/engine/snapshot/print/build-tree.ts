// Grows the tree of everything worth printing out of the page: hits, headings, containers and runs of text.
import { hasTabindex } from '../accessibility/controls.ts';
import type { Hit } from '../accessibility/interactive.ts';
import { isOpaque, nameOf } from '../accessibility/names.ts';
import { hasAriaName, roleOf } from '../accessibility/roles.ts';
import {
  css,
  DOCUMENT,
  ELEMENT,
  Hidden,
  kidsOf,
  pseudoText,
  type SnapNode,
  seenText,
  squash,
  TEXT,
  textOf,
} from '../capture/node.ts';
import { isBlock, LineBuilder, type LinePart } from './line-builder.ts';
import { controlBehind, hitHere, isField, kindOf, policyOf } from './node-policy.ts';
import { isPlain, MAX_HIT_NAME, type Piece, PrintNode, printedRole } from './print-node.ts';

const GONE = Hidden.never | Hidden.inert | Hidden.unrendered;

export function grow(n: SnapNode): PrintNode[] {
  const spot = new LineBuilder();
  visit(n, spot);
  spot.flush();
  return spot.out;
}

function visit(n: SnapNode, spot: LineBuilder): void {
  if (n.hidden & GONE) return;
  if (n.type === TEXT) addText(n, textOf(n), spot);
  else if (n.type === DOCUMENT) visitKids(n, spot);
  else if (n.type !== ELEMENT) return;
  else if (n.pseudo) addText(n, pseudoText(n), spot);
  else if (n.tag === 'br') spot.space();
  else if (n.hidden & ~Hidden.aria) pass(n, spot);
  else visitElement(n, spot);
}

function visitKids(n: SnapNode, spot: LineBuilder): void {
  for (const kid of kidsOf(n)) visit(kid, spot);
}

function addText(n: SnapNode, text: string, spot: LineBuilder): void {
  if (text && !(n.hidden & ~Hidden.aria)) spot.text(n, text);
}

function visitElement(n: SnapNode, spot: LineBuilder): void {
  const role = printedRole(n);
  const hit = hitHere(n, role);
  const manner = policyOf(n, role, hit);
  if (manner === 'pass') pass(n, spot);
  else if (manner === 'quiet') passQuietly(n, spot);
  else ADD[manner](n, new PrintNode(n, kindOf(role, hit), role, hit), spot);
}

const ADD = { frame: addFrame, field: addField, named: addNamed, open: addOpen, box: addBox };

/** Walks through an element that is not kept itself. */
function pass(n: SnapNode, spot: LineBuilder): void {
  const block = isBlock(n);
  const spaced = !block && css(n, 'display').startsWith('inline-');
  if (block) spot.flush();
  if (spaced) spot.space();
  visitKids(n, spot);
  if (block) spot.flush();
  if (spaced) spot.space();
}

function passQuietly(n: SnapNode, spot: LineBuilder): void {
  const { quiet } = spot;
  spot.quiet = true;
  pass(n, spot);
  spot.quiet = quiet;
}

function inside(n: SnapNode): LineBuilder {
  const spot = new LineBuilder();
  visitKids(n, spot);
  spot.flush();
  return spot;
}

/** Frames of this size are not for people. */
const LEAST = 4;

function addFrame(n: SnapNode, kept: PrintNode, spot: LineBuilder): void {
  if (n.content?.nodes[0]) {
    kept.frame = n.content;
    kept.children = grow(n.content.nodes[0]);
  }
  const [, , width = 0, height = 0] = n.box ?? [];
  if (!kept.children.length && (width < LEAST || height < LEAST)) return;
  spot.place(kept, 'apart');
  spot.hits++;
}

function addField(_n: SnapNode, kept: PrintNode, spot: LineBuilder): void {
  spot.place(kept, 'field');
  spot.hits++;
}

/** Only hits inside it are listed, unless the name does not say it all. */
function addNamed(n: SnapNode, kept: PrintNode, spot: LineBuilder): void {
  if (kept.own === 'LabelText') kept.control = controlBehind(n);
  if (n.tag === 'text' && !n.html) kept.namedByContent = true;
  const inner = inside(n);
  if (kept.own === 'gridcell' && isEchoed(inner) && !n.clickable && !hasTabindex(n)) {
    adopt(inner.out, n, inner, spot);
    return;
  }
  const hidden = kept.kind === 'hit' && hidesText(n, kept, inner);
  kept.children = withoutEcho(kept, hidden ? inner.out : hitsIn(inner.out), inner.chars);
  settle(kept, inner, spot);
}

/** What a name from content does not say. */
function hitsIn(list: PrintNode[], into: PrintNode[] = []): PrintNode[] {
  for (const kept of list) {
    const apart = kept.kind === 'frame' || (kept.kind === 'hit' && kept.hit !== 'shape') || isOpaqueBox(kept);
    if (apart) into.push(kept);
    else hitsIn(kept.children, into);
  }
  return into;
}

const isOpaqueBox = (kept: PrintNode): boolean => kept.kind === 'box' && isOpaque(kept.node, kept.own);

/** Their name is all a person needs, even where the text is another. */
const NAME_ENOUGH = new Set(
  'button tab option checkbox radio switch image menuitemcheckbox menuitemradio slider'.split(' '),
);

function hidesText(n: SnapNode, kept: PrintNode, inner: LineBuilder): boolean {
  if (inner.nameChars > MAX_HIT_NAME) return true;
  if (!inner.chars || NAME_ENOUGH.has(kept.own) || !hasAriaName(n)) return false;
  const text = squash(seenText(n)).toLowerCase();
  return /[\p{L}\p{N}]/u.test(text) && !nameOf(n).toLowerCase().includes(text);
}

/** A plain hit that is all there is in another hit is the same target. */
function withoutEcho(kept: PrintNode, list: PrintNode[], chars: number): PrintNode[] {
  const [only] = list;
  const same = only && list.length === 1 && isPlain(only.own) && isWeak(only.hit) && only.chars === chars;
  return same && kept.kind === 'hit' ? only.children : list;
}

const isWeak = (hit: Hit): boolean => hit === 'click' || hit === 'cursor' || hit === 'focus';

/** A short text without other hits becomes its name; otherwise its content stands below it. */
function addOpen(n: SnapNode, kept: PrintNode, spot: LineBuilder): void {
  const inner = inside(n);
  if (isWeak(kept.hit) && isPlain(kept.own) && (isEchoed(inner) || (inner.hits && isBackground(n, kept.hit)))) {
    adopt(inner.out, n, inner, spot);
    return;
  }
  fold(kept, inner.out);
  if (isNamedByText(n, kept, inner)) {
    kept.namedByContent = true;
    kept.children = [];
  }
  settle(kept, inner, spot);
}

/** One hit is all there is inside. */
function isEchoed({ out, chars }: LineBuilder): boolean {
  const [only] = out;
  return out.length === 1 && only?.kind === 'hit' && only.hit !== 'shape' && only.chars === chars;
}

/** Roots of frameworks and focus traps: they listen or take the focus for what stands in them. */
function isBackground(n: SnapNode, hit: Hit): boolean {
  if (hit === 'focus') return Number(n.attrs.tabindex) < 0;
  if (hit !== 'click' || css(n, 'cursor') === 'pointer') return false;
  const [, , width = 0, height = 0] = n.box ?? [];
  const [, , viewWidth = 0, viewHeight = 0] = n.doc.nodes[0]?.box ?? [];
  return width * height * 2 >= viewWidth * viewHeight;
}

const NAMED_BY_TEXT = new Set('listitem row cell columnheader rowheader definition group figure article'.split(' '));

function isNamedByText(n: SnapNode, kept: PrintNode, inner: LineBuilder): boolean {
  if (inner.hits || kept.hit === 'scroll' || kept.hit === 'edit') return false;
  if (!isPlain(kept.own) && !NAMED_BY_TEXT.has(kept.own)) return false;
  if (inner.chars > inner.nameChars) return false;
  return (n.hidden ? inner.veiled : inner.chars) <= MAX_HIT_NAME;
}

function addBox(n: SnapNode, kept: PrintNode, spot: LineBuilder): void {
  const inner = inside(n);
  fold(kept, inner.out);
  const content = kept.own === 'table' ? layoutContent(kept) : undefined;
  if (content) adopt(content, n, inner, spot);
  else settle(kept, inner, spot);
}

const FOLDS_FIRST = new Set('listitem definition cell columnheader rowheader treeitem'.split(' '));

/** The only run of text of an element stands in the element's own line. */
function fold(kept: PrintNode, out: PrintNode[]): void {
  const [first, ...rest] = out;
  const alone = !rest.length || (FOLDS_FIRST.has(kept.own) && rest.every(other => other.kind !== 'run'));
  const folds = first?.kind === 'run' && alone;
  if (folds) kept.pieces = first.pieces;
  kept.children = folds ? [...first.children, ...rest] : out;
  if (kept.own === 'row') joinCells(kept);
}

/** Puts the content of an element in its place. */
function adopt(content: PrintNode[], n: SnapNode, inner: LineBuilder, spot: LineBuilder): void {
  if (isBlock(n)) spot.flush();
  for (const kept of content) spot.place(kept, partOf(kept));
  if (isBlock(n)) spot.flush();
  count(inner, spot);
}

function settle(kept: PrintNode, inner: LineBuilder, spot: LineBuilder): void {
  kept.chars = inner.chars;
  spot.place(kept, partOf(kept));
  count(inner, spot, isOpaqueBox(kept));
  if (kept.kind === 'hit' && kept.hit !== 'shape') spot.hits++;
}

function count(inner: LineBuilder, spot: LineBuilder, opaque = false): void {
  spot.chars += inner.chars;
  spot.nameChars += opaque ? 0 : inner.nameChars;
  spot.veiled += inner.veiled;
  spot.hits += inner.hits;
}

/** Links and plain words belong to the sentence they stand in. */
function partOf(kept: PrintNode): LinePart {
  if (kept.kind !== 'hit') return 'apart';
  if (isField(kept.node)) return 'field';
  return kept.own === 'link' || isPlain(kept.own) ? 'words' : 'control';
}

const CELLS = new Set(['cell', 'columnheader', 'rowheader', 'gridcell']);

/** Turns a row of plain cells into one sentence, `A | B | C`, with the hits of its cells below it. */
export function joinCells(row: PrintNode): void {
  const cells = row.children;
  if (!cells.length || !cells.every(isPlainCell) || !cells.some(cell => cell.pieces)) return;
  row.pieces = cells.flatMap((cell, i): Piece[] => [...(i ? [' | '] : []), ...(cell.pieces ?? namesIn(cell))]);
  row.children = cells.flatMap(cell => cell.children.filter(child => child.kind === 'hit'));
}

/** Not a hit, and holds only text, hits and pictures. */
const isPlainCell = (cell: PrintNode): boolean =>
  isBoxCell(cell) &&
  cell.children.every(child => child.kind === 'hit' || child.kind === 'figure') &&
  !hasAriaName(cell.node);

const isBoxCell = (kept: PrintNode): boolean => kept.kind === 'box' && CELLS.has(kept.own);

/** A cell with nothing but links and pictures shows their names. */
const namesIn = (cell: PrintNode): Piece[] =>
  cell.children
    .filter(child => child.own === 'link' || child.own === 'image')
    .flatMap(child => [nameOf(child.node), ' ']);

/** What stands in a table that only lays out the page; nothing for a table of data. */
export function layoutContent(table: PrintNode): PrintNode[] | undefined {
  if (roleOf(table.node) !== 'generic' && !isArrangement(table)) return undefined;
  return table.children.flatMap(row =>
    row.own === 'row' && row.kind === 'box' && !row.pieces ? row.children.flatMap(inCell) : [row],
  );
}

/** No name, no headers, and cells that hold more than text. */
function isArrangement(table: PrintNode): boolean {
  const cells = table.children.flatMap(row => row.children);
  if (nameOf(table.node) || cells.some(cell => cell.own.endsWith('header'))) return false;
  return cells.some(cell => isBoxCell(cell) && !isPlainCell(cell));
}

const inCell = (cell: PrintNode): PrintNode[] => (isBoxCell(cell) && !cell.pieces ? cell.children : [cell]);
