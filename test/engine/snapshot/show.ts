// Prints a page for tests: numbers refs and frames in the order of print.

import type { SnapDoc, SnapNode, SnapPage } from '../../../src/engine/snapshot/capture/node.ts';
import { FULL_VIEW, filterTree, type SnapshotView } from '../../../src/engine/snapshot/print/filter.ts';
import { type PrintedTree, print } from '../../../src/engine/snapshot/print/print.ts';

export interface Shown extends PrintedTree {
  /** Elements that were given a ref, in order: word and name; and their nodes. */
  refs: string[];
  nodes: SnapNode[];
}

export function showAll(page: SnapPage, view: Partial<SnapshotView> = {}, maxChars = 25_000, head = ''): Shown {
  const whole: SnapshotView = { ...FULL_VIEW, ...view };
  const refs: string[] = [];
  const nodes: SnapNode[] = [];
  const frames: SnapDoc[] = [];
  const numberOf = (doc: SnapDoc): number => (frames.includes(doc) ? frames.indexOf(doc) + 1 : frames.push(doc));
  const printed = print(filterTree(page, whole), head, {
    view: whole,
    maxChars,
    refOf: kept => {
      nodes.push(kept.node);
      return `@e${refs.push(`${kept.role} ${kept.name}`)}`;
    },
    frameOf: numberOf,
  });
  return { ...printed, refs, nodes };
}

/** The printed lines below the root line, one level less deep. */
export const linesOf = (page: SnapPage, view: Partial<SnapshotView> = {}): string[] => {
  const lines = showAll(page, view).text.split('\n');
  return lines[0]?.startsWith('- document') ? lines.slice(1).map(line => line.slice(2)) : lines;
};
