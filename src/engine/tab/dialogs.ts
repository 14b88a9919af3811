// The JavaScript dialog that blocks a page: it fails the calls that wait on its tab until it is answered, by a call, by the user or automatically.
import { EventEmitter } from 'node:events';
import type { BrowserContext, Dialog, Page } from 'playwright-core';
import { Failure } from '../../errors.ts';
import { phrase, tabName, theTool } from '../../text.ts';
import { type Limits, under } from '../limits.ts';
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

/** The dialog that is open in a page. Several sessions may show the page: whoever answers the dialog, all learn that it is closed. */
class PageDialog extends EventEmitter<{ opened: [dialog: Dialog]; closed: [accepted: boolean] }> {
  dialog: Dialog | undefined;

  opened(dialog: Dialog): void {
    this.dialog = dialog;
    this.emit('opened', dialog);
  }

  /** Also by the user, in the window of the browser. */
  closed(accepted: boolean): void {
    if (!this.dialog) return;
    this.dialog = undefined;
    this.emit('closed', accepted);
  }
}

const pageDialogs = new WeakMap<Page, PageDialog>();

export function pageDialog(page: Page): PageDialog {
  const known = pageDialogs.get(page);
  if (known) return known;
  const made = new PageDialog();
  made.setMaxListeners(0);
  pageDialogs.set(page, made);
  holdDialogs(page.context());
  return made;
}

const heldIn = new WeakSet<BrowserContext>();

/** Dialogs of its pages wait for an answer, also while a page is still being taken up: Playwright dismisses what nobody listens to. */
export function holdDialogs(context: BrowserContext): void {
  if (heldIn.has(context)) return;
  heldIn.add(context);
  context.on('dialog', dialog => {
    const page = dialog.page();
    if (page) pageDialog(page).opened(dialog);
    else void dialog.dismiss().catch(() => undefined); // its page has gone
  });
}

/** The open dialog as one tab sees it. */
export class TabDialog {
  /** How later dialogs are answered automatically. */
  auto: AutoDialog | undefined;
  readonly #tab: Tab;
  #source: PageDialog | undefined;
  #dialog: Dialog | undefined;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** Follows the dialogs of the page, in which one may be open already. */
  follow(page: Page): void {
    this.leave();
    const source = pageDialog(page);
    this.#source = source.on('opened', this.#opened).on('closed', this.#closed);
    if (source.dialog) this.#opened(source.dialog);
  }

  leave(): void {
    this.#source?.off('opened', this.#opened).off('closed', this.#closed);
    this.#source = this.#dialog = undefined;
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
    const [dialog, source] = [this.#dialog, this.#source];
    if (!dialog || !open)
      throw new Failure('no_dialog', phrase`No dialog is open in ${tabName(this.#tab.id)}.`, 'Nothing to do.');
    const isAccepted = action === 'accept';
    this.#closed(isAccepted);
    await under(limits.signal, isAccepted ? dialog.accept(promptText ?? dialog.defaultValue()) : dialog.dismiss());
    if (source?.dialog === dialog) source.closed(isAccepted);
    return open;
  }

  readonly #opened = (dialog: Dialog): void => {
    const { auto } = this;
    if (auto) {
      this.#tab.notes.push(
        `${dialogKind(dialog.type())} was ${auto.action}ed automatically: ${JSON.stringify(messageOf(dialog))}`,
      );
      const handled =
        auto.action === 'accept' ? dialog.accept(auto.promptText ?? dialog.defaultValue()) : dialog.dismiss();
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
    if (dialog?.type() !== 'beforeunload' || isAccepted) return;
    // The page is not left after all: the navigation that asked is over.
    this.#tab.pending = undefined;
    this.#tab.events.emit('stopped');
  };

  #failure(dialog: Dialog): Failure {
    return new Failure(
      'dialog_open',
      phrase`${dialogKind(dialog.type())} blocks ${tabName(this.#tab.id)}: ${JSON.stringify(messageOf(dialog).slice(0, 500))}`,
      phrase`Answer it with ${theTool('dialog')} (accept or dismiss).`,
    );
  }
}

/** A beforeunload dialog has no message: Chrome shows a text of its own. */
const messageOf = (dialog: Dialog): string =>
  dialog.type() === 'beforeunload' && dialog.message() === ''
    ? 'Leave the page? Changes may not be saved.'
    : dialog.message();

/** `An alert dialog`, `A confirm dialog`. */
const dialogKind = (type: string): string => `${/^[aeiou]/.test(type) ? 'An' : 'A'} ${type} dialog`;
