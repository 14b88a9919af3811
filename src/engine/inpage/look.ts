// Runs inside the page, in our own script world: whether an element is ready for an action, and the point to act on.
// Self-contained: these functions are sent as text, so they use nothing but each other and the DOM.

import type { Point, Rect } from '../geometry.ts';
import type { InPage } from './source.ts';

export interface Wants {
  /** Find a point to act on that nothing covers. */
  point?: boolean;
  enabled?: boolean;
  editable?: boolean;
  /** Act even if hidden, disabled or covered. */
  force?: boolean;
  /** Install the press guard: a press follows at once. */
  arm?: boolean;
  /** Also give the element's fingerprint, to compare with that of the caller's snapshot. */
  mark?: boolean;
  /** The point is this one, from the top left corner of the element. */
  at?: Point;
  /** Wait for this many frames first, and check whether the element moves. */
  frames?: number;
}

export type Trouble =
  | 'gone'
  | 'hidden'
  | 'disabled'
  | 'readonly'
  | 'uneditable'
  | 'covered'
  | 'outside'
  | 'boxless'
  | 'moving'
  | 'inert';

export interface Look {
  trouble?: Trouble;
  /** The element that covers this one; else this one. */
  by?: string;
  x: number;
  y: number;
  left: number;
  top: number;
  /** An animation may be moving it: look again after a frame. */
  animated?: boolean;
  mark?: string;
  /** The element is in a download link: its click starts a download without a navigation. */
  saves?: boolean;
}

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

/** `<button#save.primary> "Save"`: how an element is named in an error. */
export function describe(el: Element): string {
  const [id, classes, label] = ['id', 'class', 'aria-label'].map(name => tabwright.method(el, 'getAttribute', name));
  // Any text can stand there.
  const part = (sign: string, name = '') => (/^[^\s"<>]{1,60}$/.test(name) ? sign + name : '');
  const tag = tabwright.property(el, 'localName');
  // All words of a page say nothing about it.
  const text = (label ?? (/^(html|body)$/.test(tag) ? '' : wordsIn(el))).replace(/\s+/g, ' ').trim();
  const words = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  return `<${tag}${part('#', id ?? '')}${part('.', (classes ?? '').trim().split(/\s+/)[0])}>${words ? ` ${JSON.stringify(words)}` : ''}`;
}

/** The first words of the element's text, without its scripts. */
export function wordsIn(el: Element): string {
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let node = walker.nextNode(); node && text.trim().length <= 40; node = walker.nextNode())
    if (!/^(script|style|noscript|template)$/.test(node.parentElement?.localName ?? '')) text += node.nodeValue;
  return text;
}

/** The parent in the tree that is painted: through slots and out of shadow roots. */
export function flatParent(el: Element): Element | null {
  const parent = tabwright.property(el, 'assignedSlot') ?? tabwright.property(el, 'parentElement');
  if (parent) return parent;
  const root = rootOf(el);
  return root instanceof ShadowRoot ? root.host : null;
}

export function rootOf(el: Element): Node {
  return tabwright.method(el, 'getRootNode');
}

export function isInside(el: Element | null, outer: Element): boolean {
  for (let at = el; at; at = flatParent(at)) if (at === outer) return true;
  return false;
}

/** A click on `hit` counts as a click on the element: it is inside it, in its label or what is drawn for it, or its image map. */
export function countsAs(hit: Element, el: Element): boolean {
  if (isInside(hit, el)) return true;
  const drawn = drawnFor(el);
  if (drawn && isInside(hit, drawn)) return true;
  for (let at: Element | null = hit; at; at = flatParent(at))
    if (at instanceof HTMLLabelElement && at.control === el) return true;
  return (
    el instanceof HTMLAreaElement && hit instanceof HTMLImageElement && hit.useMap === `#${el.closest('map')?.name}`
  );
}

/** The element that a click at the point would hit instead of this one; null when it hits this one. */
export function onTop(el: Element, x: number, y: number): Element | null {
  const roots = new Map<Element, ShadowRoot>();
  const rootIn = (host: Element) => roots.get(host) ?? tabwright.property(host, 'shadowRoot');
  for (let root = rootOf(el); root instanceof ShadowRoot; root = rootOf(root.host)) roots.set(root.host, root);
  let hit = document.elementFromPoint(x, y);
  for (let root = hit && rootIn(hit); hit && root; root = rootIn(hit)) {
    // Text slotted into a shadow root is found as the host: step over it to what the text lies on.
    const host: Element = hit;
    const inner: Element | undefined = root
      .elementsFromPoint(x, y)
      .find(other => other !== host && rootOf(other) === root);
    if (!inner || !isInside(inner, host)) break;
    hit = inner;
  }
  return hit && countsAs(hit, el) ? null : (hit ?? document.documentElement);
}

/** What is shown in place of a radio button, checkbox or field that pages hide to draw their own: a click on it is a click on the element. */
export function standInsFor(el: Element): Element[] {
  const isChoice = el instanceof HTMLInputElement && /^(radio|checkbox)$/.test(el.type);
  const labels = isChoice ? [...(el.labels ?? [])].filter(label => !isHidden(label)) : [];
  const drawn = drawnFor(el);
  return drawn ? [...labels, drawn] : labels;
}

/**
 * For a layer, the whole drawing; for an editor's field, the editor that draws its text beside it. For a radio button or checkbox that cannot be seen and has no label, what is around
 * it: the nearest element with a size that holds no other control.
 */
export function drawnFor(el: Element): Element | null {
  // A canvas of Konva is one of several layers.
  if (el instanceof HTMLCanvasElement) return tabwright.method(el, 'closest', '.konvajs-content');
  // Of Monaco, CodeMirror 5 and Ace.
  if (tabwright.method(el, 'matches', '.inputarea, .native-edit-context, .CodeMirror textarea, .ace_text-input'))
    return tabwright.method(el, 'closest', '.monaco-editor, .CodeMirror, .ace_editor');
  if (!(el instanceof HTMLInputElement) || !/^(radio|checkbox)$/.test(el.type) || el.labels?.length) return null;
  const isSmall = (at: Element, least: number): boolean => Math.min(rectOf(at).width, rectOf(at).height) < least;
  if (!isSmall(el, 3) && getComputedStyle(el).opacity !== '0') return null;
  for (let at = flatParent(el), up = 0; at && up < 3; at = flatParent(at), up++) {
    if (at.querySelectorAll('input, button, select, textarea, a[href]').length > 1) return null;
    if (!isSmall(at, 8)) return at;
  }
  return null;
}

/** Places to try: the middle of each line box, then other spots of the whole box, and the line of a shape. */
export function points(el: Element): Point[] {
  const list: Point[] = [];
  const boxes = boxesOf(el);
  for (const box of boxes) list.push({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
  if (el instanceof SVGGeometryElement) {
    const length = el.getTotalLength();
    const matrix = el.getScreenCTM();
    if (matrix && length > 0)
      for (const part of [0.5, 0.25, 0.75]) list.push(el.getPointAtLength(length * part).matrixTransform(matrix));
  }
  const box = boxes[0];
  if (box)
    for (const [across, down] of [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.25, 0.75],
      [0.75, 0.75],
      [0.5, 0.15],
      [0.5, 0.85],
      [0.1, 0.5],
      [0.9, 0.5],
    ] as const)
      list.push({ x: box.left + box.width * across, y: box.top + box.height * down });
  if (el instanceof HTMLAreaElement) list.push(...areaPoints(el));
  return list;
}

export function areaPoints(area: HTMLAreaElement): Point[] {
  const name = area.closest('map')?.name ?? '';
  const image = [...document.images].find(img => img.useMap === `#${name}`);
  if (!image) return [];
  const box = image.getBoundingClientRect();
  const numbers = area.coords.split(',').map(Number);
  const xs = numbers.filter((_, at) => at % 2 === 0);
  const ys = numbers.filter((_, at) => at % 2 === 1);
  const middle = area.shape === 'circle' ? [numbers[0]!, numbers[1]!] : [mean(xs), mean(ys)];
  return [{ x: box.left + middle[0]!, y: box.top + middle[1]! }];
}

export function mean(values: number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2;
}

/** Why the element cannot be typed into, if so. */
export function uneditable(el: Element): Trouble | undefined {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return el.readOnly ? 'readonly' : undefined;
  if (el instanceof HTMLSelectElement) return undefined;
  if (tabwright.method(el, 'getAttribute', 'aria-readonly') === 'true') return 'readonly';
  return el instanceof HTMLElement && tabwright.property(el, 'isContentEditable') ? undefined : 'uneditable';
}

export function isDisabled(el: Element): boolean {
  return tabwright.method(el, 'matches', ':disabled') || isWithin(el, '[aria-disabled="true"]');
}

export function isWithin(el: Element, selector: string): boolean {
  return tabwright.method(el, 'closest', selector) !== null;
}

export function isHidden(el: Element): boolean {
  if (el instanceof HTMLAreaElement || el instanceof HTMLOptionElement) return false;
  if (getComputedStyle(el).display !== 'contents' && !isRendered(el)) return true;
  return boxesOf(el).length === 0;
}

export function isRendered(el: Element): boolean {
  return tabwright.method(el, 'checkVisibility', { visibilityProperty: true });
}

export function rectOf(el: Element): DOMRect {
  return tabwright.method(el, 'getBoundingClientRect');
}

/** The element's line boxes; of one without a size of its own (a link around a floating picture), those of its children. */
export function boxesOf(el: Element, depth = 3): DOMRect[] {
  const own = [...tabwright.method(el, 'getClientRects')].filter(box => box.width > 0 && box.height > 0);
  if (own.length > 0 || depth === 0) return own.slice(0, 5);
  return [...tabwright.property(el, 'children')]
    .slice(0, 10)
    .flatMap(child => boxesOf(child, depth - 1))
    .slice(0, 5);
}

export function isInView(point: Point): boolean {
  return point.x >= 0 && point.y >= 0 && point.x < innerWidth && point.y < innerHeight;
}

export function nextFrame(): Promise<void> {
  tabwright.notOfPage({ timers: 1, frames: 1 });
  return new Promise(resolve => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export function isAnimated(el: Element): boolean {
  return document.getAnimations().some(animation => {
    const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
    return animation.playState === 'running' && target !== null && isInside(el, target);
  });
}

/** Checks once whether the element is there, visible, enabled, in view and uncovered. */
export async function look(el: Element, wants: Wants): Promise<Look> {
  const seen = await lookOnce(el, wants);
  if (wants.arm && !seen.trouble && !seen.animated) {
    tabwright.arm(el);
    if (isWithin(el, 'a[download]')) seen.saves = true;
  }
  return wants.mark ? { ...seen, mark: tabwright.elementFingerprint(el) } : seen;
}

export async function lookOnce(el: Element, wants: Wants): Promise<Look> {
  const before = rectOf(el);
  for (let left = wants.frames ?? 0; left > 0; left--) await nextFrame();
  const box = rectOf(el);
  const at = { x: 0, y: 0, left: box.left, top: box.top };
  if (!tabwright.property(el, 'isConnected') || !tabwright.property(el, 'ownerDocument').defaultView)
    return { ...at, trouble: 'gone' };
  const trouble = wants.force ? undefined : stateTrouble(el, wants);
  if (trouble) return { ...at, trouble, by: describe(el) };
  if (wants.frames && (Math.abs(before.left - box.left) > 0.5 || Math.abs(before.top - box.top) > 0.5))
    return { ...at, trouble: 'moving' };
  if (!wants.point) return at;
  return {
    ...pointOf(el, wants.force === true, wants.at),
    ...(isAnimated(el) && !wants.frames ? { animated: true } : {}),
  };
}

/** Why the element's state does not allow the action. */
export function stateTrouble(el: Element, wants: Wants): Trouble | undefined {
  if (isHidden(el) && !(wants.point && standInsFor(el).length > 0)) return 'hidden';
  if (isWithin(el, '[inert]')) return 'inert';
  if (wants.enabled && isDisabled(el)) return 'disabled';
  return wants.editable ? uneditable(el) : undefined;
}

/** A point of the element that a click would reach, scrolling it into view if need be. */
export function pointOf(el: Element, force: boolean, at?: Point): Look {
  let by: Element | null = null;
  let outside = true;
  for (const block of [undefined, 'center', 'end', 'start'] as const) {
    if (block) tabwright.method(el, 'scrollIntoView', { block, inline: 'nearest', behavior: 'instant' });
    const { left, top: above } = rectOf(el);
    const places = at ? [{ x: left + at.x, y: above + at.y }] : [el, ...standInsFor(el)].flatMap(points);
    const inView = places.filter(isInView);
    outside &&= inView.length === 0;
    for (const point of inView) {
      const top = force ? null : onTop(el, point.x, point.y);
      const box = rectOf(el);
      if (top === null) return { x: point.x, y: point.y, left: box.left, top: box.top };
      by ??= top;
    }
  }
  const box = rectOf(el);
  return {
    x: 0,
    y: 0,
    left: box.left,
    top: box.top,
    trouble: outside ? (tabwright.method(el, 'getClientRects').length === 0 ? 'boxless' : 'outside') : 'covered',
    by: by ? describe(by) : '',
  };
}

/** Some point of the element is in view and uncovered, without scrolling. */
export function isUncovered(el: Element): boolean {
  return points(el).some(point => isInView(point) && onTop(el, point.x, point.y) === null);
}

/** The element's box in its own viewport, after bringing it into view. */
export function boxOf(el: Element): Rect {
  tabwright.method(el, 'scrollIntoView', { block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const { x, y, width, height } = rectOf(el);
  return { x, y, width, height };
}

/** Text, attributes and bounds of an element, for query. */
export function facts(el: Element): {
  text: string;
  attributes: Record<string, string>;
  bounds: Rect;
} {
  const { x, y, width, height } = rectOf(el);
  const text = ((el instanceof HTMLElement ? tabwright.property(el, 'innerText') : el.textContent) ?? '').trim();
  const isSecret = el instanceof HTMLInputElement && el.type === 'password';
  const attributes = Object.fromEntries(
    [...tabwright.property(el, 'attributes')].map(({ name, value }) => [
      name,
      isSecret && name === 'value' ? '••••' : value,
    ]),
  );
  const round = Math.round;
  return {
    text: text.slice(0, 5_000),
    attributes,
    bounds: { x: round(x), y: round(y), width: round(width), height: round(height) },
  };
}
