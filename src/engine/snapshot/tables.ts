// Tables as few lines: a row of text is one line; a table that only lays out the page is no table.
import type { Kept, Piece } from './kept.ts';
import { hasAriaName } from './roles.ts';
import { nameOf } from './names.ts';

const CELLS = new Set(['cell', 'columnheader', 'rowheader', 'gridcell']);
const isCell = (kept: Kept): boolean => CELLS.has(kept.own);

/** Turns a row of plain cells into one sentence, `A | B | C`, with the hits of its cells below it. */
export function joinCells(row: Kept): void {
  const cells = row.children;
  if (!cells.length || !cells.every(isPlainCell) || !cells.some(cell => cell.pieces)) return;
  row.pieces = cells.flatMap((cell, i): Piece[] => [...(i ? [' | '] : []), ...(cell.pieces ?? textOfOnly(cell))]);
  row.children = cells.flatMap(cell => cell.children);
}

/** Not a hit, and holds text and hits alone. */
const isPlainCell = (cell: Kept): boolean =>
  isCell(cell) && cell.kind === 'box' && cell.children.every(child => child.kind === 'hit') && !hasAriaName(cell.node);

/** A cell with nothing but links shows their text. */
const textOfOnly = (cell: Kept): Piece[] =>
  cell.children.filter(child => child.own === 'link').flatMap(child => [child.node, ' ']);

/** The content of a table without headers and name whose cells hold more than text; otherwise nothing. */
export function layoutContent(table: Kept): Kept[] | undefined {
  const rows = table.children;
  if (!rows.some(row => row.children.some(isBigCell)) || nameOf(table.node)) return undefined;
  if (rows.some(row => row.children.some(cell => /header$/.test(cell.own)))) return undefined;
  return rows.flatMap(row => (row.own === 'row' && row.kind === 'box' && !row.pieces ? row.children.flatMap(inCell) : [row]));
}

const isBigCell = (cell: Kept): boolean => isCell(cell) && cell.kind === 'box' && !isPlainCell(cell);

const inCell = (cell: Kept): Kept[] => (isCell(cell) && cell.kind === 'box' && !cell.pieces ? cell.children : [cell]);
