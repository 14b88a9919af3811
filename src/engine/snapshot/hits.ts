// What a person can hit on a page, and why.
import { isEditable, isFocusable, isInEditor } from './controls.ts';
import { css, descendants, ELEMENT, Hidden, type SnapNode, up } from './node.ts';
import { INTERACTIVE, SHAPES } from './role-data.ts';
import { roleOf } from './roles.ts';
import { isScrollable } from './scroll.ts';

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
  if (!n.box && !n.exempt) return '';
  const role = roleOf(n);
  if (css(n, 'pointer-events') === 'none') return INTERACTIVE.has(role) && isFocusable(n) ? 'focus' : '';
  if (INTERACTIVE.has(role)) return 'role';
  if (isEditable(n)) return 'edit';
  if (n.tag === 'html' || n.tag === 'body') return '';
  if (n.clickable && !isInEditor(n)) return 'click';
  if (n.attrs.tabindex !== undefined) return 'focus';
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

const MEDIA = new Set(['img', 'canvas', 'video', 'audio', 'svg']);
/** Spacers and tracking pixels. */
const LEAST = 4;

function isPicture(n: SnapNode, role: string): boolean {
  const [, , width = 0, height = 0] = n.box ?? [];
  if (width < LEAST && height < LEAST) return false;
  if (MEDIA.has(n.tag)) return n.tag !== 'svg' || n.parent?.html === true;
  if (!n.html) return SHAPES.has(n.tag) && isDrawingPart(n);
  return n.kids.length === 0 && (role === 'image' || css(n, 'background-image').includes('url('));
}

/** Smaller drawings are icons: one thing. */
const ICON_SIZE = 64;
/** Drawings with more shapes are illustrations: only shapes with a reason of their own count. */
const MAX_SHAPES = 50;
const drawings = new WeakMap<SnapNode, boolean>();

/** A shape counts by itself in a drawing of some size with few parts, such as a chart or a game. */
function isDrawingPart(n: SnapNode): boolean {
  const svg = up(n, p => p.tag === 'svg' && p.parent?.html !== false);
  if (!svg) return false;
  const known = drawings.get(svg) ?? isDrawing(svg);
  drawings.set(svg, known);
  return known;
}

function isDrawing(svg: SnapNode): boolean {
  const [, , width = 0, height = 0] = svg.box ?? [];
  if (width < ICON_SIZE && height < ICON_SIZE) return false;
  return descendants(svg, d => SHAPES.has(d.tag) && !!d.box).length <= MAX_SHAPES;
}
