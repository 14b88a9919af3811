// TabDialog: the dialog that blocks one tab, as its page tells of it: who waits is told, it is answered, or answers itself.
import type { EventEmitter } from 'node:events';
import type { Dialog, Page } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { phrase, tabName, theTool } from '../../text.ts';
import { type Limits, under } from '../limits.ts';
import { boardOf, type DialogBoard } from './open-dialog.ts';
import type { TabEvents } from './page-events.ts';

export interface AutoDialog {
  action: 'accept' | 'dismiss';
  promptText?: string;
}

export interface OpenDialog {
  type: string;
  message: string;
  defaultValue: string;
}

/** The tab, as far as dialogs stop it. */
interface Host {
  readonly id: number;
  readonly notes: string[];
  readonly events: EventEmitter<TabEvents>;
  pending: unknown;
  /** Ends every wait on the page. */
  stop(why: Failure): void;
}

export class TabDialog {
  /** How later ones are answered by themselves. */
  auto: AutoDialog | undefined;
  readonly #host: Host;
  #board: DialogBoard | undefined;
  #dialog: Dialog | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** The tab has got a page, in which one may be open already. */
  meet(page: Page): void {
    this.leave();
    const board = boardOf(page);
    this.#board = board.on('opened', this.#opened).on('closed', this.#closed);
    if (board.dialog) this.#opened(board.dialog);
  }

  leave(): void {
    this.#board?.off('opened', this.#opened).off('closed', this.#closed);
    this.#board = this.#dialog = undefined;
  }

  get open(): OpenDialog | undefined {
    const dialog = this.#dialog;
    return dialog && { type: dialog.type(), message: messageOf(dialog), defaultValue: dialog.defaultValue() };
  }

  check(): void {
    if (this.#dialog) throw this.#failure(this.#dialog);
  }

  async answer(limits: Limits, action: 'accept' | 'dismiss', promptText?: string): Promise<OpenDialog> {
    const { open } = this;
    const [dialog, board] = [this.#dialog, this.#board];
    if (!dialog || !open)
      throw new Failure('no_dialog', phrase`No dialog is open in ${tabName(this.#host.id)}.`, 'Nothing to do.');
    const isAccepted = action === 'accept';
    this.#closed(isAccepted);
    await under(limits.signal, isAccepted ? dialog.accept(promptText ?? dialog.defaultValue()) : dialog.dismiss());
    if (board?.dialog === dialog) board.closed(isAccepted);
    return open;
  }

  readonly #opened = (dialog: Dialog): void => {
    const { auto } = this;
    if (auto) {
      this.#host.notes.push(
        `${dialogKind(dialog.type())} was ${auto.action}ed automatically: ${JSON.stringify(messageOf(dialog))}`,
      );
      const handled =
        auto.action === 'accept' ? dialog.accept(auto.promptText ?? dialog.defaultValue()) : dialog.dismiss();
      handled.catch(() => undefined); // the page may have gone with it
      return;
    }
    this.#dialog = dialog;
    this.#host.events.emit('dialog');
    this.#host.stop(this.#failure(dialog));
  };

  readonly #closed = (isAccepted: boolean): void => {
    const dialog = this.#dialog;
    this.#dialog = undefined;
    if (dialog?.type() !== 'beforeunload' || isAccepted) return;
    // The page is not left after all: the navigation that asked is over.
    this.#host.pending = undefined;
    this.#host.events.emit('stopped');
  };

  #failure(dialog: Dialog): Failure {
    return new Failure(
      'dialog_open',
      phrase`${dialogKind(dialog.type())} blocks ${tabName(this.#host.id)}: ${JSON.stringify(messageOf(dialog).slice(0, 500))}`,
      phrase`Answer it with ${theTool('dialog')} (accept or dismiss).`,
    );
  }
}

/** Chrome asks about leaving in its own words and gives none. */
const messageOf = (dialog: Dialog): string =>
  dialog.type() === 'beforeunload' && dialog.message() === ''
    ? 'Leave the page? Changes may not be saved.'
    : dialog.message();

/** `An alert dialog`, `A confirm dialog`. */
export const dialogKind = (type: string): string => `${/^[aeiou]/.test(type) ? 'An' : 'A'} ${type} dialog`;
