// Drawings: which parts of an svg are worth a line, and what tells them apart.
import { descendants, ELEMENT, once, type SnapNode, up } from '../capture/node.ts';
import { SHAPES } from './role-data.ts';

/** Smaller drawings are icons: one picture. */
const ICON_SIZE = 64;
/** Drawings with more shapes are illustrations: of their shapes only those count that have something of their own. */
const MAX_SHAPES = 50;
/** Not even those of drawings with more. */
const MAX_MARKED = 1_000;

/** The outermost svg element. */
export const isSvg = (n: SnapNode): boolean =>
  n.tag === 'svg' && (n.parent?.html === true || n.parent?.type !== ELEMENT);

/** An svg large enough to have parts, such as a chart. */
export function isDrawing(n: SnapNode): boolean {
  const [, , width = 0, height = 0] = n.box ?? [];
  return isSvg(n) && (width >= ICON_SIZE || height >= ICON_SIZE);
}

export const isShape = (n: SnapNode): boolean => !n.html && SHAPES.has(n.tag);

const svgOf = (n: SnapNode): SnapNode | undefined => up(n, isSvg);

const shapesIn = once((svg: SnapNode) => descendants(svg, n => isShape(n) && !!n.box));

/** A shape in a drawing of few shapes, or one with data of its own. */
export function isDrawnPart(n: SnapNode): boolean {
  const svg = isShape(n) ? svgOf(n) : undefined;
  if (!svg || !isDrawing(svg)) return false;
  const { length } = shapesIn(svg);
  const said = dataOf(n);
  if (length > MAX_SHAPES) return length <= MAX_MARKED && said !== '';
  // A line without a surface leads somewhere or frames something.
  return n.attrs.fill !== 'none' || said !== '' || n.attrs.class !== undefined;
}

const NAMING = ['data-name', 'data-label', 'data-title', 'name'];
const LONGEST = 60;

/** What the page keeps with the shape. */
function dataOf({ attrs }: SnapNode): string {
  const key = NAMING.find(name => attrs[name]) ?? Object.keys(attrs).find(name => name.startsWith('data-'));
  const said = (key && attrs[key]) || '';
  return said.length <= LONGEST ? said : '';
}

/** Ids with numbers are those of drawing programs. */
const WORD = /^\p{L}[\p{L} _-]{1,40}$/u;

/** A name for want of a better one: by data or id, else by a class that not all shapes of its kind have. */
export function shapeName(n: SnapNode): string {
  const svg = isShape(n) && n.tag !== 'text' ? svgOf(n) : undefined;
  if (!svg) return '';
  const said = dataOf(n) || (WORD.test(n.attrs.id ?? '') ? (n.attrs.id ?? '') : '');
  if (said) return said;
  const written = n.attrs.class ?? '';
  return written && written.length <= LONGEST && alike(svg, n).some(({ attrs }) => attrs.class !== written)
    ? written
    : '';
}

/** `2 of 3`: its place among the shapes of its kind that are called the same; undefined when it is the only one. */
export function placeAmongAlike(n: SnapNode): string | undefined {
  const svg = isShape(n) && n.tag !== 'text' ? svgOf(n) : undefined;
  if (!svg) return undefined;
  const name = shapeName(n);
  const like = alike(svg, n).filter(other => shapeName(other) === name);
  return like.length > 1 ? `${like.indexOf(n) + 1} of ${like.length}` : undefined;
}

/** The shapes of its kind; none in a drawing of very many. */
function alike(svg: SnapNode, { tag }: SnapNode): SnapNode[] {
  const shapes = shapesIn(svg);
  return shapes.length > MAX_MARKED ? [] : shapes.filter(shape => shape.tag === tag);
}
