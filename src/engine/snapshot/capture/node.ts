// A captured page as plain data: nodes in flat-tree order and their documents, with their styles, text and boxes.
import type { DrawnItem } from '../drawn/page-script.ts';

export type Attributes = Readonly<Record<string, string>>;
/** x, y, width, height. */
export type Box = readonly number[];

export const ELEMENT = 1;
export const TEXT = 3;
export const DOCUMENT = 9;

/** Why a node is hidden from people or from the accessibility tree; bits of SnapNode.hidden. */
export const Hidden = {
  /** Never content: head, script, comments. */
  never: 1,
  /** Inside aria-hidden: not in the accessibility tree, yet a person can hit it. */
  aria: 2,
  inert: 4,
  unrendered: 8,
  visibility: 16,
  /** Behind a modal dialog. */
  modal: 32,
} as const;

const NO_KIDS: SnapNode[] = [];
const NO_ITEMS: readonly DrawnItem[] = [];

export class SnapNode {
  kids: SnapNode[] = NO_KIDS;
  box: Box | undefined = undefined;
  style: readonly number[] | undefined = undefined;
  /** Rendered text: of a text node, or the generated content of a pseudo-element. */
  renderedText: string | undefined = undefined;
  /** The node or something below it is laid out. */
  rendered = false;
  /** Not laid out, yet part of the page: options, areas, canvas content, off-screen content-visibility:auto. */
  exempt = false;
  visible = true;
  /** Its text can be edited in place. */
  editing = false;
  /** Bits of Hidden; 0 = shown. */
  hidden = 0;
  shadow: string | undefined = undefined;
  pseudo: string | undefined = undefined;
  /** Chrome knows of a click listener, or that a click does something. */
  clickable = false;
  /** Bits of Handler: what is known beyond that. */
  handlers = 0;
  value: string | undefined = undefined;
  checked: boolean | 'mixed' = false;
  selected = false;
  /** The document inside this iframe. */
  content: SnapDoc | undefined = undefined;
  /** aria-owns: the node that owns this one, and the nodes this one owns. */
  owner: SnapNode | undefined = undefined;
  owned: SnapNode[] | undefined = undefined;
  /** What a library has drawn on it. */
  items: readonly DrawnItem[] = NO_ITEMS;
  /** Cached by roleOf and nameOf, or answered by Chrome. */
  role: string | undefined = undefined;
  name: string | undefined = undefined;

  constructor(
    readonly doc: SnapDoc,
    readonly parent: SnapNode | undefined,
    /** Position in document order. */
    readonly index: number,
    /** Backend node id. */
    readonly id: number,
    readonly type: number,
    /** Lower case. */
    readonly tag: string,
    /** False for SVG and MathML. */
    readonly html: boolean,
    readonly attrs: Attributes,
    /** Node value: the raw text of a text node. */
    readonly raw: string,
  ) {}

  /** Key of the CDP session the node came from. */
  get process(): string {
    return this.doc.process;
  }
}

export interface SnapDoc {
  process: string;
  /** CDP frame id. */
  frame: string;
  url: string;
  title: string;
  scrollX: number;
  scrollY: number;
  strings: readonly string[];
  /** In document order; the first is the document node. */
  nodes: SnapNode[];
  /** Elements by id, in document order; see id-lookup.ts for shadow trees. */
  ids: Map<string, SnapNode[]>;
  /** Control → its labels, and label → its control. */
  labels: Map<SnapNode, SnapNode[]>;
  controls: Map<SnapNode, SnapNode>;
  /** Target of aria-labelledby → the first element it names. */
  named: Map<SnapNode, SnapNode>;
  /** Image maps in use, as #name. */
  maps: Set<string>;
  /** The open modal dialog. */
  modal: SnapNode | undefined;
  /** Some node is moved by aria-owns. */
  moved: boolean;
  /** The iframe element that holds this document. */
  owner: SnapNode | undefined;
}

export interface SnapPage {
  docs: SnapDoc[];
  main: SnapDoc;
  byKey(process: string, id: number): SnapNode | undefined;
}

/** Computes a fact about a node or document once. */
export function once<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return key => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

export function css(n: SnapNode, name: StyleName): string {
  const at = n.style?.[Style[name]];
  return at === undefined ? '' : (n.doc.strings[at] ?? '');
}

/** The children with aria-owns applied, as in the accessibility tree. */
export function kidsOf(n: SnapNode): SnapNode[] {
  if (!n.doc.moved) return n.kids;
  const here = n.kids.filter(kid => !kid.owner);
  return n.owned ? here.concat(n.owned) : here;
}

/** The nearest ancestor that passes the test. */
export function up(n: SnapNode, test: (p: SnapNode) => boolean): SnapNode | undefined {
  for (let p = n.parent; p; p = p.parent) if (test(p)) return p;
  return undefined;
}

/** The first descendant that passes the test. */
export function find(n: SnapNode, test: (d: SnapNode) => boolean): SnapNode | undefined {
  for (const kid of n.kids) {
    const found = test(kid) ? kid : find(kid, test);
    if (found) return found;
  }
  return undefined;
}

export function descendants(n: SnapNode, test: (d: SnapNode) => boolean, into: SnapNode[] = []): SnapNode[] {
  for (const kid of n.kids) {
    if (test(kid)) into.push(kid);
    descendants(kid, test, into);
  }
  return into;
}

/** In the tree as aria-owns makes it. */
export function isInside(n: SnapNode, ancestor: SnapNode): boolean {
  let p: SnapNode | undefined = n;
  while (p && p !== ancestor) p = p.owner ?? p.parent;
  return p === ancestor;
}

/** All raw text below, hidden or not. */
export const rawText = (n: SnapNode): string => (n.type === TEXT ? n.raw : n.kids.map(rawText).join(''));

/** x, y, width, height in whole pixels of the main viewport; undefined for a node without layout. */
export function boxOf(n: SnapNode): [number, number, number, number] | undefined {
  if (!n.box) return undefined;
  const [x = 0, y = 0, width = 0, height = 0] = n.box;
  const [left, top] = originOf(n.doc);
  return [Math.round(x + left), Math.round(y + top), Math.round(width), Math.round(height)];
}

/** The top left corner of a document's content in the main viewport: frames added up, scrolling taken off. */
function originOf(doc: SnapDoc): [number, number] {
  const { owner } = doc;
  if (!owner) return [-doc.scrollX, -doc.scrollY];
  const [left, top] = originOf(owner.doc);
  const [x = 0, y = 0, width = 0, height = 0] = owner.box ?? [];
  // The frame's border and padding: what its own viewport lacks, half of it on each side.
  const [, , innerWidth = width, innerHeight = height] = doc.nodes[0]?.box ?? [];
  return [left + x + (width - innerWidth) / 2 - doc.scrollX, top + y + (height - innerHeight) / 2 - doc.scrollY];
}

/** Property → its place in STYLES. The order here is the order asked for. */
const Style = {
  display: 0,
  visibility: 1,
  cursor: 2,
  'pointer-events': 3,
  overlay: 4,
  'content-visibility': 5,
  content: 6,
  'background-image': 7,
  overflow: 8,
  'white-space-collapse': 9,
} as const;

export type StyleName = keyof typeof Style;

export const COMPUTED_STYLES: readonly string[] = Object.keys(Style);

/** Line breaks of its text are seen. */
export const keepsLines = (n: SnapNode): boolean => /^(preserve|break-spaces)/.test(css(n, 'white-space-collapse'));

const INLINE = new Set(['inline', 'contents', '', 'ruby', 'ruby-text']);

export const isInline = (n: SnapNode): boolean => INLINE.has(css(n, 'display'));

export const squash = (text: string): string => text.replace(/[\s\u200b]+/g, ' ').trim();

/** Icon fonts put their glyphs into the private use areas: noise to a reader. */
export const stripIcons = (text: string): string => text.replace(/\p{Co}+/gu, '');

export const isBlank = (text: string): boolean => !/[^\s\u200b\p{Co}]/u.test(text);

export const textOf = (n: SnapNode): string => n.renderedText ?? n.raw;

/** Generated content, or the text that `content: … / "text"` gives for it. Markers of list items say nothing. */
export function pseudoText(n: SnapNode): string {
  if (n.pseudo === 'marker') return '';
  const alt = / \/ "((?:[^"\\]|\\.)*)"$/.exec(css(n, 'content'))?.[1];
  const text = alt ?? n.renderedText ?? '';
  return isInline(n) && alt === undefined ? text : ` ${text} `;
}

/** Reasons that hide text from view. Below an interactive element inside aria-hidden, aria-hidden does not count. */
const UNSEEN = Hidden.never | Hidden.inert | Hidden.unrendered | Hidden.modal;

/** In pixels: letters closer than this make one word. */
const GAP = 2;

/** Both are inline boxes of one letter each, side by side: parts of a word that is animated letter by letter. */
export function areLettersOfWord(left: SnapNode | undefined, right: SnapNode): boolean {
  if (!left?.box || !right.box || !isLetter(left) || !isLetter(right)) return false;
  const [x = 0, y = 0, width = 0, height = 0] = left.box;
  const [nextX = 0, nextY = 0, nextWidth = 0] = right.box;
  const distance = Math.min(Math.abs(nextX - x - width), Math.abs(x - nextX - nextWidth));
  return distance < GAP && Math.abs(nextY - y) < height;
}

function isLetter(n: SnapNode): boolean {
  const [only, more] = n.kids;
  if (n.type !== ELEMENT || more || only?.type !== TEXT) return false;
  return css(n, 'display') === 'inline-block' && /^\s*\S\p{M}*\s*$/u.test(only.raw);
}

/** Text and what follows it, without the blanks around letters of one word. */
export const appended = (text: string, more: string, ofWord: boolean): string =>
  ofWord ? text.trimEnd() + more.trimStart() : text + more;

/** What a person reads below an element, whitespace not collapsed. */
export function visibleText(n: SnapNode, hidden = UNSEEN | (n.hidden & Hidden.aria ? 0 : Hidden.aria)): string {
  if (n.type === TEXT) return n.visible ? textOf(n) : '';
  if (n.pseudo) return n.visible ? pseudoText(n) : '';
  if (n.tag === 'br') return ' ';
  let text = '';
  let last: SnapNode | undefined;
  for (const kid of kidsOf(n)) {
    if (kid.hidden & hidden || (kid.type !== TEXT && kid.type !== ELEMENT)) continue;
    text = appended(text, visibleText(kid, hidden), areLettersOfWord(last, kid));
    last = kid;
  }
  return isInline(n) ? text : ` ${text} `;
}
