// What of a page is printed in a view: the grown tree without the lines that mode, depth and options leave out.
import { roleOf } from '../accessibility/roles.ts';
import { DOCUMENT, type Page, type SnapNode, up } from '../capture/node.ts';
import { grow } from './build-tree.ts';
import { PrintNode } from './print-node.ts';
import { optionLines } from './print-uids.ts';

export type { PrintNode };

/**
 * tree: indented roles and names, refs behind them. list: `@e1: role "name"`, every element with a ref, links with their urls.
 * uids: `uid=@e1 role "name" state`, every line with a ref, also the root and text.
 */
export const STYLES = ['tree', 'list', 'uids'] as const;
export type Style = (typeof STYLES)[number];

export interface SnapshotView {
  mode: 'full' | 'interactive' | 'focused';
  /** Levels to print below the root line. */
  depth?: number;
  /** Only this element and what stands in it. */
  scope?: SnapNode;
  compact: boolean;
  /** A tree when left out. */
  style?: Style;
  includeText: boolean;
  includeBounds: boolean;
  focused?: SnapNode;
}

/** The root stands for the whole; whether it has a line of its own, hasRootLine() says. */
export function filterTree(page: Page, view: SnapshotView): PrintNode {
  if (view.mode === 'focused' && view.focused) return aroundFocus(view.focused, view);
  return rooted(view.scope ?? (page.main.nodes[0] as SnapNode), view);
}

export const hasRootLine = (root: PrintNode, view: SnapshotView): boolean =>
  view.mode === 'full' && (!view.compact || view.style === 'uids') && root.node.type === DOCUMENT;

/** Number of lines below. */
export const countLines = (kept: PrintNode): number =>
  kept.children.reduce((sum, child) => sum + 1 + countLines(child), 0);

function rooted(n: SnapNode, view: SnapshotView): PrintNode {
  const root = new PrintNode(n, 'root', 'document');
  root.ref = view.style === 'uids';
  prune(grow(n), view, 1, root.children);
  return cutBelow(root, view, 0);
}

/** The focused element with what stands in it; a lone control with the container around it. */
function aroundFocus(focused: SnapNode, view: SnapshotView): PrintNode {
  let root = rooted(focused, view);
  let around = containerOf(focused);
  while (countLines(root) < 2 && around) {
    root = rooted(around, view);
    around = containerOf(around);
  }
  return root;
}

const containerOf = (n: SnapNode): SnapNode | undefined =>
  up(n, p => STRUCTURE.has(roleOf(p)) || roleOf(p) === 'group');

/** Containers that say something even without a name. */
const STRUCTURE = new Set(
  (
    'alert alertdialog article banner blockquote complementary contentinfo dialog feed figure form grid list listitem listbox log ' +
    'main menu menubar navigation radiogroup region row cell columnheader rowheader gridcell search status table tablist tabpanel ' +
    'timer toolbar tooltip tree treegrid dl term definition note marquee'
  ).split(' '),
);

/** Without a name and text, around a single element, these say nothing. */
const WRAPPERS = new Set('listitem cell columnheader rowheader term definition figure article blockquote'.split(' '));

/** Puts what stays of the list into `out`; what goes leaves its children in its place. */
function prune(list: PrintNode[], view: SnapshotView, level: number, out: PrintNode[]): void {
  for (const kept of list) {
    if (!stays(kept, view)) {
      prune(kept.children, view, level, out);
      continue;
    }
    const children: PrintNode[] = [];
    prune(kept.children, view, level + 1, children);
    kept.children = children;
    trim(kept, view);
    if (kept.kind !== 'box' || !isHollow(kept, view)) out.push(cutBelow(kept, view, level));
    else for (const child of children) out.push(child);
  }
}

function stays(kept: PrintNode, view: SnapshotView): boolean {
  const interactive = view.mode === 'interactive';
  switch (kept.kind) {
    case 'hit':
    case 'frame':
      return true;
    case 'heading':
      return !interactive;
    case 'figure':
      return !interactive && (kept.own === 'progressbar' || kept.own === 'meter' || kept.name !== '');
    case 'run':
    case 'text':
      return !interactive && view.includeText && kept.pieces !== undefined;
    default:
      return isBoxKept(kept, view, interactive);
  }
}

function isBoxKept(kept: PrintNode, view: SnapshotView, interactive: boolean): boolean {
  if (!interactive && kept.pieces && view.includeText) return true;
  if (!interactive && !view.compact && STRUCTURE.has(kept.own)) return true;
  return isNamed(kept);
}

const isNamed = (kept: PrintNode): boolean => kept.name !== '';

/** Takes off the text that is not wanted, and decides on the ref. */
function trim(kept: PrintNode, view: SnapshotView): void {
  const isText = kept.kind === 'run' || kept.kind === 'text' || kept.namedByContent;
  if (!isText && !wantsText(kept, view)) kept.pieces = undefined;
  kept.ref = hasRef(kept, view);
  if (view.style === 'uids') kept.children.unshift(...optionLines(kept));
}

/** A hit keeps its text among hits: it may be all that tells it from others. */
const wantsText = (kept: PrintNode, view: SnapshotView): boolean =>
  view.includeText && (kept.kind === 'hit' || view.mode !== 'interactive');

function hasRef(kept: PrintNode, view: SnapshotView): boolean {
  if (kept.kind === 'hit' || kept.kind === 'frame' || view.style === 'uids') return true;
  if (view.mode === 'interactive') return false;
  if (view.style === 'list') return kept.kind !== 'run';
  return kept.kind === 'heading' || kept.kind === 'figure' || (kept.kind === 'box' && isNamed(kept));
}

/** A container that would be a line without news. */
function isHollow(kept: PrintNode, view: SnapshotView): boolean {
  if (kept.pieces) return false;
  if (isNamed(kept)) return view.mode === 'interactive' && !kept.children.length;
  return !kept.children.length || (WRAPPERS.has(kept.own) && kept.children.length === 1);
}

function cutBelow(kept: PrintNode, view: SnapshotView, level: number): PrintNode {
  if (level === view.depth && kept.children.length) {
    kept.inside = countLines(kept);
    kept.children = [];
  }
  return kept;
}
