// Where the elements behind refs are now, in CSS pixels of the viewport.
import type { Rect } from '../geometry.ts';
import { tryFor, unlimited } from '../limits.ts';
import type { Tab } from '../tab/tab.ts';

const MOST = 500;
const BOXES_MS = 2_000;

/** Of those refs that the page of the tab itself still shows; elements in frames of other processes are left out. */
export async function boxesOf(tab: Tab, numbers: readonly number[]): Promise<Map<number, Rect>> {
  const boxes = new Map<number, Rect>();
  if (tab.gone || tab.isUnattached || tab.dialog) return boxes;
  const { main } = tab;
  const look = async (number: number): Promise<void> => {
    const ref = tab.refs.get(number);
    if (!ref || ref.session !== main.key || main.loaders.get(ref.frame) !== ref.loader) return;
    const found = await main.send('DOM.getBoxModel', { backendNodeId: ref.id }).catch(() => undefined); // it has no box
    const [x = 0, y = 0, , , right = 0, bottom = 0] = found?.model.border ?? [];
    if (found) boxes.set(number, { x, y, width: right - x, height: bottom - y });
  };
  await tryFor(unlimited(), BOXES_MS, () => Promise.all(numbers.slice(0, MOST).map(look)));
  return boxes;
}
