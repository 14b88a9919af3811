// Runs inside the page, in our own script world: the guard that swallows a press which would land on something else.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

/** What look.ts gives. */
interface Looks {
  countsAs(hit: Element, el: Element): boolean;
  describe(el: Element): string;
}

/** The guard of the press that is under way; kept in our world between arm() and disarm(). */
export interface Guard {
  landed?: boolean;
  /** The button was let go elsewhere, because the element moved away. */
  slipped: boolean;
  by: string;
  off: () => void;
  /** How often the button was let go, and who waits for how many times. */
  ups: number;
  wanted?: number;
  ended?: () => void;
}

export interface Landing {
  /** Null when no event arrived. */
  landed: boolean | null;
  by: string;
}

/** Before the press: an event that would land elsewhere is swallowed, so that nothing else is hit. */
export function arm(el: Element): void {
  disarm();
  const ours = (globalThis as unknown as { tabwright: Looks }).tabwright;
  const presses = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
  const root = el.getRootNode();
  const place: EventTarget = root instanceof ShadowRoot && root.mode === 'closed' ? root : window;
  const start = el.getBoundingClientRect();
  const guard: Guard = {
    slipped: false,
    by: '',
    ups: 0,
    off: () => presses.forEach(type => void place.removeEventListener(type, check, true)),
  };
  function check(event: Event): void {
    if (!event.isTrusted) return;
    const path = event.composedPath().filter(item => item instanceof Element);
    const isHit = path.some(item => ours.countsAs(item, el));
    guard.landed ??= isHit;
    if (!isHit && path[0]) guard.by = ours.describe(path[0]);
    const box = el.getBoundingClientRect();
    const hasMoved = Math.abs(box.left - start.left) > 2 || Math.abs(box.top - start.top) > 2;
    if (event.type === 'mouseup') {
      if (!isHit && hasMoved && el.isConnected) guard.slipped = true;
      if (++guard.ups >= (guard.wanted ?? Number.POSITIVE_INFINITY)) guard.ended?.();
    }
    if (guard.landed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  for (const type of presses) place.addEventListener(type, check, true);
  (globalThis as { guard?: Guard | undefined }).guard = guard;
}

/** Asked together with the press: where it landed, as soon as the page has dealt with it. */
export function pressed(_el: Element, count: number): Promise<Landing> {
  const { guard } = globalThis as { guard?: Guard | undefined };
  return new Promise(resolve => {
    if (!guard) return resolve(disarm());
    // The click follows in this task, and what it rejects without a handler is reported in a task of its own. The first
    // message is queued before that one, at the mouseup; the second, sent when the click is over, comes after it.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.onmessage = () => resolve(disarm());
      port2.postMessage(0);
    };
    guard.wanted = count;
    guard.ended = () => port2.postMessage(0);
    if (guard.ups >= count) guard.ended();
  });
}

/** The guard comes down. */
export function disarm(): Landing {
  const world = globalThis as { guard?: Guard | undefined };
  const guard = world.guard;
  guard?.off();
  world.guard = undefined;
  return { landed: guard?.slipped ? false : (guard?.landed ?? null), by: guard?.by ?? '' };
}
