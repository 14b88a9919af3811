// Runs inside the page, in our own script world: facts about the page as a whole.
// Self-contained: these functions are sent as text, so they use nothing but each other and the DOM.

import type { Size } from '../geometry.ts';
import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

export function viewport(): Size {
  return { width: innerWidth, height: innerHeight };
}

/** The element that has the focus, also in a shadow root or in a frame of the same origin; null when it is the page itself. */
export function focused(): Element | null {
  let at = document.activeElement;
  for (let next = at && focusedInside(at); next; next = focusedInside(next)) at = next;
  return at && /^(body|html)$/.test(tabwright.property(at, 'localName')) ? null : at;
}

export function focusedInside(el: Element): Element | null {
  const inner = tabwright.property(el, 'shadowRoot') ?? (el instanceof HTMLIFrameElement ? el.contentDocument : null);
  return inner?.activeElement ?? null;
}

/** Some checkbox is mixed, or may be: those in shadow roots are not looked at. */
export function mayBeMixed(): boolean {
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  return (
    all('input[type=checkbox]:indeterminate').length > 0 ||
    all('*').some(el => tabwright.property(el, 'shadowRoot') !== null)
  );
}

/** Resolves in a task of its own. Not by a timer: those of a tab in the background are slowed down. */
export function nextTask(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(0);
  });
}
