// Grows the tree of everything worth printing out of the page: hits, headings, containers and runs of text.
import { isListbox } from './controls.ts';
import { type Hit, hitOf } from './hits.ts';
import { Kept, type Kind } from './kept.ts';
import { controlBehind, isNameElsewhere, isOnlyLabel } from './labels.ts';
import { nameOf } from './names.ts';
import { css, DOCUMENT, ELEMENT, Hidden, kidsOf, type SnapNode, TEXT } from './node.ts';
import { FROM_CONTENT, OPAQUE } from './role-data.ts';
import { ariaLabel, hasAriaName } from './roles.ts';
import { isDrawing } from './shapes.ts';
import { isBlock, type Part, Spot } from './spot.ts';
import { joinCells, layoutContent } from './tables.ts';
import { isInline, pseudoText, seenText, squash, textOf } from './text.ts';
import { isPlain, printedRole } from './words.ts';

/** A name longer than this is cut, so the content is printed below it. */
export const MAX_NAME = 200;

const GONE = Hidden.never | Hidden.inert | Hidden.unrendered;

export function grow(n: SnapNode): Kept[] {
  const spot = new Spot(true);
  visit(n, spot);
  spot.flush();
  return spot.out;
}

function visit(n: SnapNode, spot: Spot): void {
  if (n.hidden & GONE) return;
  if (n.type === TEXT) addText(n, textOf(n), spot);
  else if (n.type === DOCUMENT) visitKids(n, spot);
  else if (n.type !== ELEMENT) return;
  else if (n.pseudo) addText(n, pseudoText(n), spot);
  else if (n.tag === 'br') spot.space();
  else if (n.hidden & ~Hidden.aria) pass(n, spot);
  else visitElement(n, spot);
}

function visitKids(n: SnapNode, spot: Spot): void {
  for (const kid of kidsOf(n)) visit(kid, spot);
}

/** Text in aria-hidden counts only inside a hit, which is read as a whole. */
function addText(n: SnapNode, text: string, spot: Spot): void {
  if (!n.hidden) spot.text(n, text);
}

/** Walks through an element that is not kept itself. */
function pass(n: SnapNode, spot: Spot): void {
  const edge = isBlock(n) ? () => spot.flush() : css(n, 'display').startsWith('inline-') ? () => spot.space() : undefined;
  edge?.();
  visitKids(n, spot);
  edge?.();
}

/** The same, where the text is known already as the name of something else. */
function passQuietly(n: SnapNode, spot: Spot): void {
  const { quiet } = spot;
  spot.quiet = true;
  pass(n, spot);
  spot.quiet = quiet;
}

function inside(n: SnapNode, texts: boolean): Spot {
  const spot = new Spot(texts);
  visitKids(n, spot);
  spot.flush();
  return spot;
}

function visitElement(n: SnapNode, spot: Spot): void {
  const role = printedRole(n);
  if (role === 'iframe') return addFrame(n, role, spot);
  const hit = hitOf(n);
  if (isNameElsewhere(n, role, hit)) return passQuietly(n, spot);
  if (role === 'LabelText' && controlBehind(n)) return addLabel(n, role, spot);
  if (hit && !(role === 'LabelText' && isOnlyLabel(n))) return addHit(n, role, hit, spot);
  if (n.hidden & Hidden.aria) return pass(n, spot);
  if (!spot.texts && !OPAQUE.has(role)) return pass(n, spot);
  const kind = kindOf(n, role);
  if (!kind) return pass(n, spot);
  const kept = new Kept(n, kind, role);
  if (kind === 'heading' || kind === 'figure') addNamed(n, kept, spot);
  else addBox(n, kept, spot);
}

const FIGURES = new Set(['image', 'progressbar', 'meter', 'canvas', 'video', 'audio', 'plugin']);
const TEXTS = new Set(['paragraph', 'caption', 'legend', 'figcaption']);
/** Words in a sentence when they stand in one. */
const WORDS = new Set(['status', 'term', 'definition', 'note', 'timer']);

/** How an element that is not a hit is kept; undefined: only what stands in it. */
function kindOf(n: SnapNode, role: string): Kind | undefined {
  if (role === 'heading') return 'heading';
  if (FIGURES.has(role)) return 'figure';
  if (TEXTS.has(role)) return 'text';
  if (role === 'separator' || role === 'math' || (WORDS.has(role) && isInline(n))) return undefined;
  return isPlain(role) && !(role === 'generic' && ariaLabel(n)) ? undefined : 'box';
}

function addLabel(label: SnapNode, role: string, spot: Spot): void {
  const kept = new Kept(label, 'hit', role, 'click');
  kept.control = controlBehind(label);
  addNamed(label, kept, spot);
}

/** Frames of this size are not for people. */
const LEAST = 4;

function addFrame(n: SnapNode, role: string, spot: Spot): void {
  const kept = new Kept(n, 'frame', role);
  if (n.content?.nodes[0]) {
    kept.frame = n.content;
    kept.children = grow(n.content.nodes[0]);
  }
  const [, , width = 0, height = 0] = n.box ?? [];
  if (!kept.children.length && (width < LEAST || height < LEAST)) return;
  spot.place(kept, 'apart');
  spot.hits++;
}

function addHit(n: SnapNode, role: string, hit: Hit, spot: Spot): void {
  const kept = new Kept(n, 'hit', role, hit);
  if (hit === 'shape') return addPicture(n, kept, spot);
  if (isField(n)) {
    spot.hits++;
    return spot.place(kept, 'field');
  }
  if (FROM_CONTENT.has(role) && hit !== 'edit') return addNamed(n, kept, spot);
  addOpen(n, kept, spot);
}

function addPicture(n: SnapNode, kept: Kept, spot: Spot): void {
  // Inside a name it is said already; inside aria-hidden it is decoration.
  if (!spot.texts || n.hidden) return pass(n, spot);
  kept.namedByContent = n.tag === 'text';
  if (isDrawing(n)) addBox(n, kept, spot);
  else addNamed(n, kept, spot);
}

/** Fields and drop-downs: what stands in them is their value. */
const isField = (n: SnapNode): boolean =>
  n.html && (n.tag === 'input' || n.tag === 'textarea' || (n.tag === 'select' && !isListbox(n)));

/** An element whose text is its name: only hits inside it are listed, unless the name does not say it all. */
function addNamed(n: SnapNode, kept: Kept, spot: Spot): void {
  let inner = inside(n, false);
  if (kept.kind === 'hit' && hidesText(n, kept, inner)) inner = inside(n, true);
  kept.children = withoutEcho(kept, inner);
  settle(kept, inner, spot);
}

const NAMES_ALL = new Set(['button', 'tab', 'option', 'checkbox', 'radio', 'switch', 'image', 'menuitemcheckbox', 'menuitemradio', 'slider']);

function hidesText(n: SnapNode, kept: Kept, inner: Spot): boolean {
  if (inner.chars > MAX_NAME) return true;
  if (!inner.chars || NAMES_ALL.has(kept.own) || !hasAriaName(n)) return false;
  return !nameOf(n).toLowerCase().includes(squash(seenText(n)).toLowerCase());
}

/** A plain hit that is all there is in another hit is the same target. */
function withoutEcho(kept: Kept, inner: Spot): Kept[] {
  const [only, ...others] = inner.out;
  const same = only && !others.length && isPlain(only.own) && isWeak(only.hit) && only.chars === inner.chars;
  return same && kept.kind === 'hit' ? only.children : inner.out;
}

const isWeak = (hit: Hit): boolean => hit === 'click' || hit === 'cursor' || hit === 'focus';

/** A hit that has no name by its role: a short text without other hits becomes its name, the rest stands below it. */
function addOpen(n: SnapNode, kept: Kept, spot: Spot): void {
  const inner = inside(n, true);
  const [only] = inner.out;
  if (isWeak(kept.hit) && isPlain(kept.own)) {
    if (inner.out.length === 1 && only?.kind === 'hit' && only.hit !== 'shape' && only.chars === inner.chars) return adopt([only], n, inner, spot);
    if (isBackground(n, kept.hit) && inner.hits) return adopt(inner.out, n, inner, spot);
  }
  fold(kept, inner.out);
  if (isNamedByText(n, kept, inner)) {
    kept.namedByContent = true;
    kept.children = [];
  }
  settle(kept, inner, spot);
}

const NAMED_BY_TEXT = new Set(['listitem', 'row', 'cell', 'columnheader', 'rowheader', 'definition', 'group', 'figure', 'article']);

const isNamedByText = (n: SnapNode, kept: Kept, inner: Spot): boolean =>
  (isPlain(kept.own) || NAMED_BY_TEXT.has(kept.own)) &&
  kept.hit !== 'scroll' &&
  kept.hit !== 'edit' &&
  !inner.hits &&
  seenLength(n, inner) <= MAX_NAME;

/** Text in aria-hidden is not counted on the way. */
const seenLength = (n: SnapNode, inner: Spot): number => (n.hidden & Hidden.aria ? squash(seenText(n)).length : inner.chars);

/** Puts the content of an element in its place. */
function adopt(content: Kept[], n: SnapNode, inner: Spot, spot: Spot): void {
  if (isBlock(n)) spot.flush();
  for (const kept of content) spot.place(kept, sentencePart(kept));
  if (isBlock(n)) spot.flush();
  spot.chars += inner.chars;
  spot.hits += inner.hits;
}

/** Roots of frameworks and focus traps: they listen or take the focus for what stands in them. */
function isBackground(n: SnapNode, hit: Hit): boolean {
  if (hit === 'focus') return Number(n.attrs.tabindex) < 0;
  if (hit !== 'click' || css(n, 'cursor') === 'pointer') return false;
  const [, , width = 0, height = 0] = n.box ?? [];
  const [, , viewWidth = 0, viewHeight = 0] = n.doc.nodes[0]?.box ?? [];
  return width * height * 2 >= viewWidth * viewHeight;
}

const FOLDS_FIRST = new Set(['listitem', 'definition', 'cell', 'columnheader', 'rowheader', 'treeitem']);

/** The only run of text of an element stands in the element's own line. */
function fold(kept: Kept, out: Kept[]): void {
  const [first, ...rest] = out;
  const folds = first?.kind === 'run' && (!rest.length || (FOLDS_FIRST.has(kept.own) && rest.every(other => other.kind !== 'run')));
  if (first && folds) kept.pieces = first.pieces;
  kept.children = first && folds ? [...first.children, ...rest] : out;
  if (kept.own === 'row') joinCells(kept);
}

function addBox(n: SnapNode, kept: Kept, spot: Spot): void {
  const inner = inside(n, true);
  fold(kept, inner.out);
  const content = kept.own === 'table' ? layoutContent(kept) : undefined;
  if (content) return adopt(content, n, inner, spot);
  settle(kept, inner, spot);
}

function settle(kept: Kept, inner: Spot, spot: Spot): void {
  kept.chars = inner.chars;
  spot.place(kept, sentencePart(kept));
  spot.chars += inner.chars;
  spot.hits += inner.hits + (kept.kind === 'hit' && kept.hit !== 'shape' ? 1 : 0);
}

/** Links and plain words belong to the sentence they stand in. */
function sentencePart(kept: Kept): Part {
  if (kept.kind !== 'hit') return 'apart';
  if (isField(kept.node)) return 'field';
  return kept.own === 'link' || isPlain(kept.own) ? 'words' : 'control';
}
