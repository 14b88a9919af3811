// Tells tables of data from tables that lay out the page, like Chrome but without its looks at borders and colours.
import { ELEMENT, find, type SnapNode } from '../capture/node.ts';

/** From this many rows on it is data. */
const MANY_ROWS = 20;
const HEADS = new Set(['caption', 'thead', 'tfoot', 'col', 'colgroup']);
const CELL_MARKS = ['headers', 'abbr', 'axis', 'scope'];
/** In a cell of data without any other sign. */
const WORDS = new Set('b i em strong small span font br code sub sup u s abbr time'.split(' '));

export function isLayoutTable(table: SnapNode): boolean {
  const { attrs, kids, editing } = table;
  if (editing || attrs.summary || attrs.rules || Number(attrs.border) > 0 || kids.some(kid => HEADS.has(kid.tag)))
    return false;
  const rows = rowsOf(table);
  if (rows.length >= MANY_ROWS) return false;
  const cells = rows.flatMap(cellsOf);
  if (cells.some(isMarked) || areColoured(cells, table)) return false;
  return cells.length < 2 || cells.some(holdsMore);
}

const rowsOf = (n: SnapNode): SnapNode[] =>
  n.kids.flatMap(kid => (kid.tag === 'tr' ? [kid] : kid.tag === 'tbody' ? rowsOf(kid) : []));

export const cellsOf = (row: SnapNode): SnapNode[] => row.kids.filter(kid => kid.tag === 'td' || kid.tag === 'th');

const isMarked = (cell: SnapNode): boolean => cell.tag === 'th' || CELL_MARKS.some(mark => cell.attrs[mark]);

/** Half of the cells stand out by their colour. */
const areColoured = (cells: SnapNode[], { attrs }: SnapNode): boolean =>
  cells.length > 1 &&
  attrs.cellspacing !== '0' &&
  cells.filter(cell => cell.attrs.bgcolor && cell.attrs.bgcolor !== attrs.bgcolor).length >=
    Math.floor(cells.length / 2);

/** More than words: then the table is there for the arrangement. */
const holdsMore = (cell: SnapNode): boolean => !!find(cell, n => n.type === ELEMENT && !n.pseudo && !WORDS.has(n.tag));
