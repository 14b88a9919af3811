// Runs inside the page, in our own script world: hides an element from pictures without touching the document.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

/** What is hidden now, under the ids by which it is shown again. */
interface World {
  [key: symbol]: Map<string, Animation> | undefined;
}

/** Of an element all, of a text its letters. An animation changes no attribute: pages do not notice, and the focus stays. */
export function conceal(node: Node, id: string): void {
  const el = concealedBy(node);
  if (!el) return;
  const isAlone = el === node || tabwright.property(el, 'childElementCount') === 0;
  const letters = { color: 'transparent', WebkitTextFillColor: 'transparent', textShadow: 'none' };
  const frame = isAlone ? { opacity: 0, ...letters } : letters;
  const animation = Element.prototype.animate.call(el, [frame, frame], { duration: 1e9, fill: 'both' });
  concealed().set(id, animation);
}

/** Also where the text has been replaced meanwhile. */
export function reveal(ids: readonly string[]): void {
  for (const id of ids) {
    concealed().get(id)?.cancel();
    concealed().delete(id);
  }
}

/** Under a symbol: a page can give elements the name of any global variable. */
export function concealed(): Map<string, Animation> {
  const key = Symbol.for('tabwright.concealed');
  const world = globalThis as unknown as World;
  const known = world[key] ?? new Map<string, Animation>();
  world[key] = known;
  return known;
}

/** A text right inside a shadow root is shown by its host; one that is in no document is not shown. */
export function concealedBy(node: Node): Element | null {
  if (node.nodeType !== Node.TEXT_NODE) return node as Element;
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
