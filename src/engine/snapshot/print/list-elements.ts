// The elements of a page as data instead of text: a flat list of the most important ones, for programs.
import { ellipsis } from '../../../ellipsis.ts';
import { refOf } from '../../elements/describe.ts';
import { formatRef } from '../../elements/refs.ts';
import type { Limits } from '../../limits.ts';
import type { Tab } from '../../tab/tab.ts';
import { captureTab, type TabCapture } from '../capture/capture.ts';
import { frameScope } from '../snapshot.ts';
import { isInView } from './choose.ts';
import { FULL_VIEW, filterTree, type SnapshotView } from './filter.ts';
import { descendantsOf, type PrintNode } from './print-node.ts';
import { elementOf } from './print-uids.ts';

interface ElementNode {
  ref: string;
  role: string;
  name: string;
  description?: string;
  value?: string;
  focused?: true;
  disabled?: true;
  checked?: boolean | 'mixed';
  selected?: true;
}

export interface ElementList {
  url: string;
  title: string;
  /** In document order. */
  nodes: ElementNode[];
  /** The number of all elements. */
  total: number;
}

/** Longest name or value, in characters. */
const LONGEST = 300;

/** Every line with a ref, also text and options; no nameless wrappers. */
const VIEW: SnapshotView = { ...FULL_VIEW, compact: true, style: 'uids' };

/** At most `most` elements: those in view first, of these interactive before static, options and text last. */
export async function listElements(
  tab: Tab,
  most: number,
  frameId: number | undefined,
  limits: Limits,
): Promise<ElementList> {
  const capture = await captureTab(tab, limits);
  const scope = await frameScope(tab, capture, frameId, limits);
  const all = descendantsOf(filterTree(capture.page, { ...VIEW, ...(scope && { scope }) }));
  const ranked = all.map((entry, place) => ({ entry, place, rank: rankOf(entry, capture) }));
  const chosen = ranked.sort((a, b) => a.rank - b.rank || a.place - b.place).slice(0, most);
  const { url, title } = scope?.doc ?? capture.page.main;
  const nodes = chosen.sort((a, b) => a.place - b.place).map(({ entry }) => nodeOf(tab, capture, entry, limits));
  return { url, title, nodes, total: all.length };
}

/** Smaller is more important. */
const rankOf = (entry: PrintNode, { viewport }: TabCapture): number =>
  kindRank(entry) + (isInView(entry, viewport) ? 0 : 3);

function kindRank({ kind, role }: PrintNode): number {
  if (role === 'text' || role === 'option' || kind === 'text') return 2;
  return kind === 'target' || kind === 'frame' ? 0 : 1;
}

function nodeOf(tab: Tab, capture: TabCapture, entry: PrintNode, limits: Limits): ElementNode {
  const { states, node, kind } = entry;
  const element = elementOf(entry);
  const { name, text } = entry;
  const written = kind === 'run' ? '' : (element.attrs['aria-description'] ?? element.attrs.title ?? '');
  const description = [written, name && text].filter(said => said && said !== name && said !== states.value);
  return {
    ref: formatRef(refOf(tab, capture, element, entry), limits),
    role: entry.role,
    name: short(name || text),
    ...(description.length > 0 && { description: short(description.join('. ')) }),
    ...(states.value !== undefined && { value: short(states.value) }),
    ...(node === capture.focused && { focused: true }),
    ...(states.disabled && { disabled: true }),
    ...(states.checked !== undefined && { checked: states.checked }),
    ...(states.selected && { selected: true }),
  };
}

const short = (text: string): string => ellipsis(text, LONGEST);
