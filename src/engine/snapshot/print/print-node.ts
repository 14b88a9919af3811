// One node of the printed tree: an element or a run of text. Names and states are computed only when it is printed.
import { isShape, shapeName } from '../accessibility/drawings.ts';
import { type Interactivity, interactivityOf } from '../accessibility/interactive.ts';
import { contentName, hostLabel, nameOf } from '../accessibility/names.ts';
import { byWord, wordSet } from '../accessibility/role-data.ts';
import { hasAriaName, isBareGroup, roleOf } from '../accessibility/roles.ts';
import { type States, statesOf } from '../accessibility/states.ts';
import { type SnapDoc, type SnapNode, squash, stripIcons, visibleText } from '../capture/node.ts';

import type { DrawnItem } from '../drawn/page-script.ts';

export type PrintKind =
  | 'root'
  /** A person can act on it. */
  | 'target'
  | 'frame'
  | 'heading'
  /** A picture or gauge that is not interactive. */
  | 'figure'
  /** Holds other elements. */
  | 'box'
  /** An element that is there for its text: paragraph, caption. */
  | 'text'
  /** A run of text and inline elements, without an element of its own. */
  | 'run';

/** A longer text in a target is its content, not its name. */
export const MAX_TARGET_NAME = 120;

/** Text, or an element that stands for the text below it. */
export type Piece = string | SnapNode;

export class PrintNode {
  children: PrintNode[] = [];
  /** Printed with a ref. */
  ref = false;
  /** Text printed beside or instead of a name. */
  pieces: Piece[] | undefined = undefined;
  /** The blanks of that text count. */
  verbatim = false;
  /** Its name is too long for one: the content that it consists of is printed instead. */
  nameIsContent = false;
  /** The role gives no name: the content is the name. */
  namedByContent = false;
  /** The unrendered control that this label stands in for. */
  control: SnapNode | undefined = undefined;
  frame: SnapDoc | undefined = undefined;
  /** It stands for this item of the drawing. */
  item: DrawnItem | undefined = undefined;
  /** What tells it from others of the same role and name. */
  apart: { description?: string; in?: string } | undefined = undefined;
  /** Characters of text inside. */
  chars = 0;
  /** Lines below that the depth limit leaves out. */
  omitted = 0;
  /** Its line at a level, once that is known: to choose what fits, a tree is printed more than once. */
  line: { level: number; before: string; after: string } | undefined = undefined;

  constructor(
    readonly node: SnapNode,
    readonly kind: PrintKind,
    readonly nodeRole: string,
    readonly interactivity: Interactivity = '',
  ) {}

  /** The role as printed. */
  get role(): string {
    if (this.item) return this.item.word;
    if (this.kind === 'root') return 'document';
    if (this.kind === 'run') return 'text';
    if (this.kind === 'box' && (isPlain(this.nodeRole) || GROUPS.has(this.nodeRole)))
      return this.name ? 'group' : 'text';
    return wordOf(this.control ?? this.node, this.interactivity);
  }

  get name(): string {
    if (this.item) return this.item.name;
    if (this.kind === 'run') return '';
    if (this.kind === 'root') return squash(this.node.doc.title);
    if (this.#isSaidInside()) return '';
    const named = nameOf(this.control ?? this.node) || (this.namedByContent ? this.#content() : '');
    return clean(named || (this.kind === 'target' ? shapeName(this.node) || hostLabel(this.node) : ''));
  }

  /** The name as printed. */
  get shownName(): string {
    return this.nameIsContent ? '' : this.name;
  }

  /** Chrome names the element by its content, which is printed anyway. */
  #isSaidInside(): boolean {
    if (!SAID_INSIDE.has(this.nodeRole) || hasAriaName(this.node)) return false;
    return this.kind === 'box' || (this.nodeRole === 'row' && this.children.length > 0);
  }

  #content(): string {
    return this.pieces ? joined(this.pieces) : contentName(this.node);
  }

  get text(): string {
    if (!this.pieces || this.namedByContent) return '';
    return this.verbatim ? stripIcons(textIn(this.pieces)).trimEnd() : clean(joined(this.pieces));
  }

  get states(): States {
    return STATELESS.has(this.kind) || this.item ? {} : statesOf(this.control ?? this.node);
  }
}

const STATELESS = new Set<PrintKind>(['root', 'frame', 'text', 'run']);
const GROUPS = new Set(['group', 'sectionheader', 'sectionfooter']);
const SAID_INSIDE = new Set(['row', 'cell', 'columnheader', 'rowheader', 'term']);

/** All nodes below, in the order of print. */
export function descendantsOf(entry: PrintNode, into: PrintNode[] = []): PrintNode[] {
  for (const child of entry.children) {
    into.push(child);
    descendantsOf(child, into);
  }
  return into;
}

const textIn = (pieces: Piece[]): string =>
  pieces.map(piece => (typeof piece === 'string' ? piece : visibleText(piece))).join('');

const joined = (pieces: Piece[]): string => squash(textIn(pieces));

function clean(text: string): string {
  const bare = stripIcons(text);
  return bare === text ? text : squash(bare);
}

/** Internal role names → the words that models know. */
const WORDS = byWord({
  img: 'image',
  textbox: 'date colorwell',
  button: 'file',
  list: 'dl',
  caption: 'legend figcaption',
  embed: 'plugin',
  group: 'sectionheader sectionfooter',
});

/** Roles that say nothing about what a click does. */
const PLAIN = wordSet(
  'generic none paragraph strong emphasis code mark subscript superscript deletion insertion time LabelText marker',
);

export const isPlain = (role: string): boolean => PLAIN.has(role);

const INTERACTIVITY_WORDS: Partial<Record<Interactivity, string>> = {
  click: 'clickable',
  cursor: 'clickable',
  focus: 'focusable',
  drag: 'draggable',
  drop: 'droppable',
  hover: 'hoverable',
  edit: 'editable',
  scroll: 'scrollable',
};

/** Tables that only lay out still read best by rows. */
export function printedRole(n: SnapNode): string {
  const role = roleOf(n);
  if (role === 'generic' && n.html) return LAYOUT_ROLES.get(n.tag) ?? role;
  return isBareGroup(n, role) ? 'generic' : role;
}
const LAYOUT_ROLES = new Map([
  ['table', 'table'],
  ['tr', 'row'],
  ['td', 'cell'],
]);

export function wordOf(n: SnapNode, interactivity: Interactivity = interactivityOf(n)): string {
  const role = printedRole(n);
  if (isShape(n) && role === 'image' && !n.attrs.role && n.tag !== 'image') return n.tag;
  if (!PLAIN.has(role)) return WORDS.get(role) ?? role;
  if (interactivity && !n.html) return n.tag === 'svg' ? 'img' : n.tag;
  if (interactivity === 'shape') return n.tag === 'canvas' ? 'canvas' : 'img';
  const word = INTERACTIVITY_WORDS[interactivity];
  if (word) return word;
  return role === 'generic' || role === 'none' ? n.tag : role === 'LabelText' ? 'label' : role;
}
