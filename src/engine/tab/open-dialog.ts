// The dialog that is open in a page. Several sessions may show the same page: whoever answers it, all learn that it is closed.
import { EventEmitter } from 'node:events';
import type { Dialog, Page } from 'playwright-core';

interface Told {
  opened: [dialog: Dialog];
  /** Also by a person, in the window of the browser. */
  closed: [accepted: boolean];
}

export class DialogBoard extends EventEmitter<Told> {
  dialog: Dialog | undefined;

  closed(accepted: boolean): void {
    if (!this.dialog) return;
    this.dialog = undefined;
    this.emit('closed', accepted);
  }
}

const boards = new WeakMap<Page, DialogBoard>();

export function boardOf(page: Page): DialogBoard {
  const known = boards.get(page);
  if (known) return known;
  const board = new DialogBoard();
  board.setMaxListeners(0);
  boards.set(page, board);
  page.on('dialog', dialog => {
    board.dialog = dialog;
    board.emit('opened', dialog);
  });
  return board;
}
