// Runs inside the page, in our own script world: the guard that stops a press which would hit another element.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

interface Guard {
  /** The first event hit the element. */
  landed?: boolean;
  /** The button was released elsewhere, because the element moved away. */
  slipped: boolean;
  /** The element that was hit instead. */
  by: string;
  unsubscribe: () => void;
  /** How often the button was released; `ended` is called when that happened `wanted` times. */
  releases: number;
  wanted?: number;
  ended?: () => void;
}

/** Holds the guard between arm() and disarm(). Under a symbol: a page can give elements the name of any global variable. */
interface World {
  [key: symbol]: Guard | undefined;
}

export interface Landing {
  /** Null when no event arrived. */
  landed: boolean | null;
  by: string;
  /** The element's fingerprint when the page has handled the press. */
  mark?: string;
  /** It has changed nothing on the page. */
  quiet?: boolean;
}

/** Where all events on the element pass first: what is in a closed shadow root is not seen from outside. */
export function listensFor(el: Element): EventTarget {
  const root = tabwright.rootOf(el);
  return root instanceof ShadowRoot && root.mode === 'closed' ? root : window;
}

export function hits(event: Event, el: Element): boolean {
  return event.composedPath().some(item => item instanceof Element && tabwright.countsAs(item, el));
}

/** Called together with a movement of the mouse: whether that arrives on the element, within some frames. */
export function pointerArrives(el: Element): Promise<boolean> {
  return new Promise(resolve => {
    const target = listensFor(el);
    const end = (isThere: boolean) => {
      clearTimeout(timer);
      target.removeEventListener('mousemove', see, true);
      resolve(isThere);
    };
    const see = (event: Event) => {
      if (event.isTrusted && hits(event, el)) end(true);
    };
    const timer = setTimeout(() => end(false), 100);
    target.addEventListener('mousemove', see, true);
  });
}

/** Before the press: stops events that would hit another element. */
export function arm(el: Element): void {
  disarm();
  const presses = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
  const target = listensFor(el);
  const start = tabwright.rectOf(el);
  const guard: Guard = {
    slipped: false,
    by: '',
    releases: 0,
    unsubscribe: () => presses.forEach(type => void target.removeEventListener(type, check, true)),
  };
  function check(event: Event): void {
    if (!event.isTrusted) return;
    const path = event.composedPath().filter(item => item instanceof Element);
    const isHit = hits(event, el);
    guard.landed ??= isHit;
    if (!isHit && path[0]) guard.by = tabwright.describe(path[0]);
    const box = tabwright.rectOf(el);
    const hasMoved = Math.abs(box.left - start.left) > 2 || Math.abs(box.top - start.top) > 2;
    if (event.type === 'mouseup') {
      if (!isHit && hasMoved && tabwright.property(el, 'isConnected')) guard.slipped = true;
      if (++guard.releases >= (guard.wanted ?? Number.POSITIVE_INFINITY)) guard.ended?.();
    }
    if (guard.landed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  for (const type of presses) target.addEventListener(type, check, true);
  (globalThis as unknown as World)[Symbol.for('guard')] = guard;
}

/** Called together with the press: says where it landed as soon as the page has handled it. */
export function pressed(el: Element, count: number): Promise<Landing> {
  const guard = (globalThis as unknown as World)[Symbol.for('guard')];
  return new Promise(resolve => {
    if (!guard) return resolve(disarm());
    // The click follows in this task, and what it rejects without a handler is reported in a task of its own. The first
    // message is queued before that one, at the mouseup; the second, sent when the click is over, comes after it.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.onmessage = async () => {
        const landing = disarm();
        const quiet = await tabwright.isQuiet(el);
        resolve({ ...landing, quiet, mark: tabwright.elementFingerprint(el) });
      };
      port2.postMessage(0);
    };
    guard.wanted = count;
    guard.ended = () => port2.postMessage(0);
    if (guard.releases >= count) guard.ended();
  });
}

/** Removes the guard, and says where the press landed. */
export function disarm(): Landing {
  const world = globalThis as unknown as World;
  const guard = world[Symbol.for('guard')];
  guard?.unsubscribe();
  world[Symbol.for('guard')] = undefined;
  return { landed: guard?.slipped ? false : (guard?.landed ?? null), by: guard?.by ?? '' };
}
