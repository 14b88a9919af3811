// The JavaScript dialog that blocks a page: it fails the calls that wait on its tab until it is answered, by a call, by the user or automatically.
import { Failure } from '../../errors.ts';
import { phrase, tabName, theTool } from '../../text.ts';
import { type Limits, under } from '../limits.ts';
import type { Dialog } from '../page/dialog.ts';
import type { Page } from '../page/page.ts';
import type { Tab } from './tab.ts';

export interface AutoDialog {
  action: 'accept' | 'dismiss';
  promptText?: string;
}

export interface OpenDialog {
  type: string;
  message: string;
  defaultValue: string;
}

/** The open dialog as one tab sees it. */
export class TabDialog {
  /** How later dialogs are answered automatically. */
  auto: AutoDialog | undefined;
  readonly #tab: Tab;
  #page: Page | undefined;
  #dialog: Dialog | undefined;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** Follows the dialogs of the page, in which one may be open already. */
  follow(page: Page): void {
    this.leave();
    this.#page = page.on('dialog', this.#opened).on('dialogclosed', this.#closed);
    if (page.openDialog) this.#opened(page.openDialog);
  }

  leave(): void {
    this.#page?.off('dialog', this.#opened).off('dialogclosed', this.#closed);
    this.#page = this.#dialog = undefined;
  }

  get open(): OpenDialog | undefined {
    const dialog = this.#dialog;
    return dialog && { type: dialog.type, message: messageOf(dialog), defaultValue: dialog.defaultValue };
  }

  check(): void {
    if (this.#dialog) throw this.#failure(this.#dialog);
  }

  async answer(limits: Limits, action: 'accept' | 'dismiss', promptText?: string): Promise<OpenDialog> {
    const { open } = this;
    const [dialog, page] = [this.#dialog, this.#page];
    if (!dialog || !open)
      throw new Failure('no_dialog', phrase`No dialog is open in ${tabName(this.#tab.id)}.`, 'Nothing to do.');
    const isAccepted = action === 'accept';
    this.#closed(isAccepted);
    await under(limits.signal, isAccepted ? dialog.accept(promptText) : dialog.dismiss());
    if (page?.openDialog === dialog) page.dialogClosed(isAccepted);
    return open;
  }

  readonly #opened = (dialog: Dialog): void => {
    const { auto } = this;
    if (auto) {
      this.#tab.notes.push(
        `${dialogKind(dialog.type)} was ${auto.action}ed automatically: ${JSON.stringify(messageOf(dialog))}`,
      );
      const handled = auto.action === 'accept' ? dialog.accept(auto.promptText) : dialog.dismiss();
      handled.catch(() => undefined); // the page may have gone with it
      return;
    }
    this.#dialog = dialog;
    this.#tab.events.emit('dialog');
    this.#tab.stop(this.#failure(dialog));
  };

  readonly #closed = (isAccepted: boolean): void => {
    const dialog = this.#dialog;
    this.#dialog = undefined;
    if (dialog?.type !== 'beforeunload' || isAccepted) return;
    // The page is not left after all: the navigation that asked is over.
    this.#tab.pending = undefined;
    this.#tab.events.emit('stopped');
  };

  #failure(dialog: Dialog): Failure {
    return new Failure(
      'dialog_open',
      phrase`${dialogKind(dialog.type)} blocks ${tabName(this.#tab.id)}: ${JSON.stringify(messageOf(dialog).slice(0, 500))}`,
      phrase`Answer it with ${theTool('dialog')} (accept or dismiss).`,
    );
  }
}

/** A beforeunload dialog has no message: Chrome shows a text of its own. */
const messageOf = (dialog: Dialog): string =>
  dialog.type === 'beforeunload' && dialog.message === ''
    ? 'Leave the page? Changes may not be saved.'
    : dialog.message;

/** `An alert dialog`, `A confirm dialog`. */
const dialogKind = (type: string): string => `${/^[aeiou]/.test(type) ? 'An' : 'A'} ${type} dialog`;
