// Drawings (SVG): which are one picture, and which have parts that count by themselves.
import { descendants, ELEMENT, type SnapNode, up } from '../capture/node.ts';
import { SHAPES } from './role-data.ts';

/** Smaller drawings are icons: one thing. */
const ICON_SIZE = 64;
/** Drawings with more shapes are illustrations: their shapes count only for a reason of their own. */
const MAX_SHAPES = 50;

/** The outermost svg element. */
export const isSvg = (n: SnapNode): boolean =>
  n.tag === 'svg' && (n.parent?.html === true || n.parent?.type !== ELEMENT);

/** An svg large enough to have parts, such as a chart. */
export function isDrawing(n: SnapNode): boolean {
  const [, , width = 0, height = 0] = n.box ?? [];
  return isSvg(n) && (width >= ICON_SIZE || height >= ICON_SIZE);
}

const known = new WeakMap<SnapNode, boolean>();

/** A shape in a drawing of few shapes. */
export function isDrawnPart(n: SnapNode): boolean {
  const svg = SHAPES.has(n.tag) ? up(n, isSvg) : undefined;
  if (!svg) return false;
  const few = known.get(svg) ?? hasFewShapes(svg);
  known.set(svg, few);
  return few;
}

const hasFewShapes = (svg: SnapNode): boolean =>
  isDrawing(svg) && descendants(svg, d => SHAPES.has(d.tag) && !!d.box).length <= MAX_SHAPES;
