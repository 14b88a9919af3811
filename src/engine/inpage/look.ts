// Runs inside the page, in our own script world: one look at an element before an action, and the guard during it.
// Self-contained: these functions are sent as text, so they use nothing but each other and the DOM.

export interface Wants {
  /** A point to act on, with nothing on top. */
  point?: boolean;
  enabled?: boolean;
  editable?: boolean;
  /** Act even if hidden, disabled or covered. */
  force?: boolean;
  /** Put up the guard for the press that follows at once. */
  arm?: boolean;
  /** Also tell what the element says, to compare with what the caller was told. */
  mark?: boolean;
  /** Wait for this many frames first, and see whether the element stands still. */
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
  | 'moving'
  | 'inert';

export interface Look {
  trouble?: Trouble;
  /** What is in the way, or which kind of element it is. */
  by?: string;
  x: number;
  y: number;
  left: number;
  top: number;
  /** An animation may be moving it: look again after a frame. */
  animated?: boolean;
  mark?: string;
  /** A link whose click saves a file: no navigation announces that. */
  saves?: boolean;
}

/** What our other in-page files give. */
export interface InstalledFunctions {
  elementFingerprint(el: Element): string;
  arm(el: Element): void;
}

/** `<button#save.primary> "Save"`: how an element is named in an error. */
export function describe(el: Element): string {
  const id = el.id ? `#${el.id}` : '';
  const first = typeof el.className === 'string' ? el.className.trim().split(/\s+/)[0] : '';
  const text = (el.getAttribute('aria-label') ?? el.textContent ?? '').replace(/\s+/g, ' ').trim();
  const words = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  return `<${el.localName}${id}${first ? `.${first}` : ''}>${words ? ` "${words}"` : ''}`;
}

/** The parent in the tree that is painted: through slots and out of shadow roots. */
export function flatParent(el: Element): Element | null {
  if (el.assignedSlot) return el.assignedSlot;
  if (el.parentElement) return el.parentElement;
  const root = el.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

export function isInside(el: Element | null, outer: Element): boolean {
  for (let at = el; at; at = flatParent(at)) if (at === outer) return true;
  return false;
}

/** A click there counts as a click on the element: it is in it, or in its label. */
export function countsAs(hit: Element, el: Element): boolean {
  if (isInside(hit, el)) return true;
  for (let at: Element | null = hit; at; at = flatParent(at))
    if (at instanceof HTMLLabelElement && at.control === el) return true;
  return (
    el instanceof HTMLAreaElement && hit instanceof HTMLImageElement && hit.useMap === `#${el.closest('map')?.name}`
  );
}

/** What a click at the point would hit instead of the element; null when it hits the element. */
export function onTop(el: Element, x: number, y: number): Element | null {
  const roots = new Map<Element, ShadowRoot>();
  for (let root = el.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    roots.set(root.host, root);
  let hit = document.elementFromPoint(x, y);
  for (let root = hit && (roots.get(hit) ?? hit.shadowRoot); hit && root; root = roots.get(hit) ?? hit.shadowRoot) {
    // Text slotted into a shadow root is found as the host: step over it to what the text lies on.
    const host: Element = hit;
    const inner: Element | undefined = root
      .elementsFromPoint(x, y)
      .find(other => other !== host && other.getRootNode() === root);
    if (!inner || !isInside(inner, host)) break;
    hit = inner;
  }
  return hit && countsAs(hit, el) ? null : (hit ?? document.documentElement);
}

/** Places to try: the middle of each line box, then other spots of the whole box, and the line of a shape. */
export function points(el: Element): { x: number; y: number }[] {
  const list: { x: number; y: number }[] = [];
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

export function areaPoints(area: HTMLAreaElement): { x: number; y: number }[] {
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
  if (el.getAttribute('aria-readonly') === 'true') return 'readonly';
  return el instanceof HTMLElement && el.isContentEditable ? undefined : 'uneditable';
}

export function isDisabled(el: Element): boolean {
  return el.matches(':disabled') || el.closest('[aria-disabled="true"]') !== null;
}

export function isHidden(el: Element): boolean {
  if (el instanceof HTMLAreaElement || el instanceof HTMLOptionElement) return false;
  if (getComputedStyle(el).display !== 'contents' && !el.checkVisibility({ visibilityProperty: true })) return true;
  return boxesOf(el).length === 0;
}

/** The element's line boxes; of one without a size of its own (a link around a floating picture), those of its children. */
export function boxesOf(el: Element, depth = 3): DOMRect[] {
  const own = [...el.getClientRects()].filter(box => box.width > 0 && box.height > 0);
  if (own.length > 0 || depth === 0) return own.slice(0, 5);
  return [...el.children]
    .slice(0, 10)
    .flatMap(child => boxesOf(child, depth - 1))
    .slice(0, 5);
}

export function isInView(point: { x: number; y: number }): boolean {
  return point.x >= 0 && point.y >= 0 && point.x < innerWidth && point.y < innerHeight;
}

export function nextFrame(): Promise<void> {
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

/** One look: is it there, visible, enabled, in view, and what is on top of it? */
export async function look(el: Element, wants: Wants): Promise<Look> {
  const ours = (globalThis as unknown as { tabwright: InstalledFunctions }).tabwright;
  const seen = await lookOnce(el, wants);
  if (wants.arm && !seen.trouble && !seen.animated) {
    ours.arm(el);
    if (el.closest('a[download]')) seen.saves = true;
  }
  return wants.mark ? { ...seen, mark: ours.elementFingerprint(el) } : seen;
}

export async function lookOnce(el: Element, wants: Wants): Promise<Look> {
  const before = el.getBoundingClientRect();
  for (let left = wants.frames ?? 0; left > 0; left--) await nextFrame();
  const box = el.getBoundingClientRect();
  const at = { x: 0, y: 0, left: box.left, top: box.top };
  if (!el.isConnected || !el.ownerDocument.defaultView) return { ...at, trouble: 'gone' };
  const trouble = wants.force ? undefined : standing(el, wants);
  if (trouble) return { ...at, trouble, by: describe(el) };
  if (wants.frames && (Math.abs(before.left - box.left) > 0.5 || Math.abs(before.top - box.top) > 0.5))
    return { ...at, trouble: 'moving' };
  if (!wants.point) return at;
  return { ...aim(el, wants.force === true), ...(isAnimated(el) && !wants.frames ? { animated: true } : {}) };
}

export function standing(el: Element, wants: Wants): Trouble | undefined {
  if (isHidden(el)) return 'hidden';
  if (el.closest('[inert]')) return 'inert';
  if (wants.enabled && isDisabled(el)) return 'disabled';
  return wants.editable ? uneditable(el) : undefined;
}

/** A point of the element that a click would reach, scrolling it into view if need be. */
export function aim(el: Element, force: boolean): Look {
  let by: Element | null = null;
  let outside = true;
  for (const block of [undefined, 'center', 'end', 'start'] as const) {
    if (block) el.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    const inView = points(el).filter(isInView);
    outside &&= inView.length === 0;
    for (const point of inView) {
      const top = force ? null : onTop(el, point.x, point.y);
      const box = el.getBoundingClientRect();
      if (top === null) return { x: point.x, y: point.y, left: box.left, top: box.top };
      by ??= top;
    }
  }
  const box = el.getBoundingClientRect();
  return {
    x: 0,
    y: 0,
    left: box.left,
    top: box.top,
    trouble: outside ? 'outside' : 'covered',
    by: by ? describe(by) : '',
  };
}

/** Some of it is in view with nothing on top, as the page stands. */
export function isUncovered(el: Element): boolean {
  return points(el).some(point => isInView(point) && onTop(el, point.x, point.y) === null);
}

/** The element's box in its own viewport, after bringing it into view. */
export function boxOf(el: Element): { x: number; y: number; width: number; height: number } {
  el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const { x, y, width, height } = el.getBoundingClientRect();
  return { x, y, width, height };
}

/** A point of the frame's document, in the document that holds the frame; and whether the frame is on top there. */
export function frameOwnerPoint(
  owner: Element,
  point: { x: number; y: number },
): { x: number; y: number; by?: string } {
  const box = owner.getBoundingClientRect();
  const style = getComputedStyle(owner);
  const wide = owner instanceof HTMLElement && owner.offsetWidth > 0 ? box.width / owner.offsetWidth : 1;
  const high = owner instanceof HTMLElement && owner.offsetHeight > 0 ? box.height / owner.offsetHeight : 1;
  const x = box.left + (owner.clientLeft + Number.parseFloat(style.paddingLeft) + point.x) * wide;
  const y = box.top + (owner.clientTop + Number.parseFloat(style.paddingTop) + point.y) * high;
  const top = onTop(owner, x, y);
  return top === null ? { x, y } : { x, y, by: describe(top) };
}

/** What query tells of an element besides its name. */
export function facts(el: Element): {
  text: string;
  attributes: Record<string, string>;
  bounds: { x: number; y: number; width: number; height: number };
} {
  const { x, y, width, height } = el.getBoundingClientRect();
  const text = (el instanceof HTMLElement ? el.innerText : (el.textContent ?? '')).trim();
  const isSecret = el instanceof HTMLInputElement && el.type === 'password';
  const attributes = Object.fromEntries(
    [...el.attributes].map(({ name, value }) => [name, isSecret && name === 'value' ? '••••' : value]),
  );
  const round = Math.round;
  return {
    text: text.slice(0, 5_000),
    attributes,
    bounds: { x: round(x), y: round(y), width: round(width), height: round(height) },
  };
}
