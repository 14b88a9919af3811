// Runs inside the page, in our own script world: where a point of a frame lies in the document that holds the frame.
// Self-contained: these functions are sent as text, so they use nothing but each other, our world and the DOM.

import type { Point } from '../geometry.ts';
import type { InPage } from './source.ts';

/** All our in-page functions: those of other files are called through it. */
declare const tabwright: InPage;

/** The point of the frame's document in this one, scrolled into view if need be; `by` is what covers the frame there. */
export function frameOwnerPoint(owner: HTMLElement, inside: Point): Point & { by?: string } {
  if (!tabwright.isInView(pointOfOwner(owner, inside))) scrollToPoint(owner, inside);
  const at = pointOfOwner(owner, inside);
  const top = tabwright.onTop(owner, at.x, at.y);
  return top === null ? at : { ...at, by: tabwright.describe(top) };
}

/** The middle of a box stays the middle of the box around it, however the box is turned and stretched. */
export function pointOfOwner(owner: HTMLElement, { x, y }: Point): Point {
  const box = tabwright.rectOf(owner);
  const { paddingLeft, paddingTop } = getComputedStyle(owner);
  const across = owner.clientLeft + Number.parseFloat(paddingLeft) + x - owner.offsetWidth / 2;
  const down = owner.clientTop + Number.parseFloat(paddingTop) + y - owner.offsetHeight / 2;
  const { a, b, c, d } = stretchOf(owner);
  return {
    x: box.left + box.width / 2 + a * across + c * down,
    y: box.top + box.height / 2 + b * across + d * down,
  };
}

/** How lengths of the element are turned and stretched on the page, by it and all elements around it. */
export function stretchOf(el: Element & { currentCSSZoom?: number }): DOMMatrix {
  let all = new DOMMatrix().scale(el.currentCSSZoom ?? 1);
  for (let at: Element | null = el; at; at = tabwright.flatParent(at)) {
    const { rotate, scale, transform } = getComputedStyle(at);
    if (rotate === 'none' && scale === 'none' && transform === 'none') continue;
    const own = new DOMMatrix();
    const [wide = 1, high = wide] = scale === 'none' ? [] : scale.split(' ').map(Number);
    if (rotate !== 'none') own.rotateSelf(Number.parseFloat(rotate));
    own.scaleSelf(wide, high);
    if (transform !== 'none') own.multiplySelf(new DOMMatrix(transform));
    all = own.multiply(all);
  }
  return all;
}

/** Scrolls what the frame is in, from the inside out, until the point is in the middle of each that did not show it. */
export function scrollToPoint(owner: HTMLElement, inside: Point): void {
  for (let at = tabwright.flatParent(owner); at; at = tabwright.flatParent(at)) {
    const isPage = at === document.scrollingElement;
    if (!isPage && getComputedStyle(at).overflow === 'visible') continue;
    const box = isPage ? new DOMRect(0, 0, innerWidth, innerHeight) : tabwright.rectOf(at);
    const { x, y } = pointOfOwner(owner, inside);
    const left = x >= box.left && x < box.right ? 0 : x - box.left - box.width / 2;
    const top = y >= box.top && y < box.bottom ? 0 : y - box.top - box.height / 2;
    if (left !== 0 || top !== 0) at.scrollBy({ left, top, behavior: 'instant' });
  }
}
