// Tables as few lines: a row of text is one line; a table that only lays out the page is no table.

import { nameOf } from '../accessibility/names.ts';
import { hasAriaName, roleOf } from '../accessibility/roles.ts';
import type { Piece, PrintNode } from './print-node.ts';

const CELLS = new Set(['cell', 'columnheader', 'rowheader', 'gridcell']);

/** Turns a row of plain cells into one sentence, `A | B | C`, with the hits of its cells below it. */
export function joinCells(row: PrintNode): void {
  const cells = row.children;
  if (!cells.length || !cells.every(isPlainCell) || !cells.some(cell => cell.pieces)) return;
  row.pieces = cells.flatMap((cell, i): Piece[] => [...(i ? [' | '] : []), ...(cell.pieces ?? namesIn(cell))]);
  row.children = cells.flatMap(cell => cell.children.filter(child => child.kind === 'hit'));
}

/** Not a hit, and holds only text, hits and pictures. */
const isPlainCell = (cell: PrintNode): boolean =>
  isBoxCell(cell) &&
  cell.children.every(child => child.kind === 'hit' || child.kind === 'figure') &&
  !hasAriaName(cell.node);

const isBoxCell = (kept: PrintNode): boolean => kept.kind === 'box' && CELLS.has(kept.own);

/** A cell with nothing but links and pictures shows their names. */
const namesIn = (cell: PrintNode): Piece[] =>
  cell.children
    .filter(child => child.own === 'link' || child.own === 'image')
    .flatMap(child => [nameOf(child.node), ' ']);

/** What stands in a table that only lays out the page; nothing for a table of data. */
export function layoutContent(table: PrintNode): PrintNode[] | undefined {
  if (roleOf(table.node) !== 'generic' && !isArrangement(table)) return undefined;
  return table.children.flatMap(row =>
    row.own === 'row' && row.kind === 'box' && !row.pieces ? row.children.flatMap(inCell) : [row],
  );
}

/** No name, no headers, and cells that hold more than text. */
function isArrangement(table: PrintNode): boolean {
  const cells = table.children.flatMap(row => row.children);
  if (nameOf(table.node) || cells.some(cell => cell.own.endsWith('header'))) return false;
  return cells.some(cell => isBoxCell(cell) && !isPlainCell(cell));
}

const inCell = (cell: PrintNode): PrintNode[] => (isBoxCell(cell) && !cell.pieces ? cell.children : [cell]);
