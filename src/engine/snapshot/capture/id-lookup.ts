// Look-ups by id: idref attributes and labels. The capture is the flat tree without shadow roots, so the tree scope is inferred.
import type { SnapDoc, SnapNode } from './node.ts';
import { ELEMENT, find, isInside } from './node.ts';

/** The element with this id in the tree scope of `from`. */
export function byId(id: string, from: SnapNode): SnapNode | undefined {
  const candidates = from.doc.ids.get(keyOf(id, from));
  return candidates && candidates.length > 1 && from.shadow ? nearest(from, candidates) : candidates?.[0];
}

const keyOf = (id: string, n: SnapNode): string => (n.shadow ? `shadow ${id}` : id);

/** The candidate most likely in the same shadow root: the one with the lowest common ancestor, so next to it in document order. */
function nearest(from: SnapNode, candidates: SnapNode[]): SnapNode | undefined {
  let low = 0;
  let high = candidates.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candidates[middle]?.index ?? 0) < from.index) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [candidates[low - 1], candidates[low]];
  if (!before || !after) return before ?? after;
  return distance(from, after) < distance(from, before) ? after : before;
}

/** Levels from the node up to what it has in common with the other. */
function distance(from: SnapNode, other: SnapNode): number {
  const above = new Set<SnapNode>();
  for (let p: SnapNode | undefined = other; p; p = p.parent) above.add(p);
  let levels = 0;
  for (let p: SnapNode | undefined = from; p && !above.has(p); p = p.parent) levels++;
  return levels;
}

/** The elements an idref list names. */
export function referenced(n: SnapNode, attribute: string): SnapNode[] {
  const list = n.attrs[attribute];
  if (!list) return [];
  const found: SnapNode[] = [];
  for (const id of list.split(/\s+/)) {
    const target = id && byId(id, n);
    if (target) found.push(target);
  }
  return found;
}

const LABELABLE = new Set(['button', 'meter', 'output', 'progress', 'select', 'textarea']);

export function labelable(n: SnapNode): boolean {
  if (!n.html) return false;
  return n.tag === 'input' ? n.attrs.type !== 'hidden' : LABELABLE.has(n.tag) || n.tag.includes('-');
}

function push<K>(map: Map<K, SnapNode[]>, key: K, n: SnapNode): void {
  const list = map.get(key);
  if (list) list.push(n);
  else map.set(key, [n]);
}

/** Fills the document's look-ups, and applies aria-owns. */
export function indexIds(doc: SnapDoc): void {
  for (const n of doc.nodes) if (n.attrs.id && n.type === ELEMENT) push(doc.ids, keyOf(n.attrs.id, n), n);
  for (const n of doc.nodes) {
    if (n.tag === 'label' && n.html) indexLabel(n);
    if (n.attrs['aria-labelledby']) indexNames(n);
    if (n.attrs.usemap && n.rendered) doc.maps.add(n.attrs.usemap);
    if (n.attrs['aria-owns'] && n.attrs['aria-hidden'] !== 'true') own(n);
  }
}

function indexLabel(label: SnapNode): void {
  const { doc, attrs } = label;
  const control = attrs.for === undefined ? find(label, labelable) : byId(attrs.for, label);
  if (!control || !labelable(control)) return;
  push(doc.labels, control, label);
  doc.controls.set(label, control);
}

function indexNames(n: SnapNode): void {
  const targets = referenced(n, 'aria-labelledby');
  // An element that also names itself borrows the rest: "Delete" + "report.pdf".
  if (targets.includes(n)) return;
  for (const target of targets) if (!n.doc.named.has(target)) n.doc.named.set(target, n);
}

function own(n: SnapNode): void {
  for (const target of referenced(n, 'aria-owns')) {
    if (target.owner || isInside(n, target)) continue;
    target.owner = n;
    n.owned = [...(n.owned ?? []), target];
    n.doc.moved = true;
  }
}
