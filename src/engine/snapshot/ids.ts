// Look-ups by id: idref attributes and labels. The capture is the flat tree without shadow roots, so the tree scope is inferred.
import type { SnapDoc, SnapNode } from './node.ts';
import { ELEMENT, find, isInside } from './node.ts';

/** The element with this id in the tree scope of `from`. */
export function byId(id: string, from: SnapNode): SnapNode | undefined {
  const scoped = from.doc.ids.get(id)?.filter(c => !c.shadow === !from.shadow);
  if (!scoped || scoped.length < 2 || !from.shadow) return scoped?.[0];
  return nearest(from, scoped);
}

/** The candidate with the lowest common ancestor: most likely in the same shadow root. */
function nearest(from: SnapNode, candidates: SnapNode[]): SnapNode | undefined {
  const distance = new Map<SnapNode, number>();
  for (let p: SnapNode | undefined = from; p; p = p.parent) distance.set(p, distance.size);
  let best: SnapNode | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    let p: SnapNode | undefined = candidate;
    while (p && !distance.has(p)) p = p.parent;
    const far = p ? (distance.get(p) ?? least) : least;
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
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
  for (const n of doc.nodes) if (n.attrs.id && n.type === ELEMENT) push(doc.ids, n.attrs.id, n);
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
