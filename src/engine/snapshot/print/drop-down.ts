// The options of a drop-down list, as lines of a snapshot.
import { isListbox, optionsOf } from '../accessibility/controls.ts';
import type { SnapNode } from '../capture/node.ts';
import { PrintNode } from './print-node.ts';

/** More options are counted, not listed. */
const MOST_OPTIONS = 100;

const isDropDown = (n: SnapNode): boolean => n.tag === 'select' && n.html && !isListbox(n);

/** How many there are, when they are not listed. */
export const optionCount = (n: SnapNode): number | undefined => {
  const count = isDropDown(n) ? optionsOf(n).length : 0;
  return count > MOST_OPTIONS ? count : undefined;
};

/** The options of a drop-down, a line each. */
export function optionLines({ control, node }: PrintNode): PrintNode[] {
  const n = control ?? node;
  const options = isDropDown(n) ? optionsOf(n) : [];
  if (options.length > MOST_OPTIONS) return [];
  return options.map(option => Object.assign(new PrintNode(option, 'hit', 'option'), { ref: true }));
}
