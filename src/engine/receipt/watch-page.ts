// Runs inside the page, in our own script world: notes what changes on the page, by itself and after an action.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type * as builtIn from '../inpage/built-in.ts';

/** Of our in-page functions in other files, those that are called here. */
export interface OtherFunctions {
  focused(): Element | null;
  nextFrame(): Promise<void>;
  nextTask(): Promise<void>;
  isInside(el: Element | null, outer: Element): boolean;
  flatParent(el: Element): Element | null;
  wordsIn(el: Element): string;
}

declare const tabwright: typeof builtIn & OtherFunctions;

interface Watcher {
  observer: MutationObserver;
  /** performance.now() of the beginning of the action; 0 between actions. */
  armed: number;
  /** Changes since then that are not the page's own habit. */
  kept: MutationRecord[];
  /** Of those, the ones that no event handler made at once. */
  lateOnes: Set<MutationRecord>;
  /** When the latest change came that no event handler made at once; 0 without any. */
  late: number;
  /** Input events whose handlers may still be running. */
  handling: number;
  hasInput: boolean;
  /** The input has started something that goes on after its handlers. */
  hasStarted: boolean;
  /** The element that got the latest input. */
  target: EventTarget | undefined;
  /** The next numbers of timers and animation frames before the page saw the input: all script worlds share the count. */
  timers: number;
  frames: number;
  focus: Element | null;
  /** What changes by itself: element, kind of change → the latest times. */
  habits: WeakMap<Node, Map<string, number[]>>;
  /** Came with such a change. */
  noise: WeakSet<Node>;
  /** The outermost elements that could not be seen before the action. */
  hidden: Set<Element> | undefined;
  /** The page has changed since that was noted. */
  isStale: boolean;
  roots: WeakSet<Node>;
  found: Element[];
  channel: MessageChannel;
  unsubscribe: () => void;
}

/** What the page has done since the action began. */
export interface Seen {
  /** Something may have changed: ask for it. */
  changed: boolean;
  waited: boolean;
}

/** The watcher of this document; it begins with our script world. */
export function watcher(): Watcher {
  const world = globalThis as unknown as { [key: symbol]: Watcher | undefined };
  const key = Symbol.for('watcher');
  const known = world[key];
  if (known) return known;
  const made: Watcher = {
    observer: new MutationObserver(records => note(records)),
    armed: 0,
    kept: [],
    lateOnes: new Set(),
    late: 0,
    handling: 0,
    hasInput: false,
    hasStarted: false,
    target: undefined,
    timers: 0,
    frames: 0,
    focus: null,
    habits: new WeakMap(),
    noise: new WeakSet(),
    hidden: undefined,
    isStale: true,
    roots: new WeakSet(),
    found: [],
    channel: new MessageChannel(),
    unsubscribe: () => undefined,
  };
  world[key] = made;
  // There and back twice: then the messages that handlers send to themselves, to go on in a task of their own, have come, too.
  made.channel.port1.onmessage = ({ data }: MessageEvent<number>) => {
    note(made.observer.takeRecords());
    if (data > 0) made.channel.port2.postMessage(data - 1);
    else made.handling--;
  };
  observe(document);
  return made;
}

export function observe(root: Node): void {
  const w = watcher();
  if (w.roots.has(root)) return;
  w.roots.add(root);
  w.observer.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: [
      ...['class', 'style', 'hidden', 'open', 'disabled', 'inert', 'popover', 'aria-hidden', 'aria-expanded'],
      ...['aria-invalid', 'aria-selected', 'aria-checked', 'aria-pressed', 'aria-current', 'aria-disabled'],
      ...['aria-valuenow', 'aria-valuetext', 'aria-label', 'aria-busy'],
    ],
  });
}

/** Before an action. */
export function armWatch(): void {
  const w = watcher();
  endWatch();
  if (w.isStale) noteHidden();
  w.kept = [];
  w.lateOnes.clear();
  w.late = 0;
  w.hasInput = w.hasStarted = false;
  w.target = undefined;
  w.noise = new WeakSet();
  w.focus = tabwright.focused();
  countFrom();
  const types = [
    ...['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'],
    ...['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'submit', 'focusin', 'focusout', 'drop'],
    ...['pointermove', 'mousemove', 'mouseover', 'pointerover', 'touchstart', 'touchend', 'dragstart', 'dragend'],
  ];
  const see = (event: Event) => {
    if (!event.isTrusted && !/^(input|change)$/.test(event.type)) return;
    if (!w.hasInput) countFrom();
    w.hasInput = true;
    w.target = event.composedPath()[0];
    w.handling++;
    w.channel.port2.postMessage(1);
  };
  for (const type of types) addEventListener(type, see, { capture: true, passive: true });
  w.unsubscribe = () => types.forEach(type => void removeEventListener(type, see, true));
  w.armed = performance.now();
}

export function endWatch(): void {
  const w = watcher();
  note(w.observer.takeRecords());
  w.unsubscribe();
  w.unsubscribe = () => undefined;
  w.armed = 0;
}

export function countFrom(): void {
  const w = watcher();
  w.timers = nextTimer();
  w.frames = nextFrameNumber();
}

/** Timers and frames of our own do not count as the page's. */
export function notOfPage({ timers = 0, frames = 0 }: { timers?: number; frames?: number }): void {
  const w = watcher();
  w.timers += timers;
  w.frames += frames;
}

export function nextTimer(): number {
  const id = window.setTimeout(() => undefined, 0);
  clearTimeout(id);
  return id;
}

export function nextFrameNumber(): number {
  const id = requestAnimationFrame(() => undefined);
  cancelAnimationFrame(id);
  return id;
}

export function note(records: MutationRecord[]): void {
  const w = watcher();
  const now = performance.now();
  for (const record of records) {
    const isHabit = w.armed > 0 && (isNoise(record.target) || isHabitual(record, w.handling > 0));
    if (w.armed > 0 && !isHabit) {
      if (w.kept.length < 2_000) w.kept.push(record);
      if (w.handling <= 0) {
        w.late = now;
        w.lateOnes.add(record);
      }
      continue;
    }
    if (isHabit) record.addedNodes.forEach(node => void w.noise.add(node));
    remember(record, now);
  }
}

export function isNoise(node: Node | null): boolean {
  const { noise } = watcher();
  for (let at = node, left = 50; at && left > 0; at = tabwright.property(at, 'parentNode'), left--)
    if (noise.has(at)) return true;
  return false;
}

/** Where it changed and how: text, an attribute, an element that came or went. */
export function habitOf(record: MutationRecord): { at: Node; kind: string } {
  if (record.type === 'attributes') return { at: record.target, kind: `@${record.attributeName}` };
  if (record.type === 'characterData') return { at: record.target.parentNode ?? record.target, kind: '#' };
  const [list, sign] = record.addedNodes.length > 0 ? [record.addedNodes, '+'] : [record.removedNodes, '-'];
  const first = [...list].find(node => node instanceof Element);
  return { at: record.target, kind: first ? `${sign}${shapeOf(first)}` : '#' };
}

export function shapeOf(el: Element): string {
  const [id, classes] = ['id', 'class'].map(name => tabwright.method(el, 'getAttribute', name) ?? '');
  return `${tabwright.property(el, 'localName')}#${id}.${classes}`;
}

export function remember(record: MutationRecord, now: number): void {
  // Until a page has loaded, everything comes by itself, and once.
  if (document.readyState !== 'complete') return;
  const { habits } = watcher();
  const { at, kind } = habitOf(record);
  const kinds = habits.get(at) ?? new Map<string, number[]>();
  const times = kinds.get(kind) ?? [];
  // What comes together counts once.
  if (now - (times.at(-1) ?? -100) < 50) return;
  if (kinds.size < 50 || kinds.has(kind)) kinds.set(kind, [...times, now].slice(-3));
  habits.set(at, kinds);
}

/** It has also happened by itself: in the last moment, or again and again; that counts less than what a handler does at once. */
export function isHabitual(record: MutationRecord, isHandler: boolean): boolean {
  const { at, kind } = habitOf(record);
  const now = performance.now();
  const kinds = watcher().habits.get(at);
  // Where such elements come by themselves, they also go.
  const known = [kind, ...(kind.startsWith('-') ? [`+${kind.slice(1)}`] : [])].flatMap(one => kinds?.get(one) ?? []);
  const times = known.filter(time => now - time < 60_000);
  const isRecent = times.some(time => now - time < 1_500);
  return isRecent || (!isHandler && times.length > 1);
}

export function canBeSeen(el: Element): boolean {
  if (tabwright.method(el, 'checkVisibility', { opacityProperty: true, visibilityProperty: true })) return true;
  return getComputedStyle(el).display === 'contents';
}

/** Goes through what can be seen, to the outermost elements that cannot; observes the open shadow roots on the way. */
export function noteHidden(): void {
  const w = watcher();
  const hidden = new Set<Element>();
  const open: Element[] = document.body ? [document.body] : [];
  for (let left = 20_000, el = open.pop(); el && left > 0; left--, el = open.pop()) {
    if (/^(script|style|link|template|select|svg)$/.test(tabwright.property(el, 'localName'))) continue;
    if (!canBeSeen(el) && el !== document.body) {
      if (hidden.size < 2_000) hidden.add(el);
      continue;
    }
    const root = tabwright.property(el, 'shadowRoot');
    if (root) observe(root);
    open.push(...(root?.children ?? []), ...tabwright.property(el, 'children'));
  }
  w.hidden = hidden;
  w.isStale = false;
}

/**
 * Waits until the page is still: at once when the input has started nothing, else until what it started is done, and no
 * longer than 300 ms from the beginning. What comes later than the handlers of the input is its doing only when it has
 * started something: a timer, a frame, a request.
 */
export async function settleWatch(hasRequests: boolean): Promise<Seen> {
  const w = watcher();
  note(w.observer.takeRecords());
  const hasTimers = nextTimer() > w.timers + 1;
  const hasFrames = nextFrameNumber() > w.frames + 1;
  w.hasStarted ||= hasTimers || hasFrames || hasRequests;
  if (!w.hasStarted) w.kept = w.kept.filter(record => !w.lateOnes.has(record));
  const isIdle = w.kept.length === 0 && !hasTimers && !hasFrames;
  if (!isIdle) {
    const until = Math.max(w.armed + 300, performance.now() + 50);
    const isMoving = (now: number) => (w.late > 0 ? now - w.late < 40 : hasTimers) || isUnderAnimation();
    do {
      await tabwright.nextFrame();
      note(w.observer.takeRecords());
    } while (performance.now() < until && isMoving(performance.now()));
    countFrom();
    if (!w.hasStarted) w.kept = w.kept.filter(record => !w.lateOnes.has(record));
  }
  const changed = w.kept.length > 0 || tabwright.focused() !== w.focus || hasAppeared();
  if (!changed && isIdle) endWatch();
  return { changed, waited: !isIdle };
}

/**
 * The action on the element has changed nothing and started nothing; that the focus is now there is no change. Asked together with what
 * else is asked after an action, so that the receipt of most costs no question of its own. What requests bring is not known here.
 */
export async function isQuiet(el: Element): Promise<boolean> {
  const w = watcher();
  if (w.armed === 0) return false;
  for (let left = 20; w.handling > 0 && left > 0; left--) await tabwright.nextTask();
  note(w.observer.takeRecords());
  const started = [nextTimer() > w.timers + 1, nextFrameNumber() > w.frames + 1];
  notOfPage({ timers: 1, frames: 1 });
  if (started.includes(true) || w.handling > 0 || w.kept.some(record => !w.lateOnes.has(record))) return false;
  const focus = tabwright.focused();
  const isOwn = focus === w.focus || !focus || tabwright.isInside(focus, el) || tabwright.isInside(el, focus);
  return isOwn && !hasAppeared();
}

/** An animation that began with the action, ends by itself, and moves or shows something. */
export function isUnderAnimation(): boolean {
  const since = performance.now() - watcher().armed + 20;
  return document.getAnimations().some(({ playState, startTime, timeline, effect }) => {
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || typeof startTime !== 'number') return false;
    if (Number(timeline?.currentTime ?? 0) - startTime > since || effect.getComputedTiming().iterations === Infinity)
      return false;
    const moves =
      /width|height|top|left|right|bottom|inset|margin|padding|transform|translate|scale|opacity|visibility|display/i;
    return effect.getKeyframes().some(frame => Object.keys(frame).some(name => moves.test(name)));
  });
}

/** Elements that could not be seen before and can be now, near what the action has changed or was done to. */
export function appeared(): Element[] {
  const w = watcher();
  const near = new Set<Node>();
  for (const { type, target } of w.kept)
    if (type === 'attributes') near.add(tabwright.property(target, 'parentNode') ?? target);
  let at = w.target instanceof Element ? w.target : null;
  for (let up = 0; at && up < 3; up++) at = tabwright.flatParent(at);
  if (at) near.add(at);
  if (near.size === 0) return [];
  return [...(w.hidden ?? [])].filter(
    el =>
      tabwright.property(el, 'isConnected') &&
      canBeSeen(el) &&
      [...near].some(node => tabwright.method(node, 'contains', el)),
  );
}

export function hasAppeared(): boolean {
  return watcher().hasInput && appeared().length > 0;
}
