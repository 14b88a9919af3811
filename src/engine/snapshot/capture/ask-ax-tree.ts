// The few nodes whose role, name or state the capture cannot know: Chrome's accessibility tree is asked about them.
import type { Protocol } from 'devtools-protocol';
import { isCheckable } from '../accessibility/controls.ts';
import { hitOf } from '../accessibility/interactive.ts';
import { CONCRETE } from '../accessibility/role-data.ts';
import { ELEMENT, Hidden, type Page, type SnapNode } from './node.ts';
import { squash } from './node-text.ts';

/** Each question costs about a millisecond. */
const MAX_ASKED = 50;

/** Custom elements first (ElementInternals), then labels set by script, then checkboxes that may be mixed. */
export function toAsk(page: Page): SnapNode[] {
  const asked: [SnapNode[], SnapNode[], SnapNode[]] = [[], [], []];
  for (const doc of page.docs) {
    for (const n of doc.nodes) {
      const rank = rankOf(n);
      if (rank !== undefined) asked[rank].push(n);
    }
  }
  return asked.flat().slice(0, MAX_ASKED);
}

function rankOf(n: SnapNode): 0 | 1 | 2 | undefined {
  if (n.type !== ELEMENT || n.hidden & ~Hidden.aria) return undefined;
  if (isCustom(n) && !n.attrs.role && hitOf(n)) return 0;
  if (n.attrs['aria-labelledby'] === '') return 1;
  return isCheckable(n) && n.attrs.type !== 'radio' ? 2 : undefined;
}

const isCustom = (n: SnapNode): boolean => n.html && n.tag.includes('-');

/** Puts Chrome's answer on the node. Call before roles and names are used. */
export function answer(n: SnapNode, ax: Protocol.Accessibility.AXNode): void {
  if (ax.ignored) return;
  const role = roleIn(ax);
  if (role && isCustom(n)) n.role = role;
  if (typeof ax.name?.value === 'string') n.name = squash(ax.name.value);
  const checked = ax.properties?.find(property => property.name === 'checked')?.value.value;
  if (checked !== undefined) n.checked = checked === 'mixed' ? 'mixed' : checked === 'true' || checked === true;
}

/** Chrome's answers are ARIA names but for roles of its own, which custom elements do not have. */
function roleIn(ax: Protocol.Accessibility.AXNode): string | undefined {
  const role = ax.role?.value === 'img' ? 'image' : ax.role?.value;
  return typeof role === 'string' && role !== 'generic' && CONCRETE.has(role) ? role : undefined;
}
