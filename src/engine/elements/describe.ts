// What elements are called: role, name and ref of elements found by selectors, from a fresh capture.

import { joined, type Phrase, phrase, refName } from '../../text.ts';
import type { Limits } from '../limits.ts';
import { contentName, nameOf } from '../snapshot/accessibility/names.ts';
import { captureTab, type TabCapture } from '../snapshot/capture/capture.ts';
import { nodeFingerprint } from '../snapshot/capture/fingerprint.ts';
import { rawText, type SnapNode } from '../snapshot/capture/node.ts';
import { wordOf } from '../snapshot/print/print-node.ts';
import type { Tab } from '../tab/tab.ts';
import type { Element, ElementLocation } from './element.ts';
import { formatRef, type Ref } from './refs.ts';

/** Gives an element of a capture its ref, remembering what it says now. */
export function refOf(
  tab: Tab,
  taken: TabCapture,
  node: SnapNode,
  { role, name } = { role: wordOf(node), name: calledBy(node) },
): Ref {
  const frame = node.doc.frame;
  return tab.refs.assign(
    { wire: node.process, id: node.id, frame, loader: taken.loaders.get(frame) ?? '' },
    { role, name, mark: nodeFingerprint(node) },
  );
}

/** Its name, or else its text: of what is hidden all that tells the caller which element was found. */
const calledBy = (node: SnapNode): string =>
  nameOf(node) || (node.hidden === 0 ? contentName(node) : rawText(node).replace(/\s+/g, ' ').trim()).slice(0, 100);

export interface ElementDescription {
  number: number;
  ref: string;
  role: string;
  name: string;
  node: SnapNode;
}

/** Role, name and ref of each spot; undefined where the element has just gone. */
export async function describeElements(
  tab: Tab,
  spots: ElementLocation[],
  limits: Limits,
): Promise<(ElementDescription | undefined)[]> {
  const taken = await captureTab(tab, limits);
  return spots.map(({ wire, id }) => {
    const node = taken.page.byKey(wire.key, id);
    if (!node) return undefined;
    const ref = refOf(tab, taken, node);
    return { number: ref.number, ref: formatRef(ref, limits), role: ref.role, name: ref.name, node };
  });
}

/** A list of candidates for an error, a line each. */
export async function candidates(tab: Tab, elements: Element[], limits: Limits): Promise<Phrase> {
  const rows = await describeElements(
    tab,
    elements.map(element => element.location),
    limits,
  );
  return joined(
    rows
      .filter(row => row !== undefined)
      .map(({ number, role, name }) => phrase`${refName(number)} ${role} ${JSON.stringify(name.slice(0, 60))}`),
    ', ',
  );
}
