// Chooses the lines of a page that is larger than its budget: what is in view, what can be acted on, headings and landmarks first, and of many like rows the first, the last and those in view.
import { Failure } from '../../../errors.ts';
import type { Size } from '../../geometry.ts';
import { wordSet } from '../accessibility/role-data.ts';
import { boxOf, up } from '../capture/node.ts';
import { hasRootLine } from './filter.ts';
import { formatLine, type PrintOptions, REF, type Selection } from './print.ts';
import { descendantsOf, type PrintNode } from './print-node.ts';

/** Lines of one role below one element: fewer are not cut. */
const MANY = 40;
const FIRST = 20;
const LAST = 5;
/** Rows from an offset on that are shown at once. */
const AT_ONCE = 50;

const ROWS = wordSet('row listitem option treeitem article menuitem definition link button');

/** All but the middle of long lists and tables. */
export function cutRows(root: PrintNode, viewport: Size): Selection {
  return withRows(root, (row, place, count) => place < FIRST || place >= count - LAST || isInView(row, viewport));
}

/** The rows from an offset on, of the first list or table that has so many. */
export function rowsFrom(root: PrintNode, offset: number): Selection {
  const list = [root, ...descendantsOf(root)].find(entry => rowsIn(entry).length > Math.max(offset, 1));
  if (!list)
    throw new Failure('not_found', `Nothing here has more than ${offset} rows.`, 'Give a smaller offset, or none.');
  const isKept = (_row: PrintNode, place: number): boolean => place >= offset && place < offset + AT_ONCE;
  return { ...withRows(root, isKept, entry => entry === list), why: 'other rows' };
}

function withRows(
  root: PrintNode,
  isKept: (row: PrintNode, place: number, count: number) => boolean,
  isCut = (entry: PrintNode): boolean => rowsIn(entry).length > MANY,
): Selection {
  const shown = new Set<PrintNode>();
  const rowsOf = new Map<PrintNode, PrintNode[]>();
  const visit = (entry: PrintNode): void => {
    shown.add(entry);
    const rows = isCut(entry) ? rowsIn(entry) : [];
    if (rows.length) rowsOf.set(entry, rows);
    const left = new Set(rows.filter((row, place) => !isKept(row, place, rows.length)));
    for (const child of entry.children) if (!left.has(child)) visit(child);
  };
  visit(root);
  return { shown, rowsOf };
}

/** The children of the one role that most lines of a list or table have; none where several roles take turns. */
function rowsIn({ children }: PrintNode): PrintNode[] {
  if (children.length < 2) return [];
  const groups = new Map<string, PrintNode[]>();
  for (const child of children) {
    if (!ROWS.has(child.nodeRole)) continue;
    const group = groups.get(child.nodeRole);
    if (group) group.push(child);
    else groups.set(child.nodeRole, [child]);
  }
  return [...groups.values()].find(group => group.length * 2 > children.length) ?? [];
}

/** As much of a selection as fits, the most important lines first, each with the lines that it is below. */
export function mostImportant(
  root: PrintNode,
  { shown, rowsOf }: Selection,
  options: PrintOptions,
  viewport: Size,
): Selection {
  const chosen = new Set<PrintNode>([root]);
  const above = parentsIn(root);
  let room = options.maxChars - SPARE - rowsOf.size * GAP_LINE;
  const topLevel = hasRootLine(root, options.view) ? 0 : 1;
  const ranked = descendantsOf(root)
    .filter(entry => shown.has(entry))
    .map((entry, place) => ({ entry, place, rank: rankOf(entry, viewport) }));
  for (const { entry } of ranked.sort((a, b) => a.rank - b.rank || a.place - b.place)) {
    for (let at: PrintNode | undefined = entry; at && !chosen.has(at) && room > 0; at = above.get(at)) {
      const { before, after } = formatLine(at, levelOf(at, above) - topLevel, options);
      room -= before.length + after.length + (at.ref ? REF : 0) + 1;
      if (room > 0) chosen.add(at);
    }
    if (room <= 0) break;
  }
  return { shown: withParents(chosen, above), rowsOf };
}

/** What is on the screen, with the lines that it is below. */
export function inView(root: PrintNode, viewport: Size): Selection {
  const seen = descendantsOf(root).filter(entry => isInView(entry, viewport));
  return { shown: withParents(new Set([root, ...seen]), parentsIn(root)), rowsOf: new Map(), why: 'out of view' };
}

/** For head and closing line, and for the line that says that rows are left out. */
const SPARE = 1_200;
const GAP_LINE = 90;

const LANDMARKS = wordSet(
  'banner complementary contentinfo form main navigation region search dialog alertdialog table',
);

/** Smaller is more important. */
function rankOf(entry: PrintNode, viewport: Size): number {
  if (isInView(entry, viewport)) return 0;
  const { kind, nodeRole } = entry;
  return kind === 'target' || kind === 'frame' || kind === 'heading' || LANDMARKS.has(nodeRole) ? 1 : 2;
}

export function isInView({ node }: PrintNode, { width: right, height: bottom }: Size): boolean {
  const shown = node.box ? node : up(node, above => above.box !== undefined);
  const [x, y, width, height] = (shown && boxOf(shown)) ?? [-1, -1, 0, 0];
  return x + width > 0 && y + height > 0 && x < right && y < bottom;
}

function parentsIn(root: PrintNode, into = new Map<PrintNode, PrintNode>()): Map<PrintNode, PrintNode> {
  for (const child of root.children) parentsIn(child, into.set(child, root));
  return into;
}

function levelOf(entry: PrintNode, above: ReadonlyMap<PrintNode, PrintNode>): number {
  let level = 0;
  for (let at = above.get(entry); at; at = above.get(at)) level++;
  return level;
}

function withParents(chosen: Set<PrintNode>, above: ReadonlyMap<PrintNode, PrintNode>): Set<PrintNode> {
  for (const entry of [...chosen]) for (let at = above.get(entry); at; at = above.get(at)) chosen.add(at);
  return chosen;
}

/** Puts the modal dialog before the page that it keeps from being used. */
export function dialogFirst(root: PrintNode): void {
  const dialog = openDialog(root, true);
  if (!dialog) return;
  const parent = parentsIn(root).get(dialog) ?? root;
  parent.children = parent.children.filter(child => child !== dialog);
  root.children = [dialog, ...root.children];
}

const DIALOGS = wordSet('dialog alertdialog');

/** The dialog that was opened last, as far as the order of the document tells. */
export const openDialog = (root: PrintNode, modal = false): PrintNode | undefined =>
  descendantsOf(root).findLast(
    ({ nodeRole, node }) => DIALOGS.has(nodeRole) && (!modal || node.attrs['aria-modal'] === 'true'),
  );
