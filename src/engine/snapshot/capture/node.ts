// The plain data of a captured page: nodes in flat-tree order, their documents, and small ways to walk them.
import { Style, type StyleName } from './styles.ts';

export type Attributes = Readonly<Record<string, string>>;
/** x, y, width, height. */
export type Box = readonly number[];

export const ELEMENT = 1;
export const TEXT = 3;
export const DOCUMENT = 9;

/** Why a node is not for people or not for the accessibility tree; bits of SnapNode.hidden. */
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

export class SnapNode {
  kids: SnapNode[] = NO_KIDS;
  box: Box | undefined = undefined;
  style: readonly number[] | undefined = undefined;
  /** Rendered text: of a text node, or the generated content of a pseudo-element. */
  shown: string | undefined = undefined;
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
  clickable = false;
  value: string | undefined = undefined;
  checked: boolean | 'mixed' = false;
  selected = false;
  /** The document inside this iframe. */
  content: SnapDoc | undefined = undefined;
  /** aria-owns: who took this node, and what this node took. */
  owner: SnapNode | undefined = undefined;
  owned: SnapNode[] | undefined = undefined;
  /** Kept by roleOf and nameOf, or answered by Chrome. */
  role: string | undefined = undefined;
  name: string | undefined = undefined;

  constructor(
    readonly doc: SnapDoc,
    readonly parent: SnapNode | undefined,
    /** Place in document order. */
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
  /** Elements by id, in document order; ids.ts tells shadow trees from the document. */
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

export interface Page {
  docs: SnapDoc[];
  main: SnapDoc;
  byKey(process: string, id: number): SnapNode | undefined;
}

export function css(n: SnapNode, name: StyleName): string {
  const at = n.style?.[Style[name]];
  return at === undefined ? '' : (n.doc.strings[at] ?? '');
}

/** The children as the accessibility tree has them: aria-owns applied. */
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
