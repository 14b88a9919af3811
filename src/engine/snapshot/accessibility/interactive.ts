// Which elements a person can act on, and why: role, listener, focus, cursor, scrolling, or being a picture.
import { type Box, css, ELEMENT, Hidden, type SnapNode } from '../capture/node.ts';
import { Handler, PRESSED } from '../handlers/kinds.ts';
import { isEditable, isFocusable } from './controls.ts';
import { isDrawnPart, isSvg } from './drawings.ts';
import { byWord, INTERACTIVE, OPAQUE } from './role-data.ts';
import { roleOf } from './roles.ts';

export type Interactivity =
  | ''
  | 'role'
  | 'edit'
  /** A listener for clicks or presses. */
  | 'click'
  | 'focus'
  | 'drag'
  | 'drop'
  | 'hover'
  /** A pointer cursor that the parent does not have. */
  | 'cursor'
  | 'scroll'
  /** A picture or a drawn shape. */
  | 'shape';

/** aria-hidden does not hide from a person. */
const UNREACHABLE = ~Hidden.aria;

export function interactivityOf(n: SnapNode): Interactivity {
  if (n.type !== ELEMENT || n.pseudo || n.hidden & UNREACHABLE) return '';
  const role = roleOf(n);
  // display: contents has no box, but its content reacts in its place.
  if (!n.box && !n.exempt) return n.rendered && INTERACTIVE.has(role) ? 'role' : '';
  if (css(n, 'pointer-events') === 'none') return INTERACTIVE.has(role) && isFocusable(n) ? 'focus' : '';
  if (INTERACTIVE.has(role)) return 'role';
  if (isEditable(n)) return 'edit';
  if (n.tag === 'html' || n.tag === 'body') return '';
  // Chrome reports everything in an editor as clickable.
  if (isPressed(n) && !n.editing) return 'click';
  if (n.attrs.tabindex !== undefined || n.tag === 'dialog') return 'focus';
  return (
    dragInteractivity(n) ||
    cursorInteractivity(n) ||
    (isScrollable(n) ? 'scroll' : isPicture(n, role) ? 'shape' : isHovered(n, role) ? 'hover' : '')
  );
}

/** It has a handler for clicks or presses that is its own. What is hidden from the accessibility tree and only pressed is a part of a widget. */
function isPressed({ clickable, handlers, hidden }: SnapNode): boolean {
  if (clickable && !(handlers & Handler.forOthers)) return true;
  return (handlers & (hidden ? PRESSED & ~Handler.press : PRESSED)) !== 0;
}

/** It reacts to presses, but to nothing more particular. */
export const isOnlyPressed = ({ clickable, handlers }: SnapNode): boolean =>
  !clickable && (handlers & PRESSED) === Handler.press;

export const isDraggable = ({ attrs, handlers }: SnapNode): boolean =>
  attrs.draggable === 'true' || (handlers & Handler.drag) !== 0;

const dragInteractivity = (n: SnapNode): Interactivity =>
  isDraggable(n) ? 'drag' : n.handlers & Handler.drop ? 'drop' : '';

/** What reacts to the pointer over a larger area, in square pixels, is a part of the page, not something to point at. */
const MOST_HOVERED = 60_000;

function isHovered({ handlers, hidden, box: [, , width = 0, height = 0] = [] }: SnapNode, role: string): boolean {
  return (handlers & Handler.hover) !== 0 && !hidden && !OPAQUE.has(role) && width * height < MOST_HOVERED;
}

const CURSORS = byWord<Interactivity>({ cursor: 'pointer zoom-in zoom-out', drag: 'grab grabbing move' });

function cursorInteractivity(n: SnapNode): Interactivity {
  const cursor = css(n, 'cursor');
  const interactivity = CURSORS.get(cursor) ?? (cursor.endsWith('-resize') ? 'drag' : '');
  return interactivity && n.parent && css(n.parent, 'cursor') === cursor ? '' : interactivity;
}

const MEDIA = new Set(['img', 'canvas', 'video', 'audio']);
/** Spacers and tracking pixels. */
const LEAST = 4;

function isPicture(n: SnapNode, role: string): boolean {
  const [, , width = 0, height = 0] = n.box ?? [];
  if (width < LEAST && height < LEAST) return false;
  if (MEDIA.has(n.tag) || isSvg(n)) return true;
  if (!n.html) return isDrawnPart(n);
  return n.kids.length === 0 && (role === 'image' || css(n, 'background-image').includes('url('));
}

/** Rounding of layout, in pixels. */
const SLACK = 2;

export function isScrollable(n: SnapNode): boolean {
  const overflow = css(n, 'overflow');
  if (!n.box || !/auto|scroll/.test(overflow) || NOT_REGIONS.has(n.tag)) return false;
  const [x = '', y = x] = overflow.split(' ');
  return overflows(n, n.box, x !== 'hidden', y !== 'hidden');
}

/** The page itself always scrolls; fields are interactive by role. */
const NOT_REGIONS = new Set(['html', 'body', 'textarea', 'select']);

/** Some descendant extends beyond the box. A descendant that clips its content hides what is below it. */
function overflows(n: SnapNode, box: Box, x: boolean, y: boolean): boolean {
  for (const kid of n.kids) {
    if (kid.box && reachesOut(kid.box, box, x, y)) return true;
    const clips = kid.box && css(kid, 'overflow') !== 'visible' && kid.type === ELEMENT;
    if (!clips && overflows(kid, box, x, y)) return true;
  }
  return false;
}

function reachesOut(inner: Box, outer: Box, x: boolean, y: boolean): boolean {
  return (x && isOut(inner, outer, 0)) || (y && isOut(inner, outer, 1));
}

function isOut(inner: Box, outer: Box, axis: 0 | 1): boolean {
  const size = inner[axis + 2] ?? 0;
  const from = (inner[axis] ?? 0) - (outer[axis] ?? 0);
  return size > 0 && (from < -SLACK || from + size > (outer[axis + 2] ?? 0) + SLACK);
}
