// Elements by role, name and state in a capture: as snapshots print them, in closed shadow roots too.
import { nameOf } from '../snapshot/accessibility/names.ts';
import { RENAMED, roleOf } from '../snapshot/accessibility/roles.ts';
import { statesOf } from '../snapshot/accessibility/states.ts';
import { ELEMENT, Hidden, rawText, type SnapDoc, type SnapNode } from '../snapshot/capture/node.ts';
import { wordOf } from '../snapshot/print/print-node.ts';
import { fits } from './match.ts';
import type { RoleStep } from './steps.ts';

/** Those below the given elements, or anywhere in the document; by their backend node ids, in page order. */
export function byRole(doc: SnapDoc, step: RoleStep, scopes?: ReadonlySet<number>): number[] {
  const inside = new Set<SnapNode>();
  const found: number[] = [];
  for (const n of doc.nodes) {
    if (scopes) {
      if (!n.parent || !(inside.has(n.parent) || scopes.has(n.parent.id))) continue;
      inside.add(n);
    }
    if (n.type === ELEMENT && !n.pseudo && isMeant(n, step)) found.push(n.id);
  }
  return found;
}

/** What is behind a dialog, or inert, is there to be seen. */
const UNSEEN = ~(Hidden.modal | Hidden.inert);

function isMeant(n: SnapNode, { role, name, states, includeHidden }: RoleStep): boolean {
  if (roleOf(n) !== (RENAMED[role] ?? role) && wordOf(n, '') !== role) return false;
  if (!includeHidden && n.hidden & UNSEEN) return false;
  if (name && !fits(nameOf(n) || (n.hidden ? rawText(n) : ''), name)) return false;
  const has: Readonly<Record<string, unknown>> = { checked: false, pressed: false, ...statesOf(n) };
  return Object.entries(states).every(([state, wanted]) => has[state] === wanted);
}
