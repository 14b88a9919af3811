// Filters the printed tree for a view: removes the lines that mode, depth and options leave out.
import { wordSet } from '../accessibility/role-data.ts';
import { DOCUMENT, type SnapNode, type SnapPage } from '../capture/node.ts';
import { buildTree } from './build-tree.ts';
import { PrintNode } from './print-node.ts';
import { optionLines } from './print-uids.ts';
import { tellApart } from './tell-apart.ts';

/**
 * tree: indented roles and names, refs behind them. list: `@e1: role "name"`, every element with a ref, links with their urls.
 * uids: `uid=@e1 role "name" state`, every line with a ref, also the root and text. short: what a tree says, in few characters.
 */
export const SNAPSHOT_STYLES = ['tree', 'short', 'list', 'uids'] as const;
export type SnapshotStyle = (typeof SNAPSHOT_STYLES)[number];

export interface SnapshotView {
  mode: 'full' | 'interactive' | 'focused';
  /** Levels to print below the root line. */
  depth?: number;
  /** Print this element and its content only. */
  scope?: SnapNode;
  compact: boolean;
  /** A tree when left out. */
  style?: SnapshotStyle;
  includeText: boolean;
  includeBounds: boolean;
  focused?: SnapNode;
}

/** Everything, as a tree. */
export const FULL_VIEW: SnapshotView = { mode: 'full', compact: false, includeText: true, includeBounds: false };

/** hasRootLine() tells whether the root is printed as a line of its own. */
export function filterTree(page: SnapPage, view: SnapshotView): PrintNode {
  const focused = view.mode === 'focused' ? view.focused : undefined;
  return rooted(focused ?? view.scope ?? (page.main.nodes[0] as SnapNode), view);
}

export const hasRootLine = (root: PrintNode, view: SnapshotView): boolean =>
  view.mode === 'full' &&
  view.style !== 'short' &&
  (!view.compact || view.style === 'uids') &&
  root.node.type === DOCUMENT;

export const countLines = (entry: PrintNode): number =>
  entry.children.reduce((sum, child) => sum + 1 + countLines(child), 0);

function rooted(n: SnapNode, view: SnapshotView): PrintNode {
  const root = new PrintNode(n, 'root', 'document');
  root.ref = view.style === 'uids';
  prune(buildTree(n), view, 1, root.children);
  tellApart(root, view.mode !== 'interactive');
  return cutBelow(root, view, 0);
}

/** Containers that are printed even without a name. */
const STRUCTURE = wordSet(
  'alert alertdialog article banner blockquote complementary contentinfo dialog feed figure form grid list listitem listbox log ' +
    'main menu menubar navigation radiogroup region row cell columnheader rowheader gridcell search status table tablist tabpanel ' +
    'timer toolbar tooltip tree treegrid dl term definition note marquee',
);

/** Not printed around a single element when they have neither name nor text. */
const WRAPPERS = wordSet('listitem cell columnheader rowheader term definition figure article blockquote');

/** Appends the printed nodes of the list to `out`; a node that is left out is replaced by its children. */
function prune(list: PrintNode[], view: SnapshotView, level: number, out: PrintNode[]): void {
  for (const entry of list) {
    if (!isPrinted(entry, view)) {
      prune(entry.children, view, level, out);
      continue;
    }
    const children: PrintNode[] = [];
    prune(entry.children, view, level + 1, children);
    entry.children = children;
    trim(entry, view);
    if (entry.kind !== 'box' || !isHollow(entry, view)) out.push(cutBelow(entry, view, level));
    else for (const child of children) out.push(child);
  }
}

function isPrinted(entry: PrintNode, view: SnapshotView): boolean {
  const interactive = view.mode === 'interactive';
  switch (entry.kind) {
    case 'target':
      return !interactive || entry.interactivity !== 'shape';
    case 'frame':
      return true;
    case 'heading':
      return !interactive;
    case 'figure':
      return !interactive && (entry.nodeRole === 'progressbar' || entry.nodeRole === 'meter' || entry.name !== '');
    case 'run':
    case 'text':
      return !interactive && view.includeText && entry.pieces !== undefined;
    default:
      return isBoxPrinted(entry, view, interactive);
  }
}

function isBoxPrinted(entry: PrintNode, view: SnapshotView, interactive: boolean): boolean {
  if (!interactive && entry.pieces && view.includeText) return true;
  if (!interactive && !view.compact && STRUCTURE.has(entry.nodeRole)) return true;
  return isNamed(entry);
}

const isNamed = (entry: PrintNode): boolean => entry.name !== '';

/** Drops unwanted text, and decides whether the line has a ref. */
function trim(entry: PrintNode, view: SnapshotView): void {
  const isText = entry.kind === 'run' || entry.kind === 'text' || entry.namedByContent;
  if (!isText && !wantsText(entry, view)) entry.pieces = undefined;
  entry.ref = hasRef(entry, view);
  if (view.style === 'uids') entry.children.unshift(...optionLines(entry));
}

/** Targets keep their text in interactive mode: it may be all that distinguishes them. */
const wantsText = (entry: PrintNode, view: SnapshotView): boolean =>
  view.includeText && (entry.kind === 'target' || view.mode !== 'interactive');

function hasRef(entry: PrintNode, view: SnapshotView): boolean {
  if (entry.kind === 'target' || entry.kind === 'frame' || view.style === 'uids') return true;
  if (view.mode === 'interactive') return false;
  if (view.style === 'list') return entry.kind !== 'run';
  return entry.kind === 'heading' || entry.kind === 'figure' || (entry.kind === 'box' && isNamed(entry));
}

/** A container whose line would say nothing. */
function isHollow(entry: PrintNode, view: SnapshotView): boolean {
  if (entry.pieces) return false;
  if (isNamed(entry)) return view.mode === 'interactive' && !entry.children.length;
  return !entry.children.length || (WRAPPERS.has(entry.nodeRole) && entry.children.length === 1);
}

function cutBelow(entry: PrintNode, view: SnapshotView, level: number): PrintNode {
  if (level === view.depth && entry.children.length) {
    entry.omitted = countLines(entry);
    entry.children = [];
  }
  return entry;
}
