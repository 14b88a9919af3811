// Descriptions of elements: role, name and ref of elements found by selectors, from a fresh capture.

import { joined, type Phrase, phrase, refName } from '../../text.ts';
import { remaining, tryFor } from '../limits.ts';
import { shapeName } from '../snapshot/accessibility/drawings.ts';
import { contentName, nameOf } from '../snapshot/accessibility/names.ts';
import { captureTab, type TabCapture } from '../snapshot/capture/capture.ts';
import { nodeFingerprint } from '../snapshot/capture/fingerprint.ts';
import { rawText, type SnapNode } from '../snapshot/capture/node.ts';
import type { DrawnItem } from '../snapshot/drawn/page-script.ts';
import { wordOf } from '../snapshot/print/print-node.ts';
import type { Tab } from '../tab/tab.ts';
import type { Element } from './element.ts';
import { formatRef, type Ref } from './refs.ts';

/** Gives an element of a capture its ref, with the fingerprint of its present content. */
export function refOf(
  tab: Tab,
  taken: TabCapture,
  node: SnapNode,
  { role, name, item }: { role: string; name: string; item?: DrawnItem | undefined } = {
    role: wordOf(node),
    name: calledBy(node),
  },
): Ref {
  const frame = node.doc.frame;
  return tab.refs.assign(
    { session: node.process, id: node.id, frame, loader: taken.loaders.get(frame) ?? '', item: item?.key },
    { role, name, mark: item ? '' : nodeFingerprint(node) },
  );
}

/** The name of the element, or else its text: a hidden element has no other name. */
const calledBy = (node: SnapNode): string =>
  nameOf(node) ||
  shapeName(node) ||
  (node.hidden === 0 ? contentName(node) : rawText(node).replace(/\s+/g, ' ').trim()).slice(0, 100);

export interface ElementDescription {
  number: number;
  ref: string;
  role: string;
  name: string;
  node: SnapNode;
}

/** Role, name and ref of each element of one tab; undefined where an element has just gone. */
export async function describeElements(elements: readonly Element[]): Promise<(ElementDescription | undefined)[]> {
  const [first] = elements;
  if (!first) return [];
  const { tab, limits } = first;
  const taken = await captureTab(tab, limits);
  return elements.map(({ location: { cdp, id } }) => {
    const node = taken.page.byKey(cdp.key, id);
    if (!node) return undefined;
    const ref = refOf(tab, taken, node);
    return { number: ref.number, ref: formatRef(ref, limits), role: ref.role, name: ref.name, node };
  });
}

/** A page of more elements takes too long to capture for the sake of an answer's words. */
const MOST_ELEMENTS = 3_000;
/** How long that may take, in ms. */
const NAME_MS = 1_000;

/** Learns what an answer is to call an element that was found by a selector. On a very large page it stays what the caller called it. */
export async function nameForAnswer(element: Element): Promise<void> {
  if (element.ref) return;
  const { tab, limits, location } = element;
  await tryFor(limits, Math.min(NAME_MS, remaining(limits) / 2), async bound => {
    const { result } = await tab.send(bound, location.cdp, 'Runtime.evaluate', { expression: 'document.all.length' });
    if (Number(result.value) > MOST_ELEMENTS) return;
    const taken = await captureTab(tab, bound);
    const node = taken.page.byKey(location.cdp.key, location.id);
    if (node) element.named = refOf(tab, taken, node);
  });
}

const MOST_CANDIDATES = 8;

/** The first of several matches, for an error message. */
export async function candidates(elements: readonly Element[]): Promise<Phrase> {
  const rows = await describeElements(elements.slice(0, MOST_CANDIDATES));
  const names = rows
    .filter(row => row !== undefined)
    .map(({ number, role, name }) => phrase`${refName(number)} ${role} ${JSON.stringify(name.slice(0, 60))}`);
  return phrase`${joined(names, ', ')}${elements.length > MOST_CANDIDATES ? ', …' : ''}`;
}
