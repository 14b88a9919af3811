// What a person can hit on a page, and why.

import { css, ELEMENT, Hidden, type SnapNode } from '../capture/node.ts';
import { isEditable, isFocusable } from './controls.ts';
import { INTERACTIVE } from './role-data.ts';
import { roleOf } from './roles.ts';
import { isScrollable } from './scrollable.ts';
import { isDrawnPart, isSvg } from './svg.ts';

export type Hit =
  | ''
  /** Its role says so. */
  | 'role'
  | 'edit'
  /** It has a click listener. */
  | 'click'
  | 'focus'
  | 'drag'
  /** Its cursor says so, and its parent's does not. */
  | 'cursor'
  | 'scroll'
  /** A picture or a drawn shape. */
  | 'shape';

/** aria-hidden does not hide from a person. */
const UNREACHABLE = ~Hidden.aria;

export function hitOf(n: SnapNode): Hit {
  if (n.type !== ELEMENT || n.pseudo || n.hidden & UNREACHABLE) return '';
  const role = roleOf(n);
  // display: contents has no box, but what stands in it does the same.
  if (!n.box && !n.exempt) return n.rendered && INTERACTIVE.has(role) ? 'role' : '';
  if (css(n, 'pointer-events') === 'none') return INTERACTIVE.has(role) && isFocusable(n) ? 'focus' : '';
  if (INTERACTIVE.has(role)) return 'role';
  if (isEditable(n)) return 'edit';
  if (n.tag === 'html' || n.tag === 'body') return '';
  // Chrome calls everything in an editor clickable.
  if (n.clickable && !n.editing) return 'click';
  if (n.attrs.tabindex !== undefined || n.tag === 'dialog') return 'focus';
  if (n.attrs.draggable === 'true') return 'drag';
  return cursorHit(n) || (isScrollable(n) ? 'scroll' : isPicture(n, role) ? 'shape' : '');
}

const CURSORS = new Map<string, Hit>([
  ['pointer', 'cursor'],
  ['zoom-in', 'cursor'],
  ['zoom-out', 'cursor'],
  ['grab', 'drag'],
  ['grabbing', 'drag'],
  ['move', 'drag'],
]);

function cursorHit(n: SnapNode): Hit {
  const cursor = css(n, 'cursor');
  const hit = CURSORS.get(cursor) ?? (cursor.endsWith('-resize') ? 'drag' : '');
  return hit && n.parent && css(n.parent, 'cursor') === cursor ? '' : hit;
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
