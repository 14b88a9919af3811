// The elements of a page as data instead of text: a flat list of the most important ones, for programs.
import { ellipsis } from '../../../ellipsis.ts';
import { refOf } from '../../elements/describe.ts';
import { formatRef } from '../../elements/refs.ts';
import type { Limits } from '../../limits.ts';
import type { Tab } from '../../tab/tab.ts';
import { captureTab, type TabCapture } from '../capture/capture.ts';
import { boxOf, type SnapNode } from '../capture/node.ts';
import { frameScope } from '../snapshot.ts';
import { filterTree, type SnapshotView } from './filter.ts';
import type { PrintNode } from './print-node.ts';

interface ElementNode {
  ref: string;
  role: string;
  name: string;
  description?: string;
  value?: string;
  focused?: true;
  disabled?: true;
  checked?: boolean | 'mixed';
}

export interface ElementList {
  url: string;
  title: string;
  /** In the order of the page. */
  nodes: ElementNode[];
  /** How many there are in all. */
  total: number;
}

/** Longest name or value, in characters. */
const LONGEST = 300;

/** Everything with a ref: interactive elements, named elements and text; no nameless wrappers. */
const VIEW: SnapshotView = { mode: 'full', compact: true, style: 'list', includeText: true, includeBounds: false };

/** At most `most` elements: those in view first, interactive before static, text last. */
export async function listElements(
  tab: Tab,
  most: number,
  frameId: number | undefined,
  limits: Limits,
): Promise<ElementList> {
  const capture = await captureTab(tab, limits);
  const scope = await frameScope(tab, capture, frameId, limits);
  const all = flat(filterTree(capture.page, { ...VIEW, ...(scope && { scope }) })).filter(({ ref }) => ref);
  const ranked = all.map((entry, place) => ({ entry, place, rank: rankOf(entry, capture) }));
  const chosen = ranked.sort((a, b) => a.rank - b.rank || a.place - b.place).slice(0, most);
  const { url, title } = scope?.doc ?? capture.page.main;
  const nodes = chosen.sort((a, b) => a.place - b.place).map(({ entry }) => nodeOf(tab, capture, entry, limits));
  return { url, title, nodes, total: all.length };
}

const flat = (entry: PrintNode): PrintNode[] => entry.children.flatMap(child => [child, ...flat(child)]);

/** Smaller is more important. */
function rankOf({ kind, node, role }: PrintNode, { viewport }: TabCapture): number {
  const isText = kind === 'text' || role === 'text';
  const kindRank = kind === 'target' || kind === 'frame' ? 0 : isText ? 4 : 1;
  return kindRank + (isInView(node, viewport) ? 0 : 2);
}

function isInView(node: SnapNode, viewport: TabCapture['viewport']): boolean {
  const [x, y, width, height] = boxOf(node) ?? [-1, -1, 0, 0];
  return x + width > 0 && y + height > 0 && x < viewport.width && y < viewport.height;
}

function nodeOf(tab: Tab, capture: TabCapture, entry: PrintNode, limits: Limits): ElementNode {
  const { states, node } = entry;
  const control = entry.control ?? node;
  const name = entry.name || entry.text;
  const description = control.attrs['aria-description'] ?? control.attrs.title ?? '';
  return {
    ref: formatRef(refOf(tab, capture, control, entry), limits),
    role: entry.role,
    name: short(name),
    ...(description !== '' && description !== name && { description: short(description) }),
    ...(states.value !== undefined && { value: short(states.value) }),
    ...(node === capture.focused && { focused: true }),
    ...(states.disabled && { disabled: true }),
    ...(states.checked !== undefined && { checked: states.checked }),
  };
}

const short = (text: string): string => ellipsis(text, LONGEST);
